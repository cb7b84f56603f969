import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { findAccount } from '#features/accounts/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { requestCode, requestReference } from '#features/held/request-code.ts';
import type { EmailText } from '#features/notices/email-words.ts';
import { notifyAtOnce } from '#features/notices/notices-store.ts';
import {
  requestDecidedEmail,
  requestDeliveredEmail,
  requestEndedEmail,
  requestQuotedEmail,
  requestSentEmail,
  requestWaitsEmail,
} from '#features/notices/request-emails.ts';
import type { RequestStage } from '#features/notices/request-notice-words.ts';
import { queueEmail } from '#features/notices/store.ts';
import { splitPayment } from '#features/orders/split-rules.ts';
import { readSettings } from '#features/settings/store.ts';
import { formatMoney } from '#kit/text.ts';
import { formatMomentIn, zoneOrUtc } from '#kit/time.ts';
import { isReported, type ReportReason, type Step, type Words } from '../rules.ts';
import type { RequestRow } from '../store.ts';
import { describeBuyer, describeDays, reportReasonNames } from './request-words.ts';

/** "$40.00" */
export const amountOf = ({
  offeredCents,
  agreedCents,
  currency,
}: Pick<RequestRow, 'offeredCents' | 'agreedCents' | 'currency'>) =>
  formatMoney(agreedCents ?? offeredCents, currency.toUpperCase());

const pageOf = (engines: Engines, { id }: RequestRow) =>
  `${engines.installation.publicUrl}/request/${requestCode(engines, id)}`;

const aboutOf = (engines: Engines, row: RequestRow) => ({
  creatorName: row.creatorName,
  amount: amountOf(row),
  reference: requestReference(row.id),
  page: pageOf(engines, row),
});

const mailBuyer = (engines: Engines, tx: Tx, { email }: RequestRow, words: EmailText): Promise<void> =>
  queueEmail(tx, engines.jobs, { to: email, now: moneyNow(engines), ...words });

/** What is theirs of an amount: divided as its order is, and before there is one as it would be now. */
async function shareOf(tx: Tx, { feePercent }: RequestRow, cents: number): Promise<number> {
  return splitPayment(cents, feePercent ?? (await readSettings(tx))['money.commissionPercent']).shareCents;
}

/** Their notices keep the time of their day, whatever time it is for money. */
async function notifyCreator(engines: Engines, tx: Tx, row: RequestRow, stage: RequestStage): Promise<void> {
  const { id: requestId, creatorId, offeredCents, agreedCents, currency } = row;
  if (creatorId === null) return;
  const amountCents = stage === 'refunded' ? leftOf(row) : (agreedCents ?? offeredCents);
  const shareCents = await shareOf(tx, row, amountCents);
  const sums = { amountCents, shareCents, currency: currency.toUpperCase() };
  const notice = { event: 'request', requestId, stage, ...sums } as const;
  await notifyAtOnce(tx, engines.jobs, { userId: creatorId, notice, now: new Date(engines.clock()) });
}

/** A new request: whoever asked has it in their mailbox, and the creator hears of it. */
export async function notifyAsked(engines: Engines, tx: Tx, row: RequestRow): Promise<void> {
  await mailBuyer(engines, tx, row, requestSentEmail(aboutOf(engines, row)));
  await notifyCreator(engines, tx, row, 'new');
}

const stages: Readonly<Partial<Record<RequestRow['state'], RequestStage>>> = {
  revision_requested: 'revision',
  problem: 'problem',
  released: 'released',
  refunded: 'refunded',
  expired: 'expired',
  declined: 'withdrawn',
};

/** Tells both sides what a step has made of a request. Nobody is told what they did themselves. */
export async function notifyMove(engines: Engines, tx: Tx, row: RequestRow, step: Step, words: Words): Promise<void> {
  const text = words.text ?? '';
  if (step.do === 'report') return notifyReported(engines, tx, row, step.reason, text);
  if (step.by === 'staff' && step.do === 'decline') return notifyDeclined(engines, tx, row, text);
  if (step.by !== 'buyer') await mailBuyer(engines, tx, row, buyersWords(engines, row, words));
  else if (row.state === 'released') await mailBuyer(engines, tx, row, ended(engines, row, words));
  const stage = step.by === 'system' && row.state === 'problem' ? 'late' : stages[row.state];
  if (step.by === 'staff') await notifyDecision(engines, tx, row, words);
  else if (step.by !== 'creator' && stage !== undefined) await notifyCreator(engines, tx, row, stage);
  if (row.state === 'problem') await notifyOperator(engines, tx, row, text);
}

