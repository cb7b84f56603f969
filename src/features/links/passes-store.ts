import { statement, type Tx } from '#engines/database/work.ts';
import type { StoredAccount } from '#features/accounts/rules.ts';

/** A pass as its creator sees it. */
export interface PassRow {
  id: string;
  tokenHash: Buffer;
  label: string;
  tierId: string;
  tierName: string;
  isOffered: boolean;
  days: number;
  places: number;
  claims: number;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

const columns = `k.id, k.token_hash as "tokenHash", k.label, k.tier_id as "tierId", t.name as "tierName", t.slot is not null as "isOffered", k.days,
  k.max_claims as places, k.claims_count as claims, k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt"`;
const joined = `join_tokens k join fan_tiers t on t.id = k.tier_id`;

const ofCreator = statement<PassRow>(
  'passes_of_creator',
  `select ${columns} from ${joined} where k.creator_id = $1 order by k.created_at desc, k.id desc limit 200`,
);

/** A creator's passes, newest first, ended ones too. */
export const listPasses = (tx: Tx, creatorId: string): Promise<PassRow[]> => tx.query(ofCreator, [creatorId]);

const one = statement<PassRow>(
  'pass_of_creator',
  `select ${columns} from ${joined} where k.id = $1 and k.creator_id = $2`,
);

export const findPass = async (tx: Tx, id: string, creatorId: string): Promise<PassRow | undefined> =>
  (await tx.query(one, [id, creatorId]))[0];

const inserted = statement<{ id: string }>(
  'pass_inserted',
  `insert into join_tokens (id, kind, token_hash, label, days, max_claims, created_at, expires_at, creator_id, tier_id)
select $1, 'fan_pass', $2, $3, $4, $5, $6, $7, $8, $9
where (select count(*) from join_tokens k where k.creator_id = $8 and k.revoked_at is null and k.expires_at > $6 and k.claims_count < k.max_claims) < $10
returning id`,
);

export interface NewPass {
  id: string;
  tokenHash: Buffer;
  label: string;
  days: number;
  places: number;
  creatorId: string;
  tierId: string;
  now: Date;
  expiresAt: Date;
}

/** @returns false when as many are open as may be */
export async function insertPass(tx: Tx, pass: NewPass, mostOpen: number): Promise<boolean> {
  const { id, tokenHash, label, days, places, creatorId, tierId, now, expiresAt } = pass;
  const values = [id, tokenHash, label, days, places, now, expiresAt, creatorId, tierId, mostOpen];
  return (await tx.query(inserted, values)).length === 1;
}

const revoked = statement(
  'pass_revoked',
  'update join_tokens set revoked_at = coalesce(revoked_at, $3) where id = $1 and creator_id = $2 returning id',
);

/** Ends a pass. @returns false when they have none of this name */
export const revokePass = async (tx: Tx, id: string, creatorId: string, now: Date): Promise<boolean> =>
  (await tx.query(revoked, [id, creatorId, now])).length === 1;

/** A pass as whoever holds its address may know it. */
export interface OfferedPass extends StoredAccount {
  id: string;
  creatorId: string;
  creatorName: string;
  avatarName: string | null;
  tierId: string;
  tierName: string;
  benefits: string;
  days: number;
}

const offered = statement<OfferedPass>(
  'pass_offered',
  `select k.id, k.creator_id as "creatorId", u.display_name as "creatorName", u.avatar_name as "avatarName", t.id as "tierId",
  t.name as "tierName", t.benefits, k.days, u.status, u.email_verified as "emailVerified", u.setup_step as "setupStep",
  u.is_free_user as "isFreeUser", u.free_until as "freeUntil", u.subscription_status as "subscriptionStatus",
  u.trial_ends_at as "trialEndsAt", exists (select from user_roles r where r.user_id = u.id and r.role = 'admin') as "isAdmin"
from ${joined} join users u on u.id = k.creator_id
where k.token_hash = $1 and k.kind = 'fan_pass' and k.revoked_at is null and k.expires_at > $2 and k.claims_count < k.max_claims
  and t.slot is not null`,
);

/** The pass of a secret while it has a place; nothing for every way in which it has none. */
export const findOfferedPass = async (
  source: Pick<Tx, 'query'>,
  tokenHash: Buffer,
  now: Date,
): Promise<OfferedPass | undefined> => (await source.query(offered, [tokenHash, now]))[0];

const placeTaken = statement<{ days: number }>(
  'pass_place_taken',
  `update join_tokens k set claims_count = k.claims_count + 1
where k.id = $1 and k.revoked_at is null and k.expires_at > $2 and k.claims_count < k.max_claims
  and exists (select from fan_tiers t where t.id = k.tier_id and t.slot is not null) returning k.days`,
);

/** Takes one of a pass's places. @returns for how many days; nothing when none is left, or it has ended */
export const takePassPlace = async (tx: Tx, id: string, now: Date): Promise<number | undefined> =>
  (await tx.query(placeTaken, [id, now]))[0]?.days;
