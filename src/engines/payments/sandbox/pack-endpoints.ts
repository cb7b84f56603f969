import * as z from 'zod';
import { type Books, SandboxError } from './books.ts';
import { amount, type Call, expandable, metadata, read } from './calls.ts';
import { methodParams, offeredBy } from './methods.ts';
import { makeSession, newObjectId } from './objects.ts';

const PackSessionParams = z.strictObject({
  ...expandable,
  ...methodParams,
  mode: z.literal('payment'),
  ui_mode: z.literal('embedded_page'),
  line_items: z
    .array(
      z.strictObject({
        price_data: z.strictObject({
          currency: z.string(),
          unit_amount: amount,
          product_data: z.strictObject({ name: z.string() }),
        }),
        quantity: amount,
      }),
    )
    .length(1),
  customer_email: z.string(),
  payment_intent_data: z.strictObject({ metadata }),
  return_url: z.string(),
  expires_at: amount,
  client_reference_id: z.string(),
  metadata,
});

/** What the platform itself sells, in a frame of ours. */
export async function createPackSession(books: Books, call: Call): Promise<object> {
  const params = read(PackSessionParams, call);
  const [item] = params.line_items;
  if (item === undefined) throw new SandboxError(400, 'parameter_missing', 'line_items is missing');
  const { currency, unit_amount, product_data } = item.price_data;
  const total = unit_amount * item.quantity;
  if (total < 50) throw new SandboxError(400, 'amount_too_small', 'Amount must be at least $0.50 usd');
  const session = makeSession({
    ui_mode: 'embedded_page',
    created: books.now,
    currency,
    metadata: params.metadata,
    amount_subtotal: total,
    amount_total: total,
    customer_creation: 'if_required',
    customer_email: params.customer_email,
    client_reference_id: params.client_reference_id,
    return_url: params.return_url,
    expires_at: params.expires_at,
    ...(await offeredBy(books, params)),
  });
  const open = { ...session, client_secret: `${session.id}_secret_${newObjectId('x').slice(2)}` };
  return books.keep(open, { hidden: { ...params.payment_intent_data, product: product_data.name } });
}
