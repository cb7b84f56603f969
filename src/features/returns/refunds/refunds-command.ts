import type { Engines } from '#engines/engines.ts';
import { commandLine } from '#features/audit/operator.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { listOfOperator, type RequestRow } from '#features/orders/refund-requests-store.ts';
import { type ListedRefund, listRefunds } from '#features/orders/refunds-store.ts';
import { isRefundWhy, refundWhys } from '#features/orders/rules.ts';
import { readCents } from '#kit/cents.ts';
import { formatMoney } from '#kit/text.ts';
import { answerByHand, refundByHand } from './deciding-refunds.ts';

const system = { kind: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'jobs' | 'installation' | 'linkClock' | 'payments'>;

/** `pf refunds …`: what is asked for, waits or failed; the answer to a request, and an order that staff gives back. */
export interface RefundOrder {
  verb: string | undefined;
  id: string | undefined;
  reason: string | undefined;
  note: string | undefined;
  /** In dollars; left out for all that is left. */
  amount?: string | undefined;
}

const usage = `Use \`refunds\`, \`refunds accept ID --note TEXT\`, \`refunds decline ID --note TEXT\` or \`refunds order ID --reason ${refundWhys.join('|')} [--amount DOLLARS] --note TEXT\`.`;
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
  if (order.verb === 'accept' || order.verb === 'decline') return answerRequest(engines, order);
  if (order.verb !== 'order') throw new Error(usage);
  return refundOrder(engines, order);
}

/** Gives an order back, or a part of it. */
async function refundOrder(engines: Needed, order: RefundOrder): Promise<string> {
  const { id = '', reason = '', note = '', amount } = order;
  const text = note.trim();
  if (!isRefundWhy(reason)) throw new Error(`Say which reason. ${usage}`);
  if (text === '' || text.length > longestNote)
    throw new Error(`Say why, in up to ${longestNote} characters: --note "…". It is sent to the creator.`);
  const amountCents = amount === undefined ? undefined : centsOf(amount);
  const refund = { orderId: id, reason, note: text, amountCents };
  const done = await engines.database.work(system, (tx) => refundByHand(engines, tx, refund, commandLine));
  if (done === undefined) throw new Error(`There is no order ${id}. ${usage}`);
  if (done.kind === 'not_done') throw new Error(`Order ${id}: ${done.because}`);
  return `${writeAmount(done)} of order ${id} go back within minutes. ${done.isNotified ? 'The creator is told by email.' : 'Its creator has no account any more.'}`;
}

const writeAmount = ({ amountCents, currency }: { amountCents: number; currency: string }) =>
  formatMoney(amountCents, currency.toUpperCase());

/** Answers what a buyer asks for. */
async function answerRequest(engines: Needed, { verb, id = '', note = '' }: RefundOrder): Promise<string> {
  const text = note.trim();
  const isRefunded = verb === 'accept';
  if (text === '' || text.length > longestNote)
    throw new Error(`Say why, in up to ${longestNote} characters: --note "…". It is sent to the buyer.`);
  const answer = { orderId: id, isRefunded, note: text };
  const done = await engines.database.work(system, (tx) => answerByHand(engines, tx, answer, commandLine));
  if (done === undefined) throw new Error(`Nobody waits for an answer about order ${id}. ${usage}`);
  if (done.kind === 'not_done') throw new Error(`Order ${id}: ${done.because}`);
  return isRefunded
    ? `${writeAmount(done)} of order ${id} go back within minutes.`
    : `The request about order ${id} is declined; the buyer is told by email.`;
}

/** @throws for what is no amount */
function centsOf(dollars: string): number {
  const cents = readCents(dollars);
  if (!(cents > 0)) throw new Error('--amount takes dollars. Leave it out to return all that is left.');
  return cents;
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
