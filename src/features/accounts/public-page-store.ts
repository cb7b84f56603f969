import type { Database } from '#engines/database/database.ts';
import { statement } from '#engines/database/work.ts';
import type { StoredAccount } from './rules.ts';

/** What a public page shows, and the standing of the person whose page it is. */
export interface PublicPageRow extends StoredAccount {
  userId: string;
  displayName: string;
  handle: string;
  bio: string | null;
  avatarName: string | null;
}

const publicPageOf = statement<PublicPageRow>(
  'public_page',
  `select u.id as "userId", u.display_name as "displayName", u.handle, u.bio, u.avatar_name as "avatarName", u.status,
     u.email_verified as "emailVerified", u.setup_step as "setupStep", u.is_free_user as "isFreeUser",
     u.free_until as "freeUntil", u.subscription_status as "subscriptionStatus", u.trial_ends_at as "trialEndsAt",
     exists (select from user_roles r where r.user_id = u.id and r.role = 'admin') as "isAdmin"
   from users u where u.handle = $1 and u.has_public_page`,
);

/** The page that somebody has opened under this handle; whether it may be shown is the rules' word. */
export async function findPublicPage(database: Database, handle: string): Promise<PublicPageRow | undefined> {
  const [row] = await database.query(publicPageOf, [handle]);
  return row;
}
