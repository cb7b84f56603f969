import { sql } from 'kysely';
import type { Database } from '#engines/database/database.ts';
import { isConflictOn } from '#engines/database/violations.ts';
import { statement, statementPlannedOnce, type Tx } from '#engines/database/work.ts';
import type { AdminScope } from '#wire/promise.ts';
import { lockAfterMs, type SessionRole, type SessionTimes, type SetupStep, type StoredAccount } from './rules.ts';

export interface SessionRow extends StoredAccount, SessionTimes, SessionRole {
  sessionId: string;
  userId: string;
  /** Of an administrator's account, whether or not they have its rights in this session. */
  adminScopes: AdminScope[];
  hasAppLock: boolean;
  awayAt: Date | null;
  /** Until when the cookie's earlier name counts; null for sessions that never had it. */
  earlierCookieUntil: Date | null;
}

const sessionByToken = statementPlannedOnce<SessionRow>(
  'session_by_token',
  `select s.id as "sessionId", s.user_id as "userId", s.created_at as "createdAt", s.updated_at as "updatedAt",
     s.expires_at as "expiresAt", u.status, u.email_verified as "emailVerified", u.setup_step as "setupStep",
     u.is_free_user as "isFreeUser", u.free_until as "freeUntil", u.subscription_status as "subscriptionStatus",
     u.trial_ends_at as "trialEndsAt", s.away_at as "awayAt",
     s.earlier_cookie_until as "earlierCookieUntil", s.code_at as "codeAt", u.two_factor <> 'none' as "hasSecondFactor",
     exists (select 1 from app_locks k where k.user_id = u.id) as "hasAppLock",
     r.user_id is not null as "isAdmin", coalesce(r.scopes, '{}') as "adminScopes"
   from auth_sessions s join users u on u.id = s.user_id
     left join user_roles r on r.user_id = u.id and r.role = 'admin'
   where s.token = $1`,
);

/** The session of a token whose signature is ours, with all that says what its person may do. */
export async function findSession(database: Database, token: string): Promise<SessionRow | undefined> {
  const [row] = await database.query(sessionByToken, [token]);
  return row;
}

const sessionsAlive = statement<{ id: string }>(
  'sessions_alive',
  `select s.id from auth_sessions s join users u on u.id = s.user_id
   where s.id = any($1::uuid[]) and s.expires_at > $2 and u.status <> 'deleted'
     and not (s.away_at is not null and s.away_at <= $3 and exists (select 1 from app_locks k where k.user_id = u.id))`,
);

/** Which of these sessions have neither ended nor been locked. */
export async function listAliveSessions(database: Database, ids: readonly string[], now: Date): Promise<string[]> {
  const lockedBefore = new Date(now.getTime() - lockAfterMs);
  return (await database.query(sessionsAlive, [ids, now, lockedBefore])).map(({ id }) => id);
}

const sessionTouched = statement(
  'session_touched',
  'update auth_sessions set updated_at = $2, expires_at = $3 where id = $1 and updated_at < $2',
);

/** Notes a session's use and moves its end. */
export async function touchSession(database: Database, id: string, now: Date, expiresAt: Date): Promise<void> {
  await database.query(sessionTouched, [id, now, expiresAt]);
}

export interface MeRow {
  email: string;
  displayName: string;
  handle: string | null;
  bio: string | null;
  avatarName: string | null;
  hasPublicPage: boolean;
  country: string | null;
  timeZone: string;
  locale: string;
  setupStep: SetupStep;
  subscriptionStatus: string | null;
  trialEndsAt: Date | null;
  planIsPaused: boolean;
  planPausedUntil: Date | null;
  freeUntil: Date | null;
  homeScreenWizardCompleted: boolean;
  homeScreenSkips: number;
  homeScreenSkippedAt: Date | null;
  hasAppLock: boolean;
  hasSecondFactor: boolean;
  /** They are an administrator without a second factor, and have none of an administrator's rights until there is one. */
  needsSecondFactor: boolean;
  storageUsedBytes: number;
  /** Beyond the plan, for a time. */
  storageExtraBytes: number;
  suiteUser: boolean;
  isBeta: boolean;
  hasPassword: boolean;
  birthDate: string | null;
  wantsNews: boolean;
}

