import { statement, type Tx } from '#engines/database/work.ts';

export interface VersionRow {
  version: number;
  at: Date;
  creatorId: string;
  byUser: string | null;
  policy: unknown;
  expiresAt: Date | null;
  /** Null in versions from before it was written down. */
  passwordVersion: number | null;
  /** Null of the first version. */
  policyBefore: unknown;
  expiresBefore: Date | null;
  passwordVersionBefore: number | null;
}

const ofLink = `select p.version, p.at, p.user_id as "creatorId", p.by_user as "byUser", p.policy, p.expires_at as "expiresAt",
  p.password_version as "passwordVersion", b.policy as "policyBefore", b.expires_at as "expiresBefore",
  b.password_version as "passwordVersionBefore"
from link_policy_log p left join link_policy_log b on b.link_id = p.link_id and b.version = p.version - 1
where p.link_id = $1 and p.user_id = $2`;

const versions = statement<VersionRow>(
  'link_versions',
  `${ofLink} and ($3::int is null or p.version < $3) order by p.version desc limit $4`,
);

const chosen = statement<VersionRow>('link_versions_chosen', `${ofLink} and p.version = any($3::int[])`);

/** These versions of the rules of a creator's link. */
export const findVersions = (
  tx: Tx,
  { linkId, creatorId, numbers }: { linkId: string; creatorId: string; numbers: readonly number[] },
): Promise<VersionRow[]> => tx.query(chosen, [linkId, creatorId, numbers]);

/** Versions of the rules of a creator's link, newest first; none of somebody else's. */
export const listVersions = (
  tx: Tx,
  params: { linkId: string; creatorId: string; beforeVersion: number | undefined; limit: number },
): Promise<VersionRow[]> =>
  tx.query(versions, [params.linkId, params.creatorId, params.beforeVersion ?? null, params.limit]);
