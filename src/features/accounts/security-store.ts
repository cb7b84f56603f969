import { sql } from 'kysely';
import { statement, type Tx } from '#engines/database/work.ts';

export type Purpose = 'confirm' | 'password';

export interface NewProof {
  id: string;
  /** Left out where nobody is to be let in by it: a known address on sign-up, an unknown one on a reset. */
  userId: string | undefined;
  purpose: Purpose;
  tokenHash: Buffer;
  codeHash: Buffer;
  browserHash: Buffer;
  /** The invitation that a sign-up came by. */
  invitationId?: string | undefined;
  now: Date;
  codeExpiresAt: Date;
  expiresAt: Date;
}

/** Keeps the hashes of a link and a code that are about to be mailed. */
export async function insertProof(tx: Tx, proof: NewProof): Promise<void> {
  await tx.db
    .insertInto('email_tokens')
    .values({
      id: proof.id,
      user_id: proof.userId ?? null,
      purpose: proof.purpose,
      token_hash: proof.tokenHash,
      code_hash: proof.codeHash,
      browser_hash: proof.browserHash,
      join_token_id: proof.invitationId ?? null,
      code_expires_at: proof.codeExpiresAt,
      expires_at: proof.expiresAt,
      created_at: proof.now,
    })
    .execute();
}

export interface ProofRow {
  id: string;
  userId: string | null;
  browserHash: Buffer;
  codeHash: Buffer;
  /** Wrong codes so far, the present one included. */
  tries: number;
}

