import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertRelease, sumGone } from '#features/held/releases-store.ts';
import { runReleases } from '#features/held/releasing.ts';
import { findOrder } from '#features/orders/orders-store.ts';
import { insertRefund } from '#features/orders/refunds-store.ts';
import { feePercentOf, splitPayment } from '#features/orders/split-rules.ts';
import { newId } from '#kit/ids.ts';
import { runRefunds } from './refunding.ts';

/** Asks that its creator gets what is held for a request. @returns what they get; undefined where it cannot be released */
export async function releaseHeld(
  tx: Tx,
  { requestId, orderId, now }: { requestId: string; orderId: string; now: Date },
): Promise<number | undefined> {
  const order = await findOrder(tx, orderId);
  if (order === undefined) return undefined;
  const leftCents = order.amountCents - (await sumGone(tx, orderId));
  if (leftCents <= 0) return undefined;
  const { feeCents, shareCents } = splitPayment(leftCents, feePercentOf(order));
  const isRequested = await insertRelease(tx, { requestId, orderId, shareCents, feeCents, now });
  return isRequested ? shareCents : undefined;
}

export interface HeldRefund {
  orderId: string;
  /** Left out for all of it. */
  amountCents?: number | undefined;
  reason: 'not_delivered' | 'access_revoked' | 'platform_decision' | 'customer_request';
  note: string;
  by: { kind: 'creator' | 'staff' | 'system'; userId?: string | undefined };
  cause?: 'suspended' | 'creator_left' | 'link_ended' | undefined;
  now: Date;
}

/** Asks that what is held goes back, or a part of it; whoever asked hears how the request ended. @returns false where it cannot */
export const refundHeld = (tx: Tx, refund: HeldRefund): Promise<boolean> =>
  insertRefund(tx, { ...refund, id: newId<'refund'>(refund.now.getTime()), isTold: true });

/** Asks the provider at once for what was wished for; what it does not take now the jobs ask for again. */
export async function settleHeld(engines: Engines, { requestId, orderId }: { requestId: string; orderId: string }) {
  await runRefunds(engines, orderId);
  await runReleases(engines, requestId);
}

export { closeDelivery } from '#features/held/paid-requests-store.ts';
export { dropRefused } from '#features/held/releases-store.ts';
export { withRefusedRelease } from '#features/held/releasing.ts';
export { findOwedTimes } from './refunds/owed-times.ts';