/** What was released was reported: its creator hears of it, and we are to answer. */
async function notifyReported(engines: Engines, tx: Tx, row: RequestRow, reason: ReportReason, text: string) {
  await notifyCreator(engines, tx, row, 'reported');
  await notifyOperator(engines, tx, row, `${reportReasonNames[reason]}\n${text}`);
}

/** What was reported stays as it is. */
async function notifyDeclined(engines: Engines, tx: Tx, row: RequestRow, text: string): Promise<void> {
  const words = 'We looked at what you reported. Your payment stays with the creator.';
  await mailBuyer(engines, tx, row, requestEndedEmail({ ...aboutOf(engines, row), words, text }));
  await mailDecision(engines, tx, row, { words: 'We looked at what the buyer reported. You keep your share.', text });
}

function buyersWords(engines: Engines, row: RequestRow, words: Words): EmailText {
  const { state, actUntil, timeZone, isCounter, dueDays } = row;
  const text = words.text ?? '';
  const until = actUntil === null ? '' : formatMomentIn(actUntil, zoneOrUtc(timeZone));
  if (state === 'quoted')
    return requestQuotedEmail({
      ...aboutOf(engines, row),
      isCounter,
      within: describeDays(dueDays),
      payBy: until,
      text,
    });
  if (state === 'delivered') return requestDeliveredEmail({ ...aboutOf(engines, row), until, text });
  return ended(engines, row, words);
}

function ended(engines: Engines, row: RequestRow, { text = '', partCents }: Words): EmailText {
  const returnedCents = row.state === 'refunded' ? leftOf(row) : (partCents ?? 0);
  const words = describeBuyer({
    ...row,
    amount: amountOf(row),
    day: '',
    within: '',
    returned: describeReturned(returnedCents, row.currency),
  });
  return requestEndedEmail({ ...aboutOf(engines, row), words, text });
}

/** What of it had not gone back before. */
export const leftOf = ({ agreedCents, refundedCents }: Pick<RequestRow, 'agreedCents' | 'refundedCents'>): number =>
  (agreedCents ?? 0) - (refundedCents ?? 0);

/** What is to go back, in a sentence; nothing for nothing. It is written before the provider has been asked. */
export const describeReturned = (cents: number, currency: string): string =>
  cents === 0
    ? ''
    : `${formatMoney(cents, currency.toUpperCase())} is on its way back to the card you paid with. Banks usually need 5 to 10 working days to show it.`;

async function notifyDecision(
  engines: Engines,
  tx: Tx,
  row: RequestRow,
  { text = '', partCents }: Words,
): Promise<void> {
  const format = (cents: number) => formatMoney(cents, row.currency.toUpperCase());
  const all = row.agreedCents ?? row.offeredCents;
  const shareCents = await shareOf(tx, row, all - (partCents ?? 0));
  const returned = row.state === 'refunded' ? leftOf(row) : (partCents ?? 0);
  const words = [
    ...(returned > 0 ? [`${format(returned)} is on its way back to the buyer.`] : []),
    ...(row.state === 'released' ? [`${format(shareCents)} is on its way to you.`] : []),
  ].join(' ');
  await mailDecision(engines, tx, row, { words, text });
}

async function mailDecision(
  engines: Engines,
  tx: Tx,
  row: RequestRow,
  { words, text }: { words: string; text: string },
): Promise<void> {
  const account = row.creatorId === null ? undefined : await findAccount(tx, row.creatorId);
  if (account === undefined) return;
  const page = `${engines.installation.publicUrl}/requests/${row.id}`;
  const email = requestDecidedEmail({ words, note: text, page });
  await queueEmail(tx, engines.jobs, { userId: account.id, to: account.email, now: moneyNow(engines), ...email });
}

/** A request waits for a decision of ours. */
export async function notifyOperator(engines: Engines, tx: Tx, row: RequestRow, text = ''): Promise<void> {
  const { operatorEmail } = engines.installation;
  if (operatorEmail === undefined) return;
  const decideBy = row.actUntil === null ? '' : formatMomentIn(row.actUntil, 'UTC');
  const what = `${amountOf(row)}, asked of ${row.creatorName}`;
  const desk = `${engines.installation.publicUrl}/admin/payments/requests/${row.id}`;
  const words = requestWaitsEmail({ requestId: row.id, desk, what, text, decideBy, isReleased: isReported(row) });
  await queueEmail(tx, engines.jobs, { to: operatorEmail, now: moneyNow(engines), ...words });
}
