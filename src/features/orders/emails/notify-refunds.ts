import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { findAccount } from '#features/accounts/store.ts';
import type { RefundedFor } from '#features/notices/notice-words.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { orderRefundedEmail, paymentReportedEmail } from '#features/notices/refund-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { readSettings } from '#features/settings/store.ts';
import { formatMoney } from '#kit/text.ts';
import type { OrderRow } from '../orders-store.ts';
import { receiptCode } from '../receipts.ts';
import { describeWhy, isReportedStory, type RefundStory } from '../refund-sentences.ts';
import type { SettledRefund } from '../refunds-store.ts';
import { describeSold, nameSold } from '../sold-words.ts';
import { shareOfReturned } from '../split-rules.ts';

type Needs = Pick<Engines, 'jobs' | 'installation' | 'secrets' | 'clock'>;

interface Returned {
  /** What of the order has gone back by now, all in all. */
  refundedCents: number;
  email: string | undefined;
  /** What was wished for; undefined where it was refunded at the provider. */
  settled: SettledRefund | undefined;
  /** Somebody had asked for it, and was answered just now. */
  wasAsked: boolean;
  now: Date;
}

/**
 * Tells both sides that something of an order has gone back: once, as it is called in the transaction that writes that down, which
 * only one can do.
 */
export async function notifyReturned(engines: Needs, tx: Tx, order: OrderRow, returned: Returned): Promise<void> {
  const { settled, wasAsked } = returned;
  if (!wasAsked && settled?.isTold !== true) await notifyBuyer(engines, tx, order, returned);
  if (settled !== undefined && isReportedStory(settled)) await notifyReported(engines, tx, order, returned);
  else await noteRefund(engines, tx, order, returned);
}

const moneyOf = (cents: number, { currency }: OrderRow) => formatMoney(cents, currency.toUpperCase());

async function notifyBuyer(engines: Needs, tx: Tx, order: OrderRow, returned: Returned): Promise<void> {
  const { refundedCents, settled, now } = returned;
  const to = returned.email?.trim().toLowerCase() ?? order.email;
  if (to === null) return;
  const { 'money.statementDescriptor': statementDescriptor } = await readSettings(tx);
  const words = orderRefundedEmail({
    statementDescriptor,
    what: describeSold(order.kind, order.creatorName),
    amount: moneyOf(refundedCents - order.refundedCents, order),
    isPart: refundedCents < order.amountCents,
    why: describeWhy(settled),
    receiptPage: `${engines.installation.publicUrl}/receipt/${receiptCode(engines, order.id)}`,
  });
  await queueEmail(tx, engines.jobs, { to, now, ...words });
}

/** What leaves their balance; nothing of what is still held. */
const takenOf = (order: OrderRow, { refundedCents, settled }: Returned): number =>
  order.requestId === null ? shareOfReturned(order, order.refundedCents, refundedCents) : (settled?.givenCents ?? 0);

/** A payment that its bank reported: they have to know what it means for them, whatever they chose to be told of. */
async function notifyReported(engines: Needs, tx: Tx, order: OrderRow, returned: Returned): Promise<void> {
  const { creatorId, kind } = order;
  const account = creatorId === null ? undefined : await findAccount(tx, creatorId);
  if (creatorId === null || account === undefined || account.status === 'deleted') return;
  const takenCents = takenOf(order, returned);
  const words = paymentReportedEmail({
    what: nameSold(kind, order.months),
    amount: moneyOf(returned.refundedCents - order.refundedCents, order),
    share: takenCents > 0 ? moneyOf(takenCents, order) : undefined,
    ended: kind === 'fan_sub' ? 'subscription' : kind === 'request' ? 'request' : order.isOnPage ? 'nothing' : 'access',
    earningsPage: `${engines.installation.publicUrl}/earnings?order=${order.id}`,
  });
  await queueEmail(tx, engines.jobs, { userId: creatorId, to: account.email, now: returned.now, ...words });
}

/** What they did themselves they know, staff write to them, and of custom work they hear by its own words. */
async function noteRefund({ clock }: Needs, tx: Tx, order: OrderRow, returned: Returned): Promise<void> {
  const { id: orderId, creatorId, requestId, currency, refundedCents: before } = order;
  const { settled, refundedCents } = returned;
  // Of what came too late they were never told.
  if (order.endedAt !== null) return;
  if (creatorId === null || requestId !== null || (settled !== undefined && settled.byKind !== 'system')) return;
  const sums = {
    amountCents: refundedCents - before,
    shareCents: shareOfReturned(order, before, refundedCents),
    currency: currency.toUpperCase(),
  };
  const notice = { event: 'refund', orderId, why: whyForCreator(settled), ...sums } as const;
  await noteNotice(tx, { userId: creatorId, notice, now: new Date(clock()) });
}

function whyForCreator(story: RefundStory | undefined): RefundedFor {
  if (story === undefined) return 'by_us';
  if (story.cause === 'late_payment' || story.cause === 'paid_after_end') return 'by_us';
  if (story.cause !== null) return story.cause;
  if (story.reason === 'duplicate') return 'duplicate';
  return story.reason === 'platform_decision' ? 'removed' : 'by_us';
}
