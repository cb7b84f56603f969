import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { findAccount } from '#features/accounts/store.ts';
import {
  refundAnsweredEmail,
  refundAskedEmail,
  refundRequestKeptEmail,
  refundWaitsEmail,
} from '#features/notices/refund-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { refuse } from '#wire/refusals.ts';
import type { OrderRow } from './orders-store.ts';
import {
  type Asking,
  type AskReason,
  answerMs,
  askReasonNames,
  judgeAsking,
  reasonsFor,
} from './refund-asking-rules.ts';
import {
  answerRequest,
  findAskFacts,
  findRequest,
  handOn,
  insertRequest,
  listWaiting,
  type RequestRow,
  resumeRequests,
} from './refund-requests-store.ts';
import { isAnswerStory, whyOfAnswer } from './refund-sentences.ts';
import { holdOrder, insertRefund, isReturning, type SettledRefund } from './refunds-store.ts';
import { type OrderState, opens } from './rules.ts';
import { describeSold, nameSold } from './sold-words.ts';

type Needs = Pick<Engines, 'database' | 'payments' | 'jobs' | 'installation' | 'linkClock'>;
const system = { kind: 'system' } as const;
const nowOf = ({ linkClock }: Pick<Engines, 'linkClock'>) => new Date(linkClock());
const amountOf = ({ amountCents, refundedCents, currency }: RequestRow) =>
  formatMoney(amountCents - refundedCents, currency.toUpperCase());

function refuseAsking(asking: Asking): void {
  if (asking === 'disputed') throw refuse('DISPUTED');
  if (asking === 'charged_back') throw refuse('DISPUTED', { message: 'Your bank has returned this payment.' });
  if (asking === 'too_late') throw refuse('REFUND_WINDOW');
  if (asking === 'returned') throw refuse('CONFLICT', { message: 'Your money is already on its way back.' });
  if (asking === 'asked') throw refuse('CONFLICT', { message: "You've already asked. We'll email you the answer." });
}

/**
 * A buyer asks for money back: the creator answers, or the operator where it is a tip, a complaint, or no creator is left.
 * @throws REFUND_WINDOW, DISPUTED, CONFLICT, VALIDATION
 */
export async function askBack(
  engines: Needs,
  tx: Tx,
  order: OrderRow,
  { reason, text }: { reason: AskReason; text: string },
): Promise<void> {
  const now = nowOf(engines);
  const facts = await findAskFacts(tx, order.id);
  if (facts === undefined) throw refuse('NOT_FOUND');
  if (order.requestId !== null) throw refuse('CONFLICT', { message: onItsPage });
  const asking = judgeAsking(facts, now);
  refuseAsking(asking);
  const isComplaint = asking === 'complaint';
  if (!isComplaint && !reasonsFor(order.kind).includes(reason))
    throw refuse('VALIDATION', { field: 'reason', message: tipsStay });
  const isOperators = isComplaint || order.kind === 'tip' || order.creatorId === null;
  const id = newId<'refundRequest'>(now.getTime());
  const isNew = await insertRequest(tx, {
    id,
    orderId: order.id,
    kind: isComplaint ? 'complaint' : 'refund',
    reason,
    text,
    now,
    state: isOperators ? 'operator' : 'creator',
    answerUntil: isOperators ? null : new Date(now.getTime() + answerMs),
  });
  if (!isNew) refuseAsking('asked');
  const request = await findRequest(tx, order.id);
  if (request === undefined) return;
  await notifyBuyer(engines, tx, request, now, refundRequestKeptEmail({ isOperators, amount: amountOf(request) }));
  if (isOperators) await notifyOperator(engines, tx, request, now);
  else await notifyCreator(engines, tx, request, now);
  await tx.publish({ kind: 'viewer.paid', ...(order.creatorId !== null && { creatorId: order.creatorId }) });
}

const onItsPage =
  'Tell us on the page of your request, which was emailed to you. You can do so until 14 days after its payment was released.';
const tipsStay = "A tip can only be refunded if you paid twice or didn't make the payment.";

async function notifyBuyer(
  { jobs }: Needs,
  tx: Tx,
  { buyerEmail: to }: RequestRow,
  now: Date,
  words: ReturnType<typeof refundAnsweredEmail>,
): Promise<void> {
  if (to !== null) await queueEmail(tx, jobs, { to, now, ...words });
}

async function notifyCreator({ jobs, installation }: Needs, tx: Tx, request: RequestRow, now: Date): Promise<void> {
  const { creatorId, sold, reason, text } = request;
  const account = creatorId === null ? undefined : await findAccount(tx, creatorId);
  if (creatorId === null || account === undefined) return;
  const words = refundAskedEmail({
    what: nameSold(sold),
    amount: amountOf(request),
    reason: askReasonNames[reason],
    text,
    earningsPage: `${installation.publicUrl}/earnings`,
  });
  await queueEmail(tx, jobs, { userId: creatorId, to: account.email, now, ...words });
}

