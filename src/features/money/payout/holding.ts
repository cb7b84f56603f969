import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { readSettings } from '#features/settings/store.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import type { HoldCode } from '../rules.ts';
import { endHolds, findHoldFacts, type HoldRow, insertHold, listHolds, listReleased } from './holds-store.ts';
import {
  expectEnd,
  holdsFor,
  releasedForMs,
  selfEnding,
  settlementBy,
  settlementDaysOf,
  waitsForStaff,
} from './payout-rules.ts';
import { setSettlement } from './payouts-store.ts';
import { findSellerRecord } from './selling-store.ts';
import { tellHeld, tellOperator } from './telling-payouts.ts';

type Needs = Pick<Engines, 'payments' | 'jobs' | 'installation'>;

/** Holds a creator's payouts for a reason, and tells her. @returns false when she is held for it already */
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
  await tellHeld(engines, tx, { userId, code, note, expectedAt, now });
  if (by === 'system' && waitsForStaff.includes(code)) await tellOperator(engines, tx, { userId, why: code, now });
  return true;
}

/** Brings a creator's holds to what speaks against paying her out now. @returns those that are left */
export async function updateHolds(engines: Needs, tx: Tx, userId: string, now: Date): Promise<HoldRow[]> {
  const facts = await findHoldFacts(tx, { userId, realm: engines.payments.realm }, now);
  return facts === undefined ? [] : holdBy(engines, tx, { userId, facts }, now);
}

type HoldFacts = NonNullable<Awaited<ReturnType<typeof findHoldFacts>>>;
interface Known {
  userId: string;
  facts: HoldFacts;
}

async function holdBy(engines: Needs, tx: Tx, { userId, facts }: Known, now: Date): Promise<HoldRow[]> {
  const whose = { userId, realm: engines.payments.realm };
  const wanted = holdsFor(facts);
  const released = await listReleased(tx, whose, new Date(now.getTime() - releasedForMs));
  const over = selfEnding.filter((code) => !wanted.includes(code));
  await endHolds(tx, whose, over, { by: 'system', now });
  for (const code of wanted.filter((one) => !released.includes(one)))
    await hold(engines, tx, { userId, code, note: '', by: 'system', now });
  const known = await listHolds(tx, whose);
  const retried = known.filter((one) => isToBeRetried(one, now)).map(({ code }) => code);
  await endHolds(tx, whose, retried, { by: 'system', now });
  return known.filter(({ code }) => !retried.includes(code));
}

/** The same, and how long what she sells from now on rests: both by what is known of her now. */
export async function updateStanding(engines: Needs, tx: Tx, userId: string, now: Date): Promise<HoldRow[]> {
  const { realm } = engines.payments;
  const facts = await findHoldFacts(tx, { userId, realm }, now);
  if (facts === undefined) return [];
  const record = await findSellerRecord(tx, userId, realm);
  if (record !== undefined) {
    const daysHere = (now.getTime() - record.since.getTime()) / dayMs;
    const days = settlementDaysOf({ ...facts, daysHere }, settlementBy(await readSettings(tx)));
    await setSettlement(tx, realm, { userId, days });
  }
  return holdBy(engines, tx, { userId, facts }, now);
}

/** A bank that has sent one back is tried again after some days. */
const isToBeRetried = ({ code, byKind, expectedAt }: HoldRow, now: Date): boolean =>
  code === 'BANK_REJECTED' && byKind === 'system' && expectedAt !== null && expectedAt <= now;
