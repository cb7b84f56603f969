import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { callOnce } from '#features/books/call-once.ts';
import { postMovement } from '#features/books/ledger-store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { findHeldFor, findReleased } from '#features/held/releases-store.ts';
import { releaseLock } from '#features/held/releasing.ts';
import {
  againCents,
  backOf,
  backOfReleased,
  isDecided,
  isGivenAgain,
  isTaken,
  isTakenBack,
  type Released,
  settlingEntries,
} from './dispute-rules.ts';
import {
  type DisputedOrder,
  type DisputeRow,
  dropBack,
  findSold,
  markMoved,
  markSettled,
  noteAgainRefused,
  noteBackRefused,
  planBack,
  postponeDispute,
} from './disputes-store.ts';
import { notifyOwed, notifyToSend } from './notify-owed.ts';

const system = { kind: 'system' } as const;

/** @throws whatever is no definite no */
function orRefused(error: unknown): PaymentRefused {
  if (error instanceof PaymentRefused) return error;
  throw error;
}

/** Nothing of it was passed on: a sale of the platform's own, or money that is still held. */
const nothing = { transferId: null, leftCents: 0, feeLeftCents: 0 };

/**
 * Takes back what a creator has of a payment that is with a bank, and gives it to them again once the bank has returned it: each
 * once, however often and by however many this is done.
 */
export async function moveDisputed(
  engines: Engines,
  row: DisputeRow,
  order: DisputedOrder | undefined,
): Promise<DisputeRow> {
  if (isTaken(row.standing)) return takeBack(engines, row);
  // What was begun before it was won is done first: it may have been made, and nobody wrote it down.
  if (row.standing !== 'won' || row.backCents === null || order === undefined) return row;
  return giveAgain(engines, await takeBack(engines, row), order);
}

async function takeBack(engines: Engines, row: DisputeRow): Promise<DisputeRow> {
  const { database, payments } = engines;
  const planned = row.backCents === null ? await plan(engines, row) : row;
  const { id, disputeId, transferId, backCents, backFeeCents, reversalId: known } = planned;
  if (known !== null || transferId === null || backCents === null || backCents === 0) return planned;
  const taken = { disputeId, transferId, amountCents: backCents, feeCents: backFeeCents ?? 0 };
  const reversalId = await callOnce(engines, {
    name: `disp-rev:${disputeId}`,
    find: () => payments.findMade({ kind: 'reversal', transferId, of: { disputeId } }),
    make: (refusals) => payments.takeBack({ ...taken, refusals }),
  }).catch(orRefused);
  if (reversalId instanceof PaymentRefused) return owe(engines, planned, reversalId);
  await database.work(system, (tx) => markMoved(tx, id, { reversalId }));
  return { ...planned, reversalId };
}

/** Their account has too little: it is owed, and tried again. Once the dispute is won nothing is owed any more. */
async function owe(engines: Engines, row: DisputeRow, refused: PaymentRefused): Promise<DisputeRow> {
  const { database, log } = engines;
  const { id, disputeId, standing, backCents, backFeeCents, currency, orderId } = row;
  if (standing === 'won') return (await database.work(system, (tx) => dropBack(tx, id))) ?? row;
  log.warn({ area: 'money', dispute: disputeId, err: refused }, 'what is to be taken back of a dispute was refused');
  const now = moneyNow(engines);
  const owed = { of: disputeId, orderId, amountCents: (backCents ?? 0) - (backFeeCents ?? 0), currency };
  await database.work(system, async (tx) => {
    await postponeDispute(tx, id, now);
    if (await noteBackRefused(tx, id, now)) await notifyOwed(engines, tx, { ...owed, said: refused.message, now });
  });
  return row;
}

/** What is asked for is written down first: whoever asks again asks for the same. */
async function plan(engines: Engines, row: DisputeRow): Promise<DisputeRow> {
  const { database, payments } = engines;
  const passedOn = await payments.findPassedOn(row.chargeId);
  const released = passedOn === undefined ? await findPassedOnHeld(engines, row) : undefined;
  const back =
    passedOn !== undefined ? backOf(row, passedOn) : released !== undefined ? backOfReleased(row, released) : nothing;
  return (await database.work(system, (tx) => planBack(tx, row, back))) ?? row;
}

/** What was held and its creator has had by now: a release that is under way is waited for, and none begins any more. */
async function findPassedOnHeld(engines: Engines, { orderId }: DisputeRow): Promise<Released | undefined> {
  const { database } = engines;
  const heldFor = orderId === null ? undefined : await database.work(system, (tx) => findHeldFor(tx, orderId));
  if (heldFor === undefined || orderId === null) return undefined;
  return withObjectLock(engines, releaseLock(heldFor.requestId), () =>
    database.work(system, (tx) => findReleased(tx, orderId)),
  );
}

async function giveAgain(engines: Engines, row: DisputeRow, { accountId }: DisputedOrder): Promise<DisputeRow> {
  const { database, payments } = engines;
  const { id, disputeId, chargeId, currency, retransferId: known } = row;
  const amountCents = againCents(row);
  if (known !== null || amountCents === 0 || !isTakenBack(row)) return row;
  const won = { disputeId, chargeId, accountId, amountCents, currency };
  const given = await callOnce(engines, {
    name: `disp-won:${disputeId}`,
    find: (since) => payments.findMade({ kind: 'given_again', disputeId, accountId, since }),
    make: (refusals) => payments.giveAgain({ ...won, refusals }),
  }).catch(orRefused);
  if (given instanceof PaymentRefused) return oweAgain(engines, row, given);
  await database.work(system, (tx) => markMoved(tx, id, { retransferId: given }));
  return { ...row, retransferId: given };
}

/** The platform has too little that is available: it is owed to them, and tried again. */
async function oweAgain(engines: Engines, row: DisputeRow, refused: PaymentRefused): Promise<DisputeRow> {
  const { database, log } = engines;
  const { id, disputeId, currency, orderId } = row;
  log.warn({ area: 'money', dispute: disputeId, err: refused }, 'what is to be given again of a dispute was refused');
  const now = moneyNow(engines);
  const owed = { of: disputeId, orderId, amountCents: againCents(row), currency, said: refused.message, now };
  await database.work(system, async (tx) => {
    await postponeDispute(tx, id, now);
    if (await noteAgainRefused(tx, id, now)) await notifyToSend(engines, tx, owed);
  });
  return row;
}

/** Books what is left once a dispute is decided and everything has been moved. Its name is posted once. */
export async function settleDispute(engines: Engines, row: DisputeRow): Promise<void> {
  const { database, payments } = engines;
  const { disputeId, standing, currency, chargeId, settledAt } = row;
  if (settledAt !== null || !isDecided(standing) || !isTakenBack(row) || !isGivenAgain(row)) return;
  const now = moneyNow(engines);
  const kind = standing === 'won' ? 'dispute_won' : 'dispute_lost';
  const about = { id: `${kind.replace('_', '-')}:${disputeId}`, kind, at: now, availableAt: now, currency } as const;
  await database.work(system, async (tx) => {
    const movement = { ...about, chargeId, accountId: undefined };
    const heldFor = row.orderId === null ? undefined : await findHeldFor(tx, row.orderId);
    const sold = await findSold(tx, payments.realm, chargeId);
    await postMovement(tx, payments.realm, movement, settlingEntries(row, { heldFor, sold }));
    // Nothing of it is booked, and whoever changed it, or the next round, settles it.
    if (!(await markSettled(tx, row, now))) throw new Error('A dispute changed while it was settled.');
  });
}
