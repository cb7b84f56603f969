import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Lot, LotPart, LotSource, SpentFor } from '../rules.ts';

const turn = statement('credits_turn', `select pg_advisory_xact_lock(hashtextextended('credits ' || $1, 0))`);

/** Until this transaction ends nobody else changes the credits of this creator. */
export const lockCredits = async (tx: Tx, userId: string): Promise<void> => void (await tx.query(turn, [userId]));

/** What is left of something that was given or bought. */
export interface LotRow extends Lot {
  granted: number;
  takenBack: number;
  turns: number;
  expiresAt: Date | null;
}

const columns = `id, granted, remaining, taken_back as "takenBack", turns, expires_at as "expiresAt"`;
const ofUser = 'user_id = $1 and provider = $2 and livemode = $3';

const open = statement<LotRow>(
  'credit_lots_open',
  `select ${columns} from credit_lots where ${ofUser} and remaining > 0 order by expires_at nulls last, created_at, id for update`,
);
const ofPack = statement<LotRow>(
  'credit_lot_of_pack',
  `select ${columns} from credit_lots where order_id = $1 for update`,
);
const ofPacks = statement<{ packId: string; remaining: number }>(
  'credit_lots_of_packs',
  'select order_id as "packId", remaining from credit_lots where order_id = any($1::uuid[])',
);
const ended = statement<LotRow>(
  'credit_lots_ended',
  `select ${columns} from credit_lots where ${ofUser} and remaining > 0 and expires_at <= $4 order by expires_at, id for update`,
);
const byIds = statement<LotRow>(
  'credit_lots_by_ids',
  `select ${columns} from credit_lots where id = any($1::uuid[]) order by array_position($1::uuid[], id) for update`,
);
const endedOwners = statement<{ userId: string }>(
  'credit_lots_ended_owners',
  `select distinct user_id as "userId" from credit_lots where remaining > 0 and expires_at <= $1 and provider = $2 and livemode = $3
  and ($4::uuid is null or user_id = $4) limit 500`,
);

/** Lots with something left, in the order in which they are spent: what ends first goes first. */
export const listLots = (tx: Tx, { provider, livemode }: Realm, userId: string): Promise<LotRow[]> =>
  tx.query(open, [userId, provider, livemode]);
export const findLotOfPack = async (tx: Tx, packId: string): Promise<LotRow | undefined> =>
  (await tx.query(ofPack, [packId]))[0];
/** Returns what is left of these packs. */
export const listPackLots = (tx: Tx, packIds: readonly string[]) => tx.query(ofPacks, [packIds]);
/** Lots whose time is over. */
export const listEndedLots = (tx: Tx, { provider, livemode }: Realm, userId: string, now: Date): Promise<LotRow[]> =>
  tx.query(ended, [userId, provider, livemode, now]);
export const findLots = (tx: Tx, ids: readonly string[]): Promise<LotRow[]> => tx.query(byIds, [ids]);
/** Whose credits have ended without anybody noticing yet. */
export const listEndedOwners = async (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  userId?: string,
): Promise<string[]> =>
  (await tx.query(endedOwners, [now, provider, livemode, userId ?? null])).map(({ userId }) => userId);

export interface NewLot {
  id: string;
  userId: string;
  source: LotSource;
  packId?: string | undefined;
  granted: number;
  remaining: number;
  expiresAt: Date | null;
  now: Date;
}

