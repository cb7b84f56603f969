import type { Database } from '#engines/database/database.ts';
import { statement } from '#engines/database/work.ts';

/** Something in an answer that belongs to somebody else. */
export interface ForeignThing {
  kind: string;
  id: string;
}

// By primary keys alone: an id that names nothing here costs a look into each index.
const foreign = statement<ForeignThing>(
  'foreign_things',
  `select 'album' as kind, id from albums where id = any($2::uuid[]) and user_id <> $1
union all select 'link', id from magic_links where id = any($2::uuid[]) and user_id <> $1
union all select 'medium', id from media where id = any($2::uuid[]) and creator_id <> $1
union all select 'visit', id from viewer_sessions where id = any($2::uuid[]) and creator_id <> $1
union all select 'order', id from checkout_orders where id = any($2::uuid[]) and creator_id <> $1
union all select 'request', id from custom_requests where id = any($2::uuid[]) and creator_id <> $1
union all select 'access', id from album_access_requests where id = any($2::uuid[]) and user_id <> $1
union all select 'security event', id from security_events where id = any($2::uuid[]) and creator_id <> $1
union all select 'trace', id from traces where id = any($2::uuid[]) and creator_id <> $1
union all select 'tier', id from fan_tiers where id = any($2::uuid[]) and creator_id <> $1
union all select 'pass', id from join_tokens where id = any($2::uuid[]) and creator_id <> $1
union all select 'preset', id from link_presets where id = any($2::uuid[]) and user_id <> $1
union all select 'person shown', id from co_performers where id = any($2::uuid[]) and user_id <> $1
union all select 'agreement', id from agreements where id = any($2::uuid[]) and user_id <> $1
union all select 'payout', id from payouts where id = any($2::uuid[]) and user_id <> $1
union all select 'session', id from auth_sessions where id = any($2::uuid[]) and user_id <> $1
limit 20`,
);

/** Which of these ids name something that is somebody else's. Read by the system: what hides it from a creator may be what has failed. */
export const findForeignThings = (
  database: Database,
  userId: string,
  ids: readonly string[],
): Promise<ForeignThing[]> => database.query(foreign, [userId, ids]);
