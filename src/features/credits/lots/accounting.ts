import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { lockPack, notePackSettled, type PackRow } from '#features/orders/packs-store.ts';
import { newId } from '#kit/ids.ts';
import { postCredits, sumCredits } from '../ledger-store.ts';
import { creditsBack, grantEndsAt, type LotPart, type LotSource, type SpentFor, splitSpend } from '../rules.ts';
import {
  changeLots,
  countTurns,
  findDebitOwner,
  findLotOfPack,
  findLots,
  insertDebit,
  insertLot,
  type LotRow,
  listEndedLots,
  listLots,
  lockCredits,
  noteTakenBack,
  takeDebit,
} from './lots-store.ts';

/** What changes somebody's credits, and when. */
interface About {
  realm: Realm;
  userId: string;
  now: Date;
}

const leftIn = (lots: readonly LotRow[]) => lots.reduce((sum, { remaining }) => sum + remaining, 0);

/** Returns how much has to be in the lots by the books, beyond what is: below zero is no credit, and what is given then pays that first. */
async function missingInLots(tx: Tx, { realm, userId }: Pick<About, 'realm' | 'userId'>): Promise<number> {
  const { balance } = await sumCredits(tx, realm, userId);
  return Math.max(0, balance) - leftIn(await listLots(tx, realm, userId));
}

export interface Grant extends About {
  /** Given once under this name. */
  key: `credits:${string}`;
  source: LotSource;
  credits: number;
  packId?: string;
}

/** Gives somebody credits: bought ones stay, all others end after a year. @returns false when they were given before */
export async function grantCredits(tx: Tx, { key, source, credits, packId, ...about }: Grant): Promise<boolean> {
  const { realm, userId, now } = about;
  await lockCredits(tx, userId);
  const isNew = await postCredits(tx, realm, { userId, key, move: 'issued', what: source, credits, at: now });
  if (!isNew) return false;
  const remaining = await missingInLots(tx, about);
  const expiresAt = source === 'pack' ? null : grantEndsAt(now);
  const id = newId<'lot'>(now.getTime());
  await insertLot(tx, realm, { id, userId, source, packId, granted: credits, remaining, expiresAt, now });
  await tx.publish({ kind: 'credits.changed', creatorId: userId });
  return true;
}

/** Ends what its time is over for. */
export async function expireCredits(tx: Tx, { realm, userId, now }: About): Promise<void> {
  await lockCredits(tx, userId);
  for (const { id, remaining } of await listEndedLots(tx, realm, userId, now)) {
    const posting = { userId, key: `credits:expire:${id}`, move: 'expired', what: 'expired' } as const;
    await postCredits(tx, realm, { ...posting, credits: -remaining, at: now });
    await changeLots(tx, [{ lot: id, credits: remaining }], -1);
  }
}

export interface Spending extends About {
  /** What it pays for; the same job is paid once. */
  jobId: string;
  what: SpentFor;
  credits: number;
}

/** Its name in the books: of a job that was given back and is paid for again, with the turn. */
const keyOf = (move: 'spend' | 'back', jobId: string, turn: number) =>
  turn === 1 ? (`credits:${move}:${jobId}` as const) : (`credits:${move}:${jobId}:${turn}` as const);

/**
 * Pays for a job, with what ends first. All of it or nothing: nobody's credits fall below zero by spending.
 * @returns false when there are too few
 */
export async function spendCredits(tx: Tx, { jobId, what, credits, ...about }: Spending): Promise<boolean> {
  const { realm, userId, now } = about;
  await expireCredits(tx, about);
  if ((await findDebitOwner(tx, jobId)) !== undefined) return true;
  const lots = splitSpend(await listLots(tx, realm, userId), credits);
  if (lots === undefined) return false;
  const turn = (await countTurns(tx, jobId)) + 1;
  const key = keyOf('spend', jobId, turn);
  await postCredits(tx, realm, { userId, key, move: 'spent', what, credits: -credits, at: now });
  await changeLots(tx, lots, -1);
  await insertDebit(tx, realm, { jobId, userId, what, credits, lots, turn, now });
  await tx.publish({ kind: 'credits.changed', creatorId: userId });
  return true;
}