/** The living link of a token. */
export const findProofByToken = (
  tx: Tx,
  tokenHash: Buffer,
  purpose: Purpose,
  now: Date,
): Promise<ProofRow | undefined> =>
  tx.db
    .selectFrom('email_tokens')
    .select(['id', 'user_id as userId', 'browser_hash as browserHash', 'code_hash as codeHash', 'tries'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export interface LastAsk {
  purpose: Purpose;
  browserHash: Buffer;
  invitationId: string | null;
  at: Date;
}

/** What an account last asked to have mailed and has not used: its confirmation or a new password. */
export const findLastAsk = (tx: Tx, userId: string): Promise<LastAsk | undefined> =>
  tx.db
    .selectFrom('email_tokens')
    .select(['purpose', 'browser_hash as browserHash', 'join_token_id as invitationId', 'created_at as at'])
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .$castTo<LastAsk>()
    .executeTakeFirst();

const codeTried = statement<ProofRow>(
  'code_tried',
  `update email_tokens set tries = tries + 1
   where id = (select id from email_tokens where browser_hash = $1 and purpose = $2 order by created_at desc, id desc limit 1)
     and used_at is null and code_expires_at > $3 and tries < $4
   returning id, user_id as "userId", browser_hash as "browserHash", code_hash as "codeHash", tries`,
);

/** Counts one try at the newest code that this browser asked for, before it is compared; nothing when none may be tried. */
export async function tryCode(
  tx: Tx,
  browserHash: Buffer,
  purpose: Purpose,
  { now, triesMax }: { now: Date; triesMax: number },
): Promise<ProofRow | undefined> {
  const [row] = await tx.query(codeTried, [browserHash, purpose, now, triesMax]);
  return row;
}

/** A right code is no wrong try. */
export async function untryCode(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('email_tokens')
    .set(({ eb }) => ({ tries: eb('tries', '-', 1) }))
    .where('id', '=', id)
    .where('tries', '>', 0)
    .execute();
}

/**
 * Spends a link or code, and with it every other one for the same.
 * @returns the invitation that it was asked for with, if any; false when somebody was quicker
 */
export async function spendProof(tx: Tx, id: string, now: Date): Promise<{ invitationId: string | undefined } | false> {
  const spent = await tx.db
    .updateTable('email_tokens')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id', 'purpose', 'join_token_id as invitationId'])
    .executeTakeFirst();
  if (spent === undefined) return false;
  await tx.db
    .updateTable('email_tokens')
    .set({ used_at: now })
    .where('user_id', '=', spent.user_id)
    .where('purpose', '=', spent.purpose)
    .where('used_at', 'is', null)
    .execute();
  return { invitationId: spent.invitationId ?? undefined };
}

export interface Tries {
  wrong: number;
  lastAt: Date;
}

/** The wrong passwords of an address, held until the transaction ends so that tries come one after another. */
export async function holdTries(tx: Tx, key: string, now: Date): Promise<Tries | undefined> {
  const { rows } = await sql<Tries & { isNew: boolean }>`
    insert into sign_in_tries as t (key, wrong, last_at) values (${key}, 1, ${now})
    on conflict (key) do update set wrong = t.wrong returning wrong, last_at as "lastAt", xmax = 0 as "isNew"`.execute(
    tx.db,
  );
  const [row] = rows;
  return row === undefined || row.isNew ? undefined : { wrong: row.wrong, lastAt: row.lastAt };
}

/** Writes the count of a try that may be made. */
export async function writeTries(tx: Tx, key: string, { wrong, lastAt }: Tries): Promise<void> {
  await tx.db.updateTable('sign_in_tries').set({ wrong, last_at: lastAt }).where('key', '=', key).execute();
}

/** A right password: the wrong ones before it are forgotten. */
export async function forgetTries(tx: Tx, key: string): Promise<void> {
  await tx.db.deleteFrom('sign_in_tries').where('key', '=', key).execute();
}

const browserKnown = statement<{ isKnown: boolean }>(
  'browser_known',
  `select exists (select from known_browsers b join users u on u.id = b.user_id
     where b.secret_hash = $1 and u.email = $2) as "isKnown"`,
);

/** Returns whether the account of this address was signed in to from a browser. */
export async function findKnownBrowser(source: Pick<Tx, 'query'>, secretHash: Buffer, email: string): Promise<boolean> {
  const [row] = await source.query(browserKnown, [secretHash, email]);
  return row?.isKnown === true;
}

const browserNoted = statement(
  'browser_noted',
  `insert into known_browsers (secret_hash, user_id, first_at, last_at) values ($1, $2, $3, $3)
   on conflict (secret_hash, user_id) do update set last_at = excluded.last_at`,
);

/** Notes that somebody signed in from a browser. */
export async function noteBrowser(tx: Tx, secretHash: Buffer, userId: string, now: Date): Promise<void> {
  await tx.query(browserNoted, [secretHash, userId, now]);
}

/** Knows none of a person's browsers any more: one of them may be in other hands. */
export async function forgetBrowsersOf(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('known_browsers').where('user_id', '=', userId).execute();
}

export interface OwnSession {
  id: string;
  userAgent: string | null;
  country: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

/** A person's sessions that have not ended, last used first. */
export const listSessions = (tx: Tx, userId: string, now: Date): Promise<OwnSession[]> =>
  tx.db
    .selectFrom('auth_sessions')
    .select(['id', 'user_agent as userAgent', 'country', 'created_at as createdAt', 'updated_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();

/** Said when a session of somebody has ended before its time, so that what it has open ends with it. */
export const sessionEnded = 'session.ended';

/** Ends the session of a token. */
export async function deleteSession(tx: Tx, token: string): Promise<void> {
  const query = tx.db.deleteFrom('auth_sessions').where('token', '=', token).returning('user_id');
  const ended = await query.executeTakeFirst();
  if (ended !== undefined) await tx.publish({ kind: sessionEnded, creatorId: ended.user_id });
}

/** Ends one session of a person. @returns false when they have none with that id */
export async function deleteOwnSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const query = tx.db.deleteFrom('auth_sessions').where('id', '=', id).where('user_id', '=', userId);
  if ((await query.returning('id').executeTakeFirst()) === undefined) return false;
  await tx.publish({ kind: sessionEnded, creatorId: userId });
  return true;
}

/** Ends every session of a person, or all but one. */
export async function deleteSessionsOf(tx: Tx, userId: string, exceptId?: string): Promise<void> {
  const all = tx.db.deleteFrom('auth_sessions').where('user_id', '=', userId);
  await (exceptId === undefined ? all : all.where('id', '<>', exceptId)).execute();
  await tx.publish({ kind: sessionEnded, creatorId: userId });
}

/** Returns whether a session of the asking person has not been ended meanwhile. */
export async function isSessionThere(tx: Tx, sessionId: string): Promise<boolean> {
  const row = await tx.db.selectFrom('auth_sessions').select('id').where('id', '=', sessionId).executeTakeFirst();
  return row !== undefined;
}

/** Keeps that somebody was about to sign up. */
export async function insertLead(
  tx: Tx,
  lead: {
    id: string;
    vid: string | undefined;
    email: string;
    source: string;
    pagePath: string | undefined;
    utm: Record<string, string> | undefined;
    referrer: string | undefined;
    userAgent: string;
    now: Date;
  },
): Promise<void> {
  await tx.db
    .insertInto('lead_captures')
    .values({
      id: lead.id,
      vid: lead.vid ?? null,
      email: lead.email,
      source: lead.source,
      page_path: lead.pagePath ?? null,
      utm: lead.utm === undefined ? null : JSON.stringify(lead.utm),
      referrer: lead.referrer ?? null,
      user_agent: lead.userAgent,
      created_at: lead.now,
    })
    .execute();
}
