import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { takenDownNote } from '#features/orders/rules.ts';
import {
  closeDelivery,
  dropRefused,
  type HeldRefund,
  refundHeld,
  releaseHeld,
  settleHeld,
} from '#features/returns/held-payments.ts';
import { endSales } from '#features/sales/ending.ts';
import { refuse } from '#wire/refusals.ts';
import { type Change, type Next, next, type Step, type Words } from '../rules.ts';
import { changeRequest, findRequest, holdRequest, noteEvent, type RequestRow } from '../store.ts';
import { findMoneyState } from '../to-api.ts';
import { leftOf, notifyMove } from './notifying.ts';

/** What a step came to. */
export interface Moved {
  row: RequestRow;
  money: (Next & { ok: true })['money'];
}

/** Why a step could not be done; the words of whoever asked. */
export const refusalWords: Readonly<Record<(Next & { ok: false })['because'], string>> = {
  state: 'This was changed a moment ago. Look at it again.',
  over: "It's too late for this.",
  once: 'One change has already been requested.',
  disputed: 'The bank is reviewing this payment.',
};

/** @throws GONE, DISPUTED, CONFLICT */
export function refuseMove(because: (Next & { ok: false })['because']): never {
  const message = refusalWords[because];
  if (because === 'over') throw refuse('GONE', { message });
  if (because === 'disputed') throw refuse('DISPUTED');
  throw refuse('CONFLICT', { message });
}

const systemEvents: Readonly<Partial<Record<Change['state'], string>>> = {
  expired: 'expired',
  refunded: 'returned',
  released: 'released',
  problem: 'waits',
  declined: 'left',
};

function eventOf(step: Step, change: Change, { partCents }: Words): string {
  if (step.by === 'system') return systemEvents[change.state] ?? 'left';
  if (step.do === 'report') return `report_${step.reason}`;
  if (step.by === 'staff' && step.do === 'decline') return 'report_declined';
  return partCents === undefined ? step.do : 'refund_part';
}

/** What is said of an amount with it. */
function centsOf(step: Step, row: RequestRow, { partCents }: Words): number | null {
  if (partCents !== undefined) return partCents;
  if (step.do === 'counter') return step.cents;
  if (step.do === 'accept' && step.by === 'creator') return row.offeredCents;
  return step.do === 'refund' || step.do === 'cancel' ? leftOf(row) : null;
}

/**
 * Does one step with a request that is held: its state, its history, what it does to the money, and who is told, in one
 * transaction. Whoever comes second finds it changed.
 * @returns why it cannot be done, or what it came to
 */
export async function moveHeld(
  engines: Engines,
  tx: Tx,
  row: RequestRow,
  step: Step,
  words: Words = {},
): Promise<Moved | (Next & { ok: false })> {
  const now = moneyNow(engines);
  const after = next({ ...row, ...findMoneyState(row), isRefused: row.sending === 'waits' }, step, now);
  if (!after.ok) return after;
  const { change, money } = after;
  await changeRequest(tx, row.id, change);
  const event = { who: step.by, what: eventOf(step, change, words), text: words.text ?? '', at: now };
  await noteEvent(tx, row.id, { ...event, amountCents: centsOf(step, row, words) });
  await endSales(engines, tx, { requestId: row.id });
  await moveMoney(tx, row, { step, change, money, words, now });
  const moved = (await findRequest(tx, row.id)) ?? row;
  await notifyMove(engines, tx, moved, step, words);
  if (row.creatorId !== null) await tx.publish({ kind: 'viewer.paid', creatorId: row.creatorId });
  return { row: moved, money };
}

interface Moving extends Moved {
  step: Step;
  change: Change;
  words: Words;
  now: Date;
}

/** Why we gave back what was held, as its creator reads it. */
const closedNotes = { takedown: takenDownNote, suspend: 'Your account is suspended.' } as const;

const whyOf = ({
  step,
  words,
}: Pick<Moving, 'step' | 'words'>): Pick<HeldRefund, 'reason' | 'note' | 'by' | 'cause'> => {
  const note = words.text ?? '';
  if (step.by === 'staff') return { reason: 'platform_decision', note, by: { kind: 'staff' } };
  if (step.by === 'creator') return { reason: 'not_delivered', note, by: { kind: 'creator', userId: words.userId } };
  if (step.do === 'takedown' || step.do === 'suspend')
    return {
      reason: 'platform_decision',
      note: closedNotes[step.do],
      by: { kind: 'system' },
      ...(step.do === 'suspend' && { cause: 'suspended' }),
    };
  const by = { kind: 'system' } as const;
  if (step.do === 'leave') return { reason: 'access_revoked', note, by, cause: 'creator_left' };
  if (step.do === 'end') return { reason: 'access_revoked', note, by, cause: 'link_ended' };
  return { reason: 'not_delivered', note, by };
};

/** @throws when the money cannot follow: then nothing of the step stays */
async function moveMoney(tx: Tx, { id, orderId, sending }: RequestRow, moving: Omit<Moving, 'row'>): Promise<void> {
  const { money, words, now } = moving;
  if (money === 'none') return;
  if (orderId === null) throw new Error(`Request ${id} holds no payment.`);
  const { partCents: amountCents } = words;
  // What was refused so far may have been taken meanwhile.
  if (money === 'refund' && sending === 'waits' && !(await dropRefused(tx, id))) refuseMove('state');
  if (money === 'refund' || amountCents !== undefined)
    if (!(await refundHeld(tx, { orderId, now, amountCents, ...whyOf(moving) }))) refuseMove('state');
  if (money === 'refund') return closeDelivery(tx, id, now);
  if ((await releaseHeld(tx, { requestId: id, orderId, now })) === undefined) refuseMove('state');
}

/** The same with a request by its id, and then with the provider. @throws NOT_FOUND, GONE, DISPUTED, CONFLICT */
export async function move(
  engines: Engines,
  { id, isMine }: { id: string; isMine: (row: RequestRow) => boolean },
  step: Step,
  words: Words = {},
): Promise<RequestRow> {
  const moved = await engines.database.work({ kind: 'system' }, async (tx) => {
    const row = await holdRequest(tx, id);
    if (row === undefined || !isMine(row)) throw refuse('NOT_FOUND');
    const done = await moveHeld(engines, tx, row, step, words);
    if ('ok' in done) return refuseMove(done.because);
    return done;
  });
  await settleMoved(engines, moved);
  return (await findRequest(engines.database, id)) ?? moved.row;
}

/** Asks the provider at once for what a step wished for; what it does not take now it is asked for again. */
export async function settleMoved(engines: Engines, { row: { id, orderId }, money }: Moved): Promise<void> {
  if (money !== 'none' && orderId !== null) await settleHeld(engines, { requestId: id, orderId });
}