/** Gives back what a job cost that failed through our fault, once. @returns false when there is nothing to give back */
export async function giveBack(
  tx: Tx,
  { jobId, realm, now }: { jobId: string; realm: Realm; now: Date },
): Promise<boolean> {
  const userId = await findDebitOwner(tx, jobId);
  if (userId === undefined) return false;
  await lockCredits(tx, userId);
  const debit = await takeDebit(tx, jobId, now);
  if (debit === undefined) return false;
  const { what, credits, lots, turn } = debit;
  const posting = { userId, key: keyOf('back', jobId, turn), move: 'spent', what: `${what}_back` } as const;
  await postCredits(tx, realm, { ...posting, credits, at: now });
  await putBack(tx, { realm, userId, now }, lots);
  await tx.publish({ kind: 'credits.changed', creatorId: userId });
  return true;
}

/** Puts credits into the lots they came from, as far as these still stand; what finds no room there begins a year again. */
async function putBack(tx: Tx, about: About, requested: readonly LotPart[]): Promise<void> {
  const { realm, userId, now } = about;
  let missing = await missingInLots(tx, about);
  const known = new Map(
    (
      await findLots(
        tx,
        requested.map(({ lot }) => lot),
      )
    ).map((lot) => [lot.id, lot]),
  );
  const parts = requested.map(({ lot, credits }) => {
    const into = Math.min(credits, missing, roomIn(known.get(lot), now));
    missing -= into;
    return { lot, credits: into };
  });
  await changeLots(
    tx,
    parts.filter(({ credits }) => credits > 0),
    1,
  );
  if (missing === 0) return;
  const lot = { id: newId<'lot'>(now.getTime()), userId, source: 'returned', granted: missing, now } as const;
  await insertLot(tx, realm, { ...lot, remaining: missing, expiresAt: grantEndsAt(now) });
}

function roomIn(lot: LotRow | undefined, now: Date): number {
  if (lot === undefined || (lot.expiresAt !== null && lot.expiresAt <= now)) return 0;
  return lot.granted - lot.takenBack - lot.remaining;
}

/** Brings the credits of a pack to what its payment says: given once it is paid, and taken back with its money. */
export async function settlePack(tx: Tx, realm: Realm, packId: string, now: Date): Promise<void> {
  const pack = await lockPack(tx, packId);
  if (pack === undefined) return;
  const { id, userId, credits, paidAt } = pack;
  if (userId !== null && paidAt !== null) {
    const about = { realm, userId, now };
    await grantCredits(tx, { ...about, key: `credits:order:${id}`, source: 'pack', credits, packId: id });
    await lockCredits(tx, userId);
    const lot = await findLotOfPack(tx, id);
    if (lot !== undefined) await followPack(tx, about, { packId: id, lot, back: creditsBack(pack), pack });
  }
  await notePackSettled(tx, id);
}

interface Following {
  packId: string;
  lot: LotRow;
  /** How many of its credits are to be gone with its money. */
  back: number;
  pack: Pick<PackRow, 'state' | 'backState'>;
}

/** Names why credits of a pack went or came back: a bank that looks at its payment is no refund. */
function describeFollowing({ state, backState }: Following['pack'], isTaken: boolean): string {
  if (isTaken) return state === 'disputed' || state === 'charged_back' ? 'pack_disputed' : 'pack_back';
  return backState === 'failed' ? 'pack_returned' : 'pack_kept';
}

async function followPack(tx: Tx, about: About, { packId, lot, back, pack }: Following): Promise<void> {
  const { realm, userId, now } = about;
  const taken = back - lot.takenBack;
  if (taken === 0) return;
  const what = describeFollowing(pack, taken > 0);
  const key = `credits:order:${packId}:${lot.turns + 1}` as const;
  await postCredits(tx, realm, { userId, key, move: 'issued', what, credits: -taken, at: now });
  await noteTakenBack(tx, lot.id, back);
  if (taken < 0) await putBack(tx, about, [{ lot: lot.id, credits: -taken }]);
  else await takeOut(tx, about, lot);
  await tx.publish({ kind: 'credits.changed', creatorId: userId });
}

/** Takes out of the lots what the books no longer hold: of the pack itself first, then of what ends first. */
async function takeOut(tx: Tx, about: About, lot: LotRow): Promise<void> {
  const surplus = -(await missingInLots(tx, about));
  const others = (await listLots(tx, about.realm, about.userId)).filter(({ id }) => id !== lot.id);
  const parts = splitSpend([lot, ...others], surplus);
  if (parts === undefined) throw new Error('The lots hold less than the books.');
  await changeLots(tx, parts, -1);
}
