import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { findAccount } from '#features/accounts/store.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { type Draft, draftEndsAt, isOfCreator } from '#features/books/draft-rules.ts';
import { notifyUnbilled } from '#features/books/notify-unbilled.ts';
import type { EmailText } from '#features/notices/email-words.ts';
import { fanCancelledEmail, fanEndedEmail, fanPaymentFailedEmail } from '#features/notices/fan-emails.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { fansUnbilledEmail } from '#features/notices/provider-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { canBePaid } from '#features/payouts/accounts-store.ts';
import { formatMoney } from '#kit/text.ts';
import { describeTerm } from './fan-rules.ts';
import type { FanRow } from './fans-store.ts';
import { receiptCode } from './receipts.ts';
import { describeWhy } from './refund-sentences.ts';
import { findRefundStory } from './refunds-store.ts';
import { describeSold } from './sold-words.ts';
import { splitMonth } from './split-rules.ts';

type Needs = Pick<Engines, 'database' | 'jobs' | 'installation' | 'payments' | 'clock' | 'secrets' | 'keys' | 'log'>;

const daySeconds = 24 * 3600;

export const formatDay = (day: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(day);
export const moneyOf = (cents: number, currency: string) => formatMoney(cents, currency.toUpperCase());
/** Writes to whoever pays, at the address that they gave when they paid. */
export async function mailFan(
  { jobs, installation }: Pick<Engines, 'jobs' | 'installation'>,
  tx: Tx,
  { email, creatorName, now }: Pick<FanRow, 'email' | 'creatorName'> & { now: Date },
  wordsOf: (about: { what: string; purchasesPage: string }) => EmailText,
): Promise<void> {
  if (email === null) return;
  const about = { what: describeSold('fan_sub', creatorName), purchasesPage: `${installation.publicUrl}/my` };
  await queueEmail(tx, jobs, { to: email, now, ...wordsOf(about) });
}

interface Change {
  before: FanRow | undefined;
  after: FanRow;
  draft: Draft | undefined;
  /** What the platform keeps of it. */
  feePercent: number;
  now: Date;
}

/** What has become different since the last look, for whoever has to know. */
export async function notifyChange(
  engines: Needs,
  tx: Tx,
  { before, after, draft, feePercent, now }: Change,
): Promise<void> {
  const { periodEnd, stoppedAt } = after;
  const to = { ...after, now };
  if (after.status === 'past_due' && before?.status !== 'past_due')
    await notifyFailed(engines, tx, after, { draft, now });
  const isEnding = after.cancelAtPeriodEnd && after.endedAt === null && periodEnd !== null;
  if (isEnding && before?.cancelAtPeriodEnd === false)
    await mailFan(engines, tx, to, (about) =>
      fanCancelledEmail({ ...about, day: formatDay(periodEnd), isStopped: stoppedAt !== null }),
    );
  const isOver = after.endedAt !== null && before?.endedAt === null;
  const back = isOver ? await notifyBack(engines, tx, after) : undefined;
  if (isOver) await mailFan(engines, tx, to, (about) => fanEndedEmail({ ...about, back }));
  if (before === undefined || isOver)
    await noteFan(engines, tx, { fan: after, feePercent, stage: isOver ? 'ended' : 'new' });
  const isSame = before?.status === after.status && before.endedAt?.getTime() === after.endedAt?.getTime();
  if (!isSame || before.paidOrderId !== after.paidOrderId) await notifyScreens(tx, after);
}

/** A renewal was not paid: because the card failed, because its creator can't be paid, or because it can't be charged at all. */
async function notifyFailed(
  engines: Needs,
  tx: Tx,
  fan: FanRow,
  { draft, now }: { draft: Draft | undefined; now: Date },
): Promise<void> {
  const { amountCents, currency, months, nextAttemptAt, creatorId, creatorName } = fan;
  const amount = describeTerm(moneyOf(amountCents, currency), months);
  const nextDay = nextAttemptAt === null ? undefined : formatDay(nextAttemptAt);
  const isOfCreators = draft !== undefined && isOfCreator(draft);
  const isUnpayable = isOfCreators || !(await canBePaid(tx, engines.payments.realm, creatorId));
  const because = isUnpayable ? 'creator' : draft === undefined ? 'card' : 'bill';
  const endDay = draft && formatDay(draftEndsAt(draft.since));
  await mailFan(engines, tx, { ...fan, now }, (about) =>
    fanPaymentFailedEmail({ ...about, amount, nextDay, endDay, because }),
  );
  if (draft === undefined) return;
  await notifyUnbilled(engines, tx, { draft, what: `A subscription to ${creatorName}, ${amount}`, now });
  if (isUnpayable && creatorId !== null) await notifyUnpaid(engines, tx, creatorId, { draft, now });
}

/** The creator hears of it once a day, however many subscriptions wait. */
async function notifyUnpaid(
  { jobs, keys, installation }: Needs,
  tx: Tx,
  userId: string,
  { draft, now }: { draft: Draft; now: Date },
): Promise<void> {
  const account = await findAccount(tx, userId);
  if (account === undefined || account.status !== 'active') return;
  const key = hashKey(keys, 'fans_unbilled', userId);
  if ((await takeRate(tx, { key, limit: 1, windowSeconds: daySeconds, now })).isOver) return;
  const payoutsPage = `${installation.publicUrl}/account/payouts`;
  const words = fansUnbilledEmail({ payoutsPage, endDay: formatDay(draftEndsAt(draft.since)) });
  await queueEmail(tx, jobs, { userId, to: account.email, now, ...words });
}

/** What goes back of the time that was left, and why. */
async function notifyBack(
  { installation, ...engines }: Needs,
  tx: Tx,
  { cutCents, currency, paidOrderId }: FanRow,
): Promise<Parameters<typeof fanEndedEmail>[0]['back']> {
  if (cutCents === null || paidOrderId === null) return undefined;
  return {
    amount: moneyOf(cutCents, currency),
    why: describeWhy(await findRefundStory(tx, paidOrderId)),
    receiptPage: `${installation.publicUrl}/receipt/${receiptCode(engines, paidOrderId)}`,
  };
}

/** Their notices keep the time of their day, whatever time it is for money. */
async function noteFan(
  { clock }: Needs,
  tx: Tx,
  { fan, feePercent, stage }: { fan: FanRow; feePercent: number; stage: 'new' | 'ended' },
): Promise<void> {
  const { id: fanId, creatorId, amountCents, currency } = fan;
  if (creatorId === null) return;
  const { shareCents } = splitMonth(amountCents, feePercent);
  const sums = { amountCents, shareCents, currency: currency.toUpperCase() };
  const notice = { event: 'fan', fanId, stage, ...sums } as const;
  await noteNotice(tx, { userId: creatorId, notice, now: new Date(clock()) });
}

/** Open screens of this viewer ask again whether they may go on; the creator's pages read again. */
async function notifyScreens(tx: Tx, { creatorId, viewerId }: FanRow): Promise<void> {
  const about = { ...(creatorId !== null && { creatorId }), ...(viewerId !== null && { viewerId }) };
  await tx.publish({ kind: 'viewer.paid', ...about });
}
