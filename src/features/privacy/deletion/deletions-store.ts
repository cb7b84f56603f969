import { statement, type Tx } from '#engines/database/work.ts';
import type { Certificate, DestroyedKey } from './certificate.ts';

const begun = statement<{ id: string }>(
  'deletion_begun',
  `with leaving as (
  select id, status from users where id = $2 and status not in ('deleting', 'deleted') for no key update
), gone as (
  update users u set status = 'deleting' from leaving l where u.id = l.id
)
insert into account_deletions (id, user_id, asked_by, status_before, asked_at, erase_at) select $1, l.id, $3, l.status, $4, $5 from leaving l
returning id`,
);

/** Notes that an account is to be deleted. @returns false when it is leaving already, or gone */
export async function insertDeletion(
  tx: Tx,
  deletion: { id: string; userId: string; askedBy: 'creator' | 'operator'; askedAt: Date; eraseAt: Date },
): Promise<boolean> {
  const { id, userId, askedBy, askedAt, eraseAt } = deletion;
  return (await tx.query(begun, [id, userId, askedBy, askedAt, eraseAt])).length === 1;
}

export interface Deletion {
  id: string;
  userId: string;
  state: 'waiting' | 'kept' | 'erasing' | 'done';
  askedBy: 'creator' | 'operator';
  askedAt: Date;
  eraseAt: Date;
  erasingSince: Date | null;
  keysDestroyedAt: Date | null;
  filesRemovedAt: Date | null;
  doneAt: Date | null;
  email: string | null;
  certificate: Certificate | null;
}

const columns = `d.id, d.user_id as "userId", d.state, d.asked_by as "askedBy", d.asked_at as "askedAt", d.erase_at as "eraseAt",
  d.erasing_since as "erasingSince", d.keys_destroyed_at as "keysDestroyedAt", d.files_removed_at as "filesRemovedAt", d.done_at as "doneAt",
  d.email, d.certificate`;

const due = statement<{ id: string }>(
  'deletions_due',
  `select id from account_deletions where state in ('waiting', 'erasing') and erase_at <= $1 order by erase_at`,
);

/** Deletions whose grace is over and that are not done. */
export const listDueDeletions = async (tx: Tx, now: Date): Promise<string[]> =>
  (await tx.query(due, [now])).map(({ id }) => id);

// Whoever signs in at this very moment has kept the account, or finds it gone.
const taken = statement(
  'deletion_taken',
  `with taken as (
  update account_deletions d set state = 'erasing', erasing_since = $2, email = u.email from users u
  where d.id = $1 and d.state = 'waiting' and d.erase_at <= $2 and u.id = d.user_id returning d.user_id
), closed as (
  update users u set status = 'deleted', has_public_page = false, handle = null from taken t where u.id = t.user_id
), passwords as (
  delete from auth_accounts a using taken t where a.user_id = t.user_id
)
delete from auth_sessions s using taken t where s.user_id = t.user_id`,
);

/** Begins to erase an account, unless it was kept or begun before: from now on nobody signs in. */
export const takeDeletion = async (tx: Tx, id: string, now: Date): Promise<void> =>
  void (await tx.query(taken, [id, now]));

const found = statement<Deletion>('deletion_found', `select ${columns} from account_deletions d where d.id = $1`);

export const findDeletion = async (tx: Tx, id: string): Promise<Deletion | undefined> =>
  (await tx.query(found, [id]))[0];

const newestOf = statement<Deletion>(
  'deletion_of_account',
  `select ${columns} from account_deletions d where d.user_id = $1 order by d.asked_at desc limit 1`,
);

/** The newest deletion of an account. */
export const findDeletionOf = async (tx: Tx, userId: string): Promise<Deletion | undefined> =>
  (await tx.query(newestOf, [userId]))[0];

const moneyOpen = statement<{ isOpen: boolean }>(
  'deletion_money_open',
  `select exists (select from refunds r where r.creator_id = $1 and r.state = 'pending')
  or exists (select from fan_subscriptions f where f.creator_id = $1 and f.subscription_id is not null and f.ended_at is null and f.retired_at is null)
  or exists (select from platform_subscriptions s where s.user_id = $1 and s.ended_at is null and s.status in ('trialing', 'active', 'past_due', 'unpaid', 'incomplete'))
  or exists (select from payouts p where p.user_id = $1 and p.state in ('created', 'in_transit')) as "isOpen"`,
);

/** Returns whether something of an account's money is on its way still. */
export const isMoneyOnItsWay = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.query(moneyOpen, [userId]))[0]?.isOpen === true;

