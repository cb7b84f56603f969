import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { settleNow } from '#features/orders/asking.ts';
import { keepOpened } from '#features/orders/closing-sales.ts';
import type { SoldKind } from '#features/orders/contract.ts';
import { closeOrder, type OrderRow } from '#features/orders/orders-store.ts';
import { releasePlace } from '#features/orders/places-store.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import { feePercentOf } from '#features/orders/split-rules.ts';
import { syncAccount } from '#features/payouts/sync-account.ts';

export const system = { kind: 'system' } as const;

const backTo: Readonly<Record<SoldKind, string>> = {
  tip: 'tip-success',
  album: 'album-purchase-success',
  bundle: 'album-purchase-success',
  fan_sub: 'subscription-success',
  request: 'custom-request-success',
};

/** Opens the provider's page on which an order is paid. `again`: the order was ended while its page was being made. */
export async function openCheckout(
  engines: Engines,
  order: OrderRow,
  { accountId, cancelPath }: { accountId: string; cancelPath: string },
): Promise<{ url: string } | 'again' | 'not_accepting'> {
  const { payments, installation } = engines;
  const { id, kind, amountCents, feeCents, currency, expiresAt } = order;
  try {
    const { sessionId, url } = await payments.openCheckout({
      orderId: id,
      kind,
      productName: nameSold(kind),
      amountCents,
      feeCents,
      currency,
      expiresAt,
      accountId,
      successUrl: `${installation.publicUrl}/${backTo[kind]}?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${installation.publicUrl}${cancelPath}`,
      ...(kind === 'fan_sub' && { renews: { months: order.months, feePercent: feePercentOf(order) } }),
    });
    const isWaiting = await keepOpened(engines, id, sessionId);
    if (isWaiting && url !== undefined) return { url };
    // The order was ended while its page was being made.
    if (!isWaiting) await endCheckout(engines, sessionId);
    return 'again';
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    engines.log.warn({ area: 'money', orderId: id, err: error }, 'a checkout was refused');
    await endUnsent(engines, id, 'failed');
    await syncAccount(engines, accountId);
    return 'not_accepting';
  }
}

/**
 * Ends a checkout where it could be paid, and then here by what the provider says of it: whoever pays in the very moment has
 * bought, and is not asked to pay once more.
 */
export async function endCheckout(engines: Engines, sessionId: string): Promise<void> {
  await engines.payments.expireCheckout(sessionId);
  await settleNow(engines, sessionId);
}

/** Ends an order of which nobody was told where to pay. */
export const endUnsent = (
  { database }: Engines,
  orderId: string,
  state: 'expired' | 'failed' | 'canceled',
): Promise<void> =>
  database.work(system, async (tx) => {
    if (await closeOrder(tx, orderId, state)) await releasePlace(tx, orderId);
  });
