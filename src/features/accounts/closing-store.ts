import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import { dayMs } from '#kit/time.ts';
import { forgetInvitations } from './joining/invitations-store.ts';
import { forgetMeasured } from './visits-store.ts';

/** Closes an account at once: what is known of the person goes, only the address stays until it is erased. */
export async function closeAccount(tx: Tx, userId: string, eraseAt: Date): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({
      status: 'deleted',
      erase_at: eraseAt,
      display_name: '',
      handle: null,
      bio: null,
      country: null,
      time_zone: 'UTC',
      birth_date: null,
      marketing_consent_at: null,
      two_factor: 'none',
    })
    .where('id', '=', userId)
    .execute();
  for (const table of [
    'auth_accounts',
    'email_tokens',
    'email_changes',
    'user_devices',
    'lead_captures',
    'visit_events',
    'conversion_events',
    'app_locks',
    'second_factors',
    'passkeys',
    'backup_codes',
  ] as const)
    await tx.db.deleteFrom(table).where('user_id', '=', userId).execute();
}

/** Accounts whose time has come, and addresses that were never confirmed. */
export async function listAccountsToErase(
  tx: Tx,
  { now, unconfirmedBefore, limit }: { now: Date; unconfirmedBefore: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    (select id from users where erase_at <= ${now} limit ${limit}) union
    (select id from users where not email_verified and created_at < ${unconfirmedBefore} limit ${limit})`.execute(
    tx.db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Holds an account until the transaction ends, if its time has still come: somebody may have confirmed the address, or kept the
 * account, since it was listed.
 */
export async function holdToErase(
  tx: Tx,
  id: string,
  { now, unconfirmedBefore }: { now: Date; unconfirmedBefore: Date },
): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${id}
    and (erase_at <= ${now} or (not email_verified and created_at < ${unconfirmedBefore})) for update`.execute(tx.db);
  return rows.length === 1;
}

/** Holds an account whose address nobody has confirmed. @returns false when somebody has */
export async function holdUnconfirmed(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${id} and not email_verified for update`.execute(tx.db);
  return rows.length === 1;
}

/** Erases an account that never held media; its rows go with it. */
export async function eraseAccount(tx: Tx, userId: string): Promise<void> {
  const email = sql<string>`(select email from users where id = ${userId})`;
  await tx.db.deleteFrom('lead_captures').where('email', '=', email).execute();
  await tx.db.deleteFrom('users').where('id', '=', userId).execute();
}

/** Forgets what has ended long ago: links and codes, sessions, wrong passwords, browsers whose cookie is over, leads, visits and invitations of a year. */
export async function forgetEnded(tx: Tx, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  await tx.db.deleteFrom('email_tokens').where('expires_at', '<', before(1)).execute();
  await tx.db
    .deleteFrom('email_changes')
    .where((where) => where.fn.coalesce('undo_expires_at', 'code_expires_at'), '<', before(1))
    .execute();
  await tx.db.deleteFrom('auth_sessions').where('expires_at', '<', before(1)).execute();
  await tx.db.deleteFrom('sign_in_tries').where('last_at', '<', before(1)).execute();
  await tx.db.deleteFrom('known_browsers').where('last_at', '<', before(400)).execute();
  await tx.db.deleteFrom('lead_captures').where('created_at', '<', before(365)).execute();
  await forgetInvitations(tx, before(365));
  await forgetMeasured(tx, before(365));
}
