import { statement, type Tx } from '#engines/database/work.ts';

/** What a creator offers for a monthly price. Amounts are cents of its currency. */
export interface TierRow {
  id: string;
  creatorId: string;
  /** 1 to 3; null when it was stopped. */
  slot: number | null;
  name: string;
  priceCents: number;
  /** What is taken off for 3, 6 and 12 months at once, in percent; null for a length that is not offered. */
  off3: number | null;
  off6: number | null;
  off12: number | null;
  currency: string;
  benefits: string;
  /** Everything that the creator has and adds; otherwise `albumIds`. */
  allFuture: boolean;
  albumIds: string[];
  stoppedAt: Date | null;
  createdAt: Date;
}

const columns = `t.id, t.creator_id as "creatorId", t.slot, t.name, t.price_cents as "priceCents", t.off_3 as off3, t.off_6 as off6, t.off_12 as off12, t.currency, t.benefits,
  t.all_future as "allFuture", t.album_ids as "albumIds", t.stopped_at as "stoppedAt", t.created_at as "createdAt"`;

const byId = statement<TierRow>('tier_by_id', `select ${columns} from fan_tiers t where t.id = $1`);
const active = statement<TierRow>(
  'tiers_active',
  `select ${columns} from fan_tiers t where t.creator_id = $1 and t.slot is not null order by t.price_cents, t.slot`,
);
const everyOne = statement<TierRow>(
  'tiers_all',
  `select ${columns} from fan_tiers t where t.creator_id = $1 order by t.slot nulls last, t.created_at desc, t.id limit 50`,
);

type Source = Pick<Tx, 'query'>;

/** What the months of subscription `f` cost new subscribers of its tier `t`; null for a length that it does not offer any more. */
export const newTermCents = `round(t.price_cents * f.months
  * (100 - case f.months when 3 then t.off_3 when 6 then t.off_6 when 12 then t.off_12 else 0 end) / 100.0)::bigint`;

export const findTier = async (tx: Source, id: string): Promise<TierRow | undefined> => (await tx.query(byId, [id]))[0];

/** What somebody may subscribe to now, the cheapest first. Anybody may know it who knows the creator; ask as the system. */
export const listActiveTiers = (tx: Source, creatorId: string): Promise<TierRow[]> => tx.query(active, [creatorId]);

/** Those that were stopped as well. */
export const listTiers = (tx: Source, creatorId: string): Promise<TierRow[]> => tx.query(everyOne, [creatorId]);

type Changeable =
  | 'id'
  | 'creatorId'
  | 'name'
  | 'priceCents'
  | 'off3'
  | 'off6'
  | 'off12'
  | 'benefits'
  | 'allFuture'
  | 'albumIds';

export type NewTier = Pick<TierRow, Changeable | 'currency'> & { now: Date };

const free = `(select min(s) from generate_series(1, 3) as s where not exists
  (select from fan_tiers o where o.creator_id = $1 and o.slot = s))`;

const inserted = statement<{ id: string }>(
  'tier_inserted',
  `insert into fan_tiers (creator_id, id, slot, name, price_cents, currency, benefits, all_future, album_ids, created_at, off_3, off_6, off_12)
select $1, $2, ${free}, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 where ${free} is not null
on conflict (creator_id, slot) do nothing returning id`,
);

/** @returns false when as many are offered as may be */
export async function insertTier(tx: Tx, tier: NewTier): Promise<boolean> {
  const { id, creatorId, name, priceCents, currency, benefits, allFuture, albumIds, now } = tier;
  const what = [name, priceCents, currency, benefits, allFuture, albumIds];
  const values = [creatorId, id, ...what, now, tier.off3, tier.off6, tier.off12];
  return (await tx.query(inserted, values)).length === 1;
}

const changed = statement<{ id: string }>(
  'tier_changed',
  `update fan_tiers set name = $3, price_cents = $4, benefits = $5, all_future = $6, album_ids = $7, off_3 = $8, off_6 = $9, off_12 = $10
where id = $2 and creator_id = $1 returning id`,
);

/** @returns false when there is none */
export async function changeTier(tx: Tx, tier: Pick<TierRow, Changeable>): Promise<boolean> {
  const { id, creatorId, name, priceCents, benefits, allFuture, albumIds, off3, off6, off12 } = tier;
  const values = [creatorId, id, name, priceCents, benefits, allFuture, albumIds, off3, off6, off12];
  return (await tx.query(changed, values)).length === 1;
}

const stopped = statement<{ id: string }>(
  'tier_stopped',
  'update fan_tiers set slot = null, stopped_at = $3 where id = $2 and creator_id = $1 and slot is not null returning id',
);

/** Nobody subscribes to it any more. @returns false when it was stopped before */
export const stopTier = async (tx: Tx, creatorId: string, id: string, now: Date): Promise<boolean> =>
  (await tx.query(stopped, [creatorId, id, now])).length === 1;

const resumed = statement<{ id: string }>(
  'tier_resumed',
  `update fan_tiers t set slot = ${free}, stopped_at = null
where t.id = $2 and t.creator_id = $1 and t.slot is null and ${free} is not null returning t.id`,
);

/** It is offered again. @returns false when as many are offered as may be */
export const resumeTier = async (tx: Tx, creatorId: string, id: string): Promise<boolean> =>
  (await tx.query(resumed, [creatorId, id])).length === 1;