const destroyed = statement<DestroyedKey>(
  'deletion_keys_destroyed',
  `with held as (
  select id, user_id from account_deletions where id = $1 and state = 'erasing' and keys_destroyed_at is null for update
), own as (
  delete from creator_keys k using held h where k.creator_id = h.user_id returning 'creator' as kind, k.creator_id as id, k.key_id, k.wrapped
), media as (
  delete from media_keys k using held h where k.creator_id = h.user_id returning 'medium' as kind, k.media_id as id, k.key_id, k.wrapped
), copies as (
  delete from trace_keys k using held h where k.creator_id = h.user_id returning 'trace' as kind, k.trace_id as id, k.key_id, k.wrapped
), exports as (
  delete from export_keys k using held h where k.user_id = h.user_id returning 'export' as kind, k.export_id as id, k.key_id, k.wrapped
), factor as (
  delete from second_factors k using held h where k.user_id = h.user_id returning 'second_factor' as kind, k.user_id as id, k.key_id, k.wrapped
)
select k.kind, k.id, k.key_id as "masterKey", encode(sha256(k.wrapped), 'hex') as sha256
from (select * from own union all select * from media union all select * from copies union all select * from exports union all select * from factor) k order by 1, 2`,
);

/** Destroys every wrapped key of an account, all of them or none. @returns what they were, by their hashes */
export const destroyKeys = (tx: Tx, id: string): Promise<DestroyedKey[]> => tx.query(destroyed, [id]);

const keysNoted = statement(
  'deletion_keys_noted',
  'update account_deletions set keys_destroyed_at = $2, certificate = $3 where id = $1 and keys_destroyed_at is null',
);

export const noteKeysDestroyed = async (tx: Tx, id: string, now: Date, certificate: Certificate): Promise<void> =>
  void (await tx.query(keysNoted, [id, now, JSON.stringify(certificate)]));

const stored = statement<{ path: string }>(
  'deletion_stored',
  `select 'media/' || m.id || '/' as path from media m where m.creator_id = $1
union all select 'traces/' || t.id || '/' from traces t where t.creator_id = $1
union all select 'exports/' || e.id || '/' from data_exports e where e.user_id = $1`,
);

/** Where an account's files lie: each place with everything in it. */
export const listStoredPlaces = async (tx: Tx, userId: string): Promise<string[]> =>
  (await tx.query(stored, [userId])).map(({ path }) => path);

const staged = statement<{ id: string }>('deletion_staged', 'select id from uploads where creator_id = $1');

/** Uploads of which files may lie in the staging. */
export const listStagedUploads = async (tx: Tx, userId: string): Promise<string[]> =>
  (await tx.query(staged, [userId])).map(({ id }) => id);

const filesNoted = statement(
  'deletion_files_noted',
  `update account_deletions set files_removed_at = $2, certificate = certificate || jsonb_build_object('files', $3::int) where id = $1 and files_removed_at is null`,
);

export const noteFilesRemoved = async (tx: Tx, id: string, now: Date, files: number): Promise<void> =>
  void (await tx.query(filesNoted, [id, now, files]));

const emptied = statement(
  'deletion_account_emptied',
  `update users set email = $2, email_verified_at = null, display_name = '', image = null, handle = null, bio = null, birth_date = null,
  country = null, time_zone = 'UTC', locale = 'en', marketing_consent_at = null, tos_at = null, tos_version = null, age_confirmed_at = null,
  content_policy_at = null, content_policy_version = null, erase_at = null, setup_step = 'password', is_free_user = false, free_until = null,
  subscription_status = null, trial_ends_at = null, two_factor = 'none', storage_used_bytes = 0, last_login_at = null, risk_level = 'normal',
  plan_paused_until = null, plan_is_paused = false, home_screen_wizard_skipped_at = null, email_verified = true
where id = $1`,
);

/** Empties the row of an account: an id stays, to which the records of its payments belong. */
export const emptyAccount = async (tx: Tx, userId: string, address: string): Promise<void> =>
  void (await tx.query(emptied, [userId, address]));

const done = statement<{ id: string }>(
  'deletion_done',
  `update account_deletions set state = 'done', done_at = $2, email = null where id = $1 and state = 'erasing' returning id`,
);

/** @returns false when another process was quicker */
export const markDone = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.query(done, [id, now])).length === 1;

const wordsErased = statement(
  'deletion_words_erased',
  `update custom_request_events e set text = '' from custom_requests r where r.id = e.request_id and r.creator_id = $1 and e.who = 'creator' and e.text <> ''`,
);

/** Takes what an account wrote about custom work out of its steps, which stay. */
export const eraseWordsOf = async (tx: Tx, userId: string): Promise<void> =>
  void (await tx.query(wordsErased, [userId]));

const madeDue = statement<{ id: string }>(
  'deletion_made_due',
  `update account_deletions set erase_at = least(erase_at, $2) where user_id = $1 and state in ('waiting', 'erasing') returning id`,
);

/** Ends the grace of an account that is leaving. @returns its deletion; undefined when it is not leaving, or gone */
export const makeDeletionDue = async (tx: Tx, userId: string, now: Date): Promise<string | undefined> =>
  (await tx.query(madeDue, [userId, now]))[0]?.id;
