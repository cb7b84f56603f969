import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { findAccount } from '#features/accounts/store.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { refundDecidedEmail } from '#features/notices/money-emails.ts';
import { refundRefusedEmail } from '#features/notices/refund-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { answerAsking } from '#features/orders/asking-back.ts';
import { findOrder, type OrderRow } from '#features/orders/orders-store.ts';
import { listOfOperator, listWaiting, type RequestRow } from '#features/orders/refund-requests-store.ts';
import { insertRefund, type ListedRefund, listRefunds } from '#features/orders/refunds-store.ts';
import { isRefundWhy, opens, refundWhys } from '#features/orders/rules.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import { isUuid, newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';

const system = { kind: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'jobs' | 'installation' | 'linkClock' | 'payments'>;

/** `pf refunds …`: what is asked for, waits or failed; the answer to a request, and an order that staff gives back. */
export interface RefundOrder {
  verb: string | undefined;
  id: string | undefined;
  reason: string | undefined;
  note: string | undefined;
}

const usage = `Use \`refunds\`, \`refunds accept ID --note TEXT\`, \`refunds decline ID --note TEXT\` or \`refunds order ID --reason ${refundWhys.join('|')} --note TEXT\`.`;
const mostListed = 200;
const longestNote = 500;

/** @returns what to print @throws a sentence that says what is wrong */
export async function runRefundsCommand(engines: Needed, order: RefundOrder): Promise<string> {
  const { database, payments } = engines;
  if (order.verb === undefined) {
    const [asked, refunds] = await database.work(
      system,
      async (tx) =>
        [
          await listOfOperator(tx, payments.realm, mostListed),
          await listRefunds(tx, payments.realm, mostListed),
        ] as const,
    );
    const lines = [...asked.map(describeAsked), ...refunds.map(describeLine)];
    return lines.length === 0 ? 'No refunds have been asked for.' : lines.join('\n');
  }
  if (order.verb === 'accept' || order.verb === 'decline') return decideByHand(engines, order);
  if (order.verb !== 'order') throw new Error(usage);
  return refundByHand(engines, order);
}

/** An order of which something can go back. @throws a sentence that says why nothing can */
async function findReturnable(tx: Tx, { provider, livemode }: Realm, id: string): Promise<OrderRow> {
  const order = isUuid(id) ? await findOrder(tx, id) : undefined;
  if (order?.provider !== provider || order.livemode !== livemode) throw new Error(`There is no order ${id}. ${usage}`);
  if (order.state === 'disputed' || order.state === 'charged_back')
    throw new Error(`Order ${id} is disputed: the bank decides, and a refund would pay twice.`);
  if (order.requestId !== null)
    throw new Error(`Order ${id} is held for a request: npm run pf -- requests show ${order.requestId}`);
  if (!opens(order.state)) throw new Error(`Order ${id} is ${order.state}: there is nothing to give back.`);
  return order;
}

/** Writes the request down; the running app asks the provider for it within a minute, until it is done or refused. */
async function refundByHand(engines: Needed, { id = '', reason = '', note = '' }: RefundOrder): Promise<string> {
  const { database, payments } = engines;
  const text = note.trim();
  if (!isRefundWhy(reason)) throw new Error(`Say which reason. ${usage}`);
  if (text === '' || text.length > longestNote)
    throw new Error(`Say why, in up to ${longestNote} characters: --note "…". It is sent to the creator.`);
  return database.work(system, async (tx) => {
    const order = await findReturnable(tx, payments.realm, id);
    const now = moneyNow(engines);
    const params = {
      id: newId<'refund'>(now.getTime()),
      orderId: id,
      reason,
      note: text,
      by: { kind: 'staff' },
      now,
    } as const;
    if (!(await insertRefund(tx, params))) throw new Error(`The refund of order ${id} is on its way already.`);
    const details = { reason, note: text };
    const about = {
      actor: { type: 'system' },
      action: 'order.refunded',
      target: { type: 'order', id },
      details,
    } as const;
    await insertAudit(tx, about);
    const leftCents = order.amountCents - order.refundedCents;
    const isNotified = await describeCreator(engines, tx, { order, leftCents, note: text, now });
    const amount = formatMoney(leftCents, order.currency.toUpperCase());
    return `${amount} of order ${id} go back within minutes. ${isNotified ? 'The creator is told by email.' : 'Its creator has no account any more.'}`;
  });
}

/** Answers what a buyer asks for: the buyer and the creator are told with the note. */
async function decideByHand(engines: Needed, { verb, id = '', note = '' }: RefundOrder): Promise<string> {
  const { database, payments } = engines;
  const text = note.trim();
  const isRefunded = verb === 'accept';
  if (text === '' || text.length > longestNote)
    throw new Error(`Say why, in up to ${longestNote} characters: --note "…". It is sent to the buyer.`);
  return database.work(system, async (tx) => {
    const request = isUuid(id) ? (await listWaiting(tx, id))[0] : undefined;
    if (request === undefined) throw new Error(`Nobody waits for an answer about order ${id}. ${usage}`);
    const order = await findReturnable(tx, payments.realm, id);
    if (!(await answerAsking(engines, tx, request, { by: { kind: 'staff' }, isRefunded, text })))
      throw new Error(`Order ${id} was answered a moment ago.`);
    await insertAudit(tx, {
      actor: { type: 'system' },
      action: isRefunded ? 'order.refund_accepted' : 'order.refund_declined',
      target: { type: 'order', id },
      details: { reason: request.reason, note: text },
    });
    const leftCents = order.amountCents - order.refundedCents;
    const now = moneyNow(engines);
    if (isRefunded) await describeCreator(engines, tx, { order, leftCents, note: text, now });
    else await describeKept(engines, tx, { order, leftCents, now });
    return isRefunded
      ? `${formatMoney(leftCents, order.currency.toUpperCase())} of order ${id} go back within minutes.`
      : `The request about order ${id} is declined; the buyer is told by email.`;
  });
}

/** A creator who was not asked, or has not answered, is told that nothing went back. */
async function describeKept(
  { jobs, installation }: Needed,
  tx: Tx,
  { order, leftCents, now }: { order: OrderRow; leftCents: number; now: Date },
): Promise<void> {
  const { creatorId, kind, currency } = order;
  const account = creatorId === null ? undefined : await findAccount(tx, creatorId);
  if (creatorId === null || account === undefined) return;
  const amount = formatMoney(leftCents, currency.toUpperCase());
  const words = refundRefusedEmail({
    what: nameSold(kind),
    amount,
    earningsPage: `${installation.publicUrl}/earnings`,
  });
  await queueEmail(tx, jobs, { userId: creatorId, to: account.email, now, ...words });
}

async function describeCreator(
  { jobs, installation }: Needed,
  tx: Tx,
  { order, leftCents, note, now }: { order: OrderRow; leftCents: number; note: string; now: Date },
): Promise<boolean> {
  const { creatorId, kind, currency } = order;
  const account = creatorId === null ? undefined : await findAccount(tx, creatorId);
  if (creatorId === null || account === undefined) return false;
  const words = refundDecidedEmail({
    what: nameSold(kind),
    amount: formatMoney(leftCents, currency.toUpperCase()),
    note,
    earningsPage: `${installation.publicUrl}/earnings`,
  });
  await queueEmail(tx, jobs, { userId: creatorId, to: account.email, now, ...words });
  return true;
}

const formatTime = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

function describeState({ state, tries, nextTryAt, lastError, isOwed }: ListedRefund): string {
  if (isOwed) return "given back; the creator's part is OWED, there was too little in their account";
  if (state === 'failed') return `FAILED: ${plainLine(lastError ?? 'no reason given')}`;
  if (state === 'succeeded') return 'given back';
  return nextTryAt === null ? 'waits' : `waits, asked ${tries} times, again at ${formatTime(nextTryAt)}`;
}

const describeAsked = ({ orderId, createdAt, amountCents, currency, kind, reason, text }: RequestRow) => {
  const why = text === '' ? reason : `${reason} (${plainLine(text)})`;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  return `  ${orderId}  ${formatTime(createdAt)}  ${amount}  ${kind === 'complaint' ? 'complaint about ended access' : 'asked for by the buyer'}, ${why}  WAITS FOR YOU`;
};

const describeLine = (refund: ListedRefund) => {
  const { orderId, createdAt, amountCents, currency, reason, byKind, note } = refund;
  const why = note === '' ? reason : `${reason} (${plainLine(note)})`;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  return `  ${orderId}  ${formatTime(createdAt)}  ${amount}  by ${byKind}, ${why}  ${describeState(refund)}`;
};
