import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { readSettings } from '#features/settings/store.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { endHolds, findHoldFacts, type HoldRow, insertHold, listHolds, listReleased } from './holds-store.ts';
import { notifyHeld, notifyOperator } from './notify-payouts.ts';
import { setSettlement } from './payouts-store.ts';
import {
  expectEnd,
  type HoldCode,
  holdCodes,
  holdsFor,
  releasedForMs,
  selfEnding,
  settlementBy,
  settlementDaysOf,
  waitsForStaff,
} from './rules.ts';
import { findSellerRecord } from './selling-store.ts';

type Needs = Pick<Engines, 'payments' | 'jobs' | 'installation'>;

/** Holds a creator's payouts for a reason, and tells them. @returns false when they are held for it already */
export async function hold(
  engines: Needs,
  tx: Tx,
  about: { userId: string; code: HoldCode; note: string; by: 'system' | 'staff'; expectedAt?: Date; now: Date },
): Promise<boolean> {
  const { userId, code, note, by, now } = about;
  const expectedAt = about.expectedAt ?? expectEnd(code, now);
  const id = newId<'hold'>(now.getTime());
  const { realm } = engines.payments;
  if (!(await insertHold(tx, { id, userId, realm, code, note, by, since: now, expectedAt }))) return false;
  await notifyHeld(engines, tx, { userId, code, note, expectedAt, now });
  if (by === 'system' && waitsForStaff.includes(code)) await notifyOperator(engines, tx, { userId, why: code, now });
  return true;
}

/** Brings a creator's holds to what speaks against paying them out now. @returns those that are left */
export async function updateHolds(engines: Needs, tx: Tx, userId: string, now: Date): Promise<HoldRow[]> {
  const facts = await findHoldFacts(tx, { userId, realm: engines.payments.realm }, now);
  return facts === undefined ? [] : holdBy(engines, tx, { userId, facts }, now);
}

type HoldFacts = NonNullable<Awaited<ReturnType<typeof findHoldFacts>>>;
interface Known {
  userId: string;
  facts: HoldFacts;
  /** The only reasons that are looked at; else all of them. */
  codes?: readonly HoldCode[];
}

async function holdBy(
  engines: Needs,
  tx: Tx,
  { userId, facts, codes = holdCodes }: Known,
  now: Date,
): Promise<HoldRow[]> {
  const whose = { userId, realm: engines.payments.realm };
  const wanted = holdsFor(facts).filter((code) => codes.includes(code));
  const released = await listReleased(tx, whose, new Date(now.getTime() - releasedForMs));
  const over = selfEnding.filter((code) => codes.includes(code) && !wanted.includes(code));
  await endHolds(tx, whose, over, { by: 'system', now });
  for (const code of wanted.filter((one) => !released.includes(one)))
    await hold(engines, tx, { userId, code, note: '', by: 'system', now });
  const known = await listHolds(tx, whose);
  const retried = known.filter((one) => isToBeRetried(one, now)).map(({ code }) => code);
  await endHolds(tx, whose, retried, { by: 'system', now });
  return known.filter(({ code }) => !retried.includes(code));
}

/** The same, and how long what they sell from now on rests: both by what is known of them now. */
export async function updateSellerRecord(engines: Needs, tx: Tx, userId: string, now: Date): Promise<HoldRow[]> {
  const facts = await updateSettlement(engines, tx, userId, now);
  return facts === undefined ? [] : holdBy(engines, tx, { userId, facts }, now);
}

/** As soon as one of their sales is disputed, or no longer is: whether that holds their payouts, and how long their sales rest. */
export async function updateByDisputes(engines: Needs, tx: Tx, userId: string, now: Date): Promise<void> {
  const facts = await updateSettlement(engines, tx, userId, now);
  if (facts !== undefined) await holdBy(engines, tx, { userId, facts, codes: ['DISPUTE_RATE'] }, now);
}

async function updateSettlement(engines: Needs, tx: Tx, userId: string, now: Date): Promise<HoldFacts | undefined> {
  const { realm } = engines.payments;
  const facts = await findHoldFacts(tx, { userId, realm }, now);
  const record = facts && (await findSellerRecord(tx, userId, realm));
  if (facts === undefined || record === undefined) return facts;
  const daysHere = (now.getTime() - record.since.getTime()) / dayMs;
  const days = settlementDaysOf({ ...facts, daysHere }, settlementBy(await readSettings(tx)));
  await setSettlement(tx, realm, { userId, days });
  return facts;
}

/** A bank that has sent one back is tried again after some days. */
const isToBeRetried = ({ code, byKind, expectedAt }: HoldRow, now: Date): boolean =>
  code === 'BANK_REJECTED' && byKind === 'system' && expectedAt !== null && expectedAt <= now;
