import { insertOrder, keepBuyer, writeProjection } from '#features/orders/orders-store.ts';
import { insertReceipt } from '#features/orders/payments/receipt-numbers-store.ts';
import { newId } from '#kit/ids.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { canaries, type Owner } from './owners.ts';

/** The address that an order was paid with. */
export const payerOf = (orderId: string): string => `payer-${orderId}@example.com`;

/** A tip that was paid, with a word of its viewer. */
export async function makeOrder(
  { engines }: TestApp,
  { person, whose }: Owner,
  { link, slug, viewerRow }: Record<'link' | 'slug' | 'viewerRow', string>,
): Promise<string> {
  const now = new Date(engines.clock());
  const [orderId, { realm }] = [newId<'order'>(now.getTime()), engines.payments];
  const about = {
    creatorId: person.userId,
    creatorName: 'Mia',
    linkId: link,
    slug,
    viewerId: viewerRow,
    policyVersion: 1,
  };
  const tip = {
    kind: 'tip',
    amountCents: 1000,
    feeCents: 100,
    currency: 'usd',
    isAnonymous: false,
    terms: {},
  } as const;
  const paid = {
    ...({ orderId, version: 0, state: 'paid', refundedCents: 0, unreturnedCents: 0, paidAt: now } as const),
    sessionId: `cs_${orderId}`,
    paymentId: `pi_${orderId}`,
    chargeId: `ch_${orderId}`,
  };
  await engines.database.work({ kind: 'system' }, async (tx) => {
    const order = {
      ...about,
      ...tip,
      id: orderId,
      realm,
      accountId: `acct_${person.userId}`,
      message: canaries[whose],
    };
    await insertOrder(tx, { ...order, expiresAt: now, now });
    const buyerId = await keepBuyer(tx, newId(now.getTime()), payerOf(orderId), now);
    await writeProjection(tx, { ...paid, buyerId });
    await insertReceipt(tx, orderId, now);
  });
  return orderId;
}