const meOf = statement<MeRow>(
  'me_of_user',
  `select u.email, u.display_name as "displayName", u.handle, u.bio, u.country, u.time_zone as "timeZone", u.locale,
     u.avatar_name as "avatarName", u.has_public_page as "hasPublicPage",
     u.setup_step as "setupStep", u.subscription_status as "subscriptionStatus", u.trial_ends_at as "trialEndsAt",
     u.plan_is_paused as "planIsPaused", u.plan_paused_until as "planPausedUntil",
     u.free_until as "freeUntil", u.home_screen_wizard_completed as "homeScreenWizardCompleted",
     u.home_screen_wizard_skips as "homeScreenSkips", u.home_screen_wizard_skipped_at as "homeScreenSkippedAt",
     exists (select 1 from app_locks k where k.user_id = u.id) as "hasAppLock",
     u.two_factor <> 'none' as "hasSecondFactor",
     u.two_factor = 'none' and exists (select 1 from user_roles r where r.user_id = u.id and r.role = 'admin') as "needsSecondFactor",
     u.storage_used_bytes as "storageUsedBytes",
     coalesce((select sum(x.bytes) from storage_extras x where x.user_id = u.id and x.created_at <= $2 and x.ends_at > $2), 0)::bigint as "storageExtraBytes",
     coalesce(e.suite_user, false) as "suiteUser",
     coalesce(e.is_beta, false) as "isBeta", u.birth_date as "birthDate", u.marketing_consent_at is not null as "wantsNews",
     exists (select 1 from auth_accounts a where a.user_id = u.id and a.provider_id = 'credential') as "hasPassword"
   from users u left join user_entitlements e on e.user_id = u.id where u.id = $1`,
);

/** All that a person's own pages show of them. @param now for storage that they have for a time; left out, none of it counts */
export async function findMe(database: Database, userId: string, now?: Date): Promise<MeRow | undefined> {
  const [row] = await database.query(meOf, [userId, now ?? null]);
  return row;
}

/** Whose address it is. */
export async function findUserIdByEmail(tx: Tx, email: string): Promise<string | undefined> {
  const user = await tx.db.selectFrom('users').select('id').where('email', '=', email.toLowerCase()).executeTakeFirst();
  return user?.id;
}

export interface Account {
  id: string;
  email: string;
  status: string;
  emailVerified: boolean;
  setupStep: SetupStep;
  timeZone: string;
  isFreeUser: boolean;
  freeUntil: Date | null;
  passwordHash: string | null;
}

const accountBy = (tx: Tx) =>
  tx.db
    .selectFrom('users as u')
    .leftJoin('auth_accounts as a', (join) =>
      join.onRef('a.user_id', '=', 'u.id').on('a.provider_id', '=', 'credential'),
    )
    .select(['u.id', 'u.email', 'u.status', 'u.email_verified as emailVerified', 'u.setup_step as setupStep'])
    .select(['u.time_zone as timeZone', 'u.is_free_user as isFreeUser', 'u.free_until as freeUntil'])
    .select('a.password as passwordHash');

/** An account with its stored password, by its address. */
export const findAccountByEmail = (tx: Tx, email: string): Promise<Account | undefined> =>
  accountBy(tx).where('u.email', '=', email).executeTakeFirst();

/** An account with its stored password. */
export const findAccount = (tx: Tx, userId: string): Promise<Account | undefined> =>
  accountBy(tx).where('u.id', '=', userId).executeTakeFirst();

/** An account that nobody else changes until the transaction ends, as whoever changed it last has left it. */
export async function holdAccount(tx: Tx, userId: string): Promise<Account | undefined> {
  await tx.db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  return findAccount(tx, userId);
}