const made = statement(
  'credit_lot_made',
  `insert into credit_lots (id, provider, livemode, user_id, source, order_id, granted, remaining, expires_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const changed = statement(
  'credit_lots_changed',
  `update credit_lots l set remaining = l.remaining + p.credits from unnest($1::uuid[], $2::int[]) as p (id, credits) where l.id = p.id`,
);
const takenBack = statement(
  'credit_lot_taken_back',
  'update credit_lots set taken_back = $2, turns = turns + 1 where id = $1',
);

export async function insertLot(tx: Tx, { provider, livemode }: Realm, lot: NewLot): Promise<void> {
  const { id, userId, source, packId, granted, remaining, expiresAt, now } = lot;
  await tx.query(made, [id, provider, livemode, userId, source, packId ?? null, granted, remaining, expiresAt, now]);
}

/** Puts credits into lots; below zero they are taken out. */
export async function changeLots(tx: Tx, parts: readonly LotPart[], sign: 1 | -1): Promise<void> {
  if (parts.length > 0)
    await tx.query(changed, [parts.map(({ lot }) => lot), parts.map(({ credits }) => sign * credits)]);
}

/** Notes how much of a pack went back. */
export const noteTakenBack = async (tx: Tx, lotId: string, credits: number): Promise<void> =>
  void (await tx.query(takenBack, [lotId, credits]));

export interface Debit {
  jobId: string;
  userId: string;
  what: SpentFor;
  credits: number;
  lots: readonly LotPart[];
  /** Which payment of this job it is: what was given back can be paid for again. */
  turn: number;
  now: Date;
}

const debited = statement(
  'credit_debited',
  `insert into credit_debits (job_id, provider, livemode, user_id, what, credits, lots, created_at, turn) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const returned = statement<{ userId: string; what: SpentFor; credits: number; lots: LotPart[]; turn: number }>(
  'credit_debit_returned',
  `update credit_debits set revoked_at = $2 where job_id = $1 and revoked_at is null
returning user_id as "userId", what, credits, lots, turn`,
);
const owner = statement<{ userId: string }>(
  'credit_debit_owner',
  'select user_id as "userId" from credit_debits where job_id = $1 and revoked_at is null',
);
const turns = statement<{ turns: number }>(
  'credit_debit_turns',
  'select count(*)::int as turns from credit_debits where job_id = $1',
);
const failedJobs = statement<{ jobId: string }>(
  'credit_debits_of_failed_jobs',
  `select d.job_id as "jobId" from credit_debits d join traces t on t.id = d.job_id
where d.what = 'trace' and d.revoked_at is null and t.state = 'failed' and t.fail_code = any($1)
  and d.provider = $2 and d.livemode = $3 and ($4::uuid is null or d.user_id = $4)
union all
select d.job_id from credit_debits d join media m on m.id = d.job_id
where d.what = 'priority' and d.revoked_at is null and m.ready_at is null
  and (m.has_failed or m.state = 'deleted' and not d.outlives_deletion)
  and d.provider = $2 and d.livemode = $3 and ($4::uuid is null or d.user_id = $4) limit 500`,
);

/** Writes down what was spent and for which job. */
export async function insertDebit(tx: Tx, { provider, livemode }: Realm, debit: Debit): Promise<void> {
  const { jobId, userId, what, credits, lots, turn, now } = debit;
  await tx.query(debited, [jobId, provider, livemode, userId, what, credits, JSON.stringify(lots), now, turn]);
}

/** Whose credits paid a job; undefined when none did, or they were given back. */
export const findDebitOwner = async (tx: Tx, jobId: string): Promise<string | undefined> =>
  (await tx.query(owner, [jobId]))[0]?.userId;
/** Notes that what a job cost is given back. @returns what it was; undefined when it was given back before */
export const takeDebit = async (tx: Tx, jobId: string, now: Date) => (await tx.query(returned, [jobId, now]))[0];
/** How often a job was paid for, whatever was given back of it. */
export const countTurns = async (tx: Tx, jobId: string): Promise<number> =>
  (await tx.query(turns, [jobId]))[0]?.turns ?? 0;
/** Traces that were paid for and failed for one of these reasons, and videos that were moved to the front and failed, or were deleted for good before they were ready. */
export const listPaidFailures = async (
  tx: Tx,
  { provider, livemode }: Realm,
  codes: readonly string[],
  userId?: string,
): Promise<string[]> =>
  (await tx.query(failedJobs, [codes, provider, livemode, userId ?? null])).map(({ jobId }) => jobId);