async function notifyOperator({ jobs, installation }: Needs, tx: Tx, request: RequestRow, now: Date): Promise<void> {
  const { operatorEmail } = installation;
  if (operatorEmail === undefined) return;
  const { orderId, kind, sold, creatorName, reason, text } = request;
  const what = `${describeSold(sold, creatorName)}, ${amountOf(request)}`;
  const words = refundWaitsEmail({
    orderId,
    isComplaint: kind === 'complaint',
    what,
    reason: askReasonNames[reason],
    text,
  });
  await queueEmail(tx, jobs, { to: operatorEmail, now, ...words });
}

/** Returns whether the money of an order can be asked back now, or what became of that. */
export async function findAsking(tx: Tx, orderId: string, now: Date): Promise<Asking | 'declined'> {
  const facts = await findAskFacts(tx, orderId);
  if (facts === undefined || facts.isHeld) return 'too_late';
  const asking = judgeAsking(facts, now);
  if (asking !== 'asked') return asking;
  return (await findRequest(tx, orderId))?.state === 'declined' ? 'declined' : 'asked';
}

/** What is answered to a buyer, and by whom. */
export interface Answer {
  by: { kind: 'creator'; userId: string } | { kind: 'staff' };
  isRefunded: boolean;
  text: string;
}

/**
 * Answers a request. Yes wishes that all that is left goes back: the buyer is told once the provider has taken it, and until then, or
 * where it refuses, the request waits. @returns false when it was answered already
 */
export async function answerAsking(
  engines: Needs,
  tx: Tx,
  request: RequestRow,
  { by, isRefunded, text }: Answer,
): Promise<boolean> {
  const now = nowOf(engines);
  const { id, orderId, reason } = request;
  // Yes and no at once are one answer.
  await holdOrder(tx, orderId);
  const isWaiting = (await listWaiting(tx, orderId)).some((waiting) => waiting.id === id);
  if (!isWaiting || (await isReturning(tx, orderId))) return false;
  if (isRefunded)
    return insertRefund(tx, {
      id: newId<'refund'>(now.getTime()),
      orderId,
      reason,
      note: text,
      by,
      isTold: true,
      now,
    });
  if (!(await answerRequest(tx, { id, state: 'declined', answer: text, by: by.kind, now }))) return false;
  const about = { isRefunded, amount: amountOf(request), answer: text, contact: contactOf(engines) };
  await notifyBuyer(engines, tx, request, now, refundAnsweredEmail(about));
  return true;
}

const contactOf = ({ installation }: Pick<Engines, 'installation'>) => `${installation.publicUrl}/contact`;

/**
 * What has gone back, by yes to whoever asked or another way, needs no answer any more; they are told that it is on its way.
 * @param returned what went back now, and the request that it did; undefined where it was refunded at the provider
 * @returns whether somebody had asked
 */
export async function settleAsking(
  engines: Needs,
  tx: Tx,
  orderId: string,
  { settled, amountCents }: { settled: SettledRefund | undefined; amountCents: number },
): Promise<boolean> {
  const now = nowOf(engines);
  const answered = settled !== undefined && isAnswerStory(settled) ? settled : undefined;
  const given = { state: 'refunded', answer: answered?.note ?? '', by: answered?.byKind ?? 'system' } as const;
  const waiting = await listWaiting(tx, orderId);
  for (const request of waiting) {
    await answerRequest(tx, { id: request.id, ...given, now });
    const amount = formatMoney(amountCents, request.currency.toUpperCase());
    const answer = whyOfAnswer(settled);
    const words = refundAnsweredEmail({ isRefunded: true, amount, answer, contact: contactOf(engines) });
    await notifyBuyer(engines, tx, request, now, words);
  }
  return waiting.some(({ buyerEmail }) => buyerEmail !== null);
}

/** What is asked about a payment stands still while its bank has it: what that has returned needs no answer, and for the rest there is time again. */
export async function followBank(
  engines: Pick<Engines, 'linkClock'>,
  tx: Tx,
  { id: orderId, state: before }: Pick<OrderRow, 'id' | 'state'>,
  state: OrderState,
): Promise<void> {
  const now = nowOf(engines);
  if (before === 'disputed' && opens(state)) await resumeRequests(tx, orderId, new Date(now.getTime() + answerMs));
  if (state !== 'charged_back') return;
  for (const { id } of await listWaiting(tx, orderId))
    await answerRequest(tx, { id, state: 'declined', answer: '', by: 'system', now });
}

/** Hands on to the operator what no creator has answered in time. */
export async function handOnUnanswered(engines: Needs): Promise<void> {
  const { database, payments } = engines;
  const now = nowOf(engines);
  await database.work(system, async (tx) => {
    for (const { orderId } of await handOn(tx, payments.realm, now)) {
      const request = await findRequest(tx, orderId);
      if (request !== undefined) await notifyOperator(engines, tx, request, now);
    }
  });
}
