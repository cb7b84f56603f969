import { sql } from 'kysely';
import { statement, type Tx } from '#engines/database/work.ts';

/** Domains that are nobody's on the internet (RFC 2606): whoever can be reached by email does not have an account there. */
const demoAddress = String.raw`'@(localhost|(.+\.)?example\.(com|net|org)|.+\.(example|test|invalid|localhost))$'`;

const demosEnded = statement<{ wasAdmin: boolean }>(
  'demo_accounts_ended',
  `with gone as (update users set status = 'suspended', handle = null, has_public_page = false where email ~ ${demoAddress}
  and status in ('pending', 'active', 'limited') returning id),
passwords as (delete from auth_accounts a using users u where u.id = a.user_id and u.email ~ ${demoAddress}),
roles as (delete from user_roles r using users u where u.id = r.user_id and u.email ~ ${demoAddress} returning r.user_id)
select exists (select from roles r where r.user_id = g.id) as "wasAdmin" from gone g`,
);

/**
 * Ends the accounts of a demo and of whoever else stands under an address that nobody has: suspended, without a password, a
 * handle or a role.
 */
export async function endDemoAccounts(tx: Tx): Promise<{ accounts: number; admins: number }> {
  const rows = await tx.query(demosEnded, []);
  return { accounts: rows.length, admins: rows.filter(({ wasAdmin }) => wasAdmin).length };
}

/** Tables of who is signed in, and of links and codes that an email brought. */
const proofs = [
  'auth_verifications',
  'email_tokens',
  'known_browsers',
  'buyer_recovery_tokens',
  'buyer_browsers',
  'pass_codes',
  'request_codes',
  'gate_codes',
  'link_reminders',
] as const;

/**
 * Ends every session and what was proven by an email: in a sandbox others may have read the emails.
 * @returns how many sessions there were
 */
export async function endProofs(tx: Tx): Promise<number> {
  for (const table of proofs) await tx.db.deleteFrom(table).execute();
  await tx.db.deleteFrom('gate_passes').where('gate', '=', 'email').execute();
  await tx.db
    .updateTable('viewers')
    .set({ email_verified_at: null })
    .where('email_verified_at', 'is not', null)
    .execute();
  const { numDeletedRows } = await tx.db.deleteFrom('auth_sessions').executeTakeFirst();
  return Number(numDeletedRows);
}

/** Revokes invitations that still have a place: in a sandbox others may have read their links. @returns how many there were */
export async function revokeInvitations(tx: Tx, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('join_tokens')
    .set({ revoked_at: now })
    .where('kind', '=', 'creator_comp')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('claims_count', '<', 'max_claims')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Lists who is an administrator, by address. */
export async function listAdmins(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email from user_roles r join users u on u.id = r.user_id where r.role = 'admin' order by 1 limit 100`.execute(
    tx.db,
  );
  return rows.map(({ email }) => email);
}

const demoLinkForgotten = statement<{ key: string }>(
  'demo_link_forgotten',
  `delete from app_settings s using magic_links l join users u on u.id = l.user_id
where s.key = 'marketing.demoLinkSlug' and s.value #>> '{}' = l.slug and u.status = 'suspended' returning s.key`,
);

/** Takes the link that the home page offers away from there, where it is one of a suspended account. */
export async function forgetDemoLink(tx: Tx): Promise<void> {
  if ((await tx.query(demoLinkForgotten, [])).length > 0) await tx.publish({ kind: 'settings' });
}