/** Notes an address that wants to join; one that is known stays as it is. */
export async function insertPendingUser(tx: Tx, user: { id: string; email: string; now: Date }): Promise<void> {
  const { id, email, now } = user;
  await tx.db
    .insertInto('users')
    .values({ id, email, created_at: now, age_confirmed_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
}

/** The address is proven to be theirs: leads left with it are theirs as well. @returns whether it was proven for the first time */
export async function markEmailVerified(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('users')
    .set({ email_verified: true, email_verified_at: now })
    .where('id', '=', userId)
    .where('email_verified', '=', false)
    .executeTakeFirst();
  await tx.db
    .updateTable('lead_captures')
    .set({ user_id: userId })
    .where('user_id', 'is', null)
    .where('email', '=', sql<string>`(select email from users where id = ${userId})`)
    .execute();
  return numUpdatedRows === 1n;
}

/** Notes a sign-in and its kind of device. @returns whether the account had been used before, but never from such a one there */
export async function noteSignIn(
  tx: Tx,
  { userId, device, country, now }: { userId: string; device: string; country: string | undefined; now: Date },
): Promise<boolean> {
  await tx.db.updateTable('users').set({ last_login_at: now }).where('id', '=', userId).execute();
  const { rows } = await sql<{ isNew: boolean; known: number }>`
    with seen as (select count(*)::integer as known from user_devices where user_id = ${userId})
    insert into user_devices (user_id, device, country, first_seen_at, last_seen_at)
    values (${userId}, ${device}, ${country ?? ''}, ${now}, ${now})
    on conflict (user_id, device, country) do update set last_seen_at = excluded.last_seen_at
    returning xmax = 0 as "isNew", (select known from seen) as known`.execute(tx.db);
  const [row] = rows;
  return Boolean(row?.isNew && row.known > 0);
}

/** Returns whether somebody else has the handle. */
export async function isHandleTaken(tx: Tx, handle: string, userId: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('users')
    .select('id')
    .where('handle', '=', handle)
    .where('id', '<>', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether a unit of work failed because somebody else was quicker with the handle. */
export const isHandleConflict = (error: unknown): boolean => isConflictOn(error, 'users_handle_key');

/** Changes what a person shows of themselves. */
export async function updateProfile(
  tx: Tx,
  userId: string,
  profile: { displayName: string; handle: string; bio: string; country: string; timeZone: string },
): Promise<void> {
  const { displayName, handle, bio, country, timeZone } = profile;
  await tx.db
    .updateTable('users')
    .set({ display_name: displayName, handle, bio, country, time_zone: timeZone })
    .where('id', '=', userId)
    .execute();
}

/** Makes a person an administrator, or changes what they may do as one. @returns false when nobody has the address */
export async function makeAdmin(tx: Tx, email: string, scopes: readonly AdminScope[] = ['owner']): Promise<boolean> {
  const { rows } = await sql`
    insert into user_roles (user_id, role, scopes) select id, 'admin', ${[...scopes]} from users where email = ${email.toLowerCase()}
    on conflict (user_id, role) do update set scopes = excluded.scopes returning 1`.execute(tx.db);
  return rows.length > 0;
}

/** Takes an administrator's role away. @returns false when they have none */
export async function endAdmin(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('user_roles')
    .where('user_id', '=', userId)
    .where('role', '=', 'admin')
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Lists who is an administrator, and what they may do. */
export const listAdmins = (tx: Tx): Promise<{ email: string; scopes: string[]; hasSecondFactor: boolean }[]> =>
  tx.db
    .selectFrom('user_roles as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['u.email', 'r.scopes', sql<boolean>`u.two_factor <> 'none'`.as('hasSecondFactor')])
    .where('r.role', '=', 'admin')
    .orderBy('u.email')
    .execute();

/** Returns how many accounts there are. */
export async function countUsers(tx: Tx): Promise<number> {
  const { n } = await tx.db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Ends a trial at an instant; what follows from it is decided by the rules. */
export async function endTrial(tx: Tx, userId: string, at: Date): Promise<void> {
  await tx.db.updateTable('users').set({ trial_ends_at: at }).where('id', '=', userId).execute();
}
