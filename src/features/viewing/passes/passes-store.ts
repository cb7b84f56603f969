import { isConflictOn } from '#engines/database/violations.ts';
import { statement, type Tx } from '#engines/database/work.ts';
import { openMailedCodes } from '../mailed-codes-store.ts';

/** Codes that prove an address to whoever takes a pass. */
export const passCodes = openMailedCodes({ kind: 'pass', table: 'pass_codes', subject: 'token_id' });

/** What a person has been given by a creator before. */
export interface ClaimRow {
  viewerId: string | null;
  until: Date | null;
  /** It still opens something. */
  isRunning: boolean;
}

const claimed = statement<ClaimRow>(
  'pass_claimed',
  `select c.viewer_id as "viewerId", f.period_end as until, coalesce(f.ended_at is null and f.period_end > $4, false) as "isRunning"
from join_claims c left join fan_subscriptions f on f.id = c.fan_subscription_id
where c.creator_id = $1 and (c.person_hash = any($2::bytea[]) or c.viewer_id = $3) order by c.person_hash = any($2::bytea[]) desc limit 1`,
);

/** The pass of a creator that a person has had, by their address or by their browser. */
export const findClaim = async (
  tx: Pick<Tx, 'query'>,
  about: { creatorId: string; personHashes: readonly Buffer[]; viewerId: string | undefined; now: Date },
): Promise<ClaimRow | undefined> =>
  (await tx.query(claimed, [about.creatorId, about.personHashes, about.viewerId ?? null, about.now]))[0];

const claimKept = statement(
  'pass_claim_kept',
  `insert into join_claims (id, token_id, claimed_at, ip_country, creator_id, viewer_id, person_hash, fan_subscription_id)
values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export interface NewClaim {
  id: string;
  passId: string;
  country: string | undefined;
  creatorId: string;
  viewerId: string;
  personHash: Buffer | undefined;
  fanId: string;
  now: Date;
}

/** @throws what `isClaimConflict` knows for a person who has had one */
export async function insertClaim(tx: Tx, claim: NewClaim): Promise<void> {
  const { id, passId, country, creatorId, viewerId, personHash, fanId, now } = claim;
  await tx.query(claimKept, [id, passId, now, country ?? null, creatorId, viewerId, personHash, fanId]);
}

/** Returns whether a unit of work failed because the same person has taken one of this creator's meanwhile. */
export const isClaimConflict = (error: unknown): boolean =>
  isConflictOn(error, 'join_claims_person', 'join_claims_viewer');

const bought = statement(
  'pass_buyer',
  `with proven as (update buyers set verified_at = coalesce(verified_at, $3) where id = $2)
update fan_subscriptions set buyer_id = $2 where id = $1`,
);

/** Whose address it was given to; it has just been proven. */
export async function bindToBuyer(tx: Tx, fanId: string, buyerId: string, now: Date): Promise<void> {
  await tx.query(bought, [fanId, buyerId, now]);
}
