import { statement, type Tx } from '#engines/database/work.ts';

const kept = statement<{ email: string }>(
  'account_kept',
  `with kept as (
  update account_deletions set state = 'kept', kept_at = $2 where user_id = $1 and state = 'waiting' returning user_id, status_before
)
update users u set status = k.status_before from kept k where u.id = k.user_id and u.status = 'deleting' returning u.email`,
);

/** Ends a deletion that waits, as if it had never been asked for. @returns the account's address; undefined when none waits */
export const markKept = async (tx: Tx, userId: string, now: Date): Promise<string | undefined> =>
  (await tx.query(kept, [userId, now]))[0]?.email;

const revived = statement<{ id: string }>(
  'account_links_revived',
  `update magic_links set is_revoked = false, revoked_at = null, revoked_reason = null, undo_until = null
where user_id = $1 and is_revoked and revoked_reason = 'account_deleted' returning id`,
);

/** Brings back the links that a deletion had revoked. @returns their ids */
export const reviveDeletedLinks = async (tx: Tx, userId: string): Promise<string[]> =>
  (await tx.query(revived, [userId])).map(({ id }) => id);
