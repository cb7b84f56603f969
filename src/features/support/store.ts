import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import { drawNumber } from '#features/audit/numbers.ts';
import { newId } from '#kit/ids.ts';
import { hourMs } from '#kit/time.ts';

export interface NewSupportRequest {
  name: string;
  email: string;
  subject: string;
  message: string;
  userId: string | undefined;
  now: Date;
}

/** Keeps what somebody wrote. @returns its number, and whether it is to be mailed to the address that was given */
export async function insertSupportRequest(
  tx: Tx,
  { userId, now, ...written }: NewSupportRequest,
): Promise<{ number: number; isToBeMailed: boolean }> {
  // Two requests with one address at the same moment are one email.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`support ${written.email}`}, 0))`.execute(tx.db);
  const known = await tx.db
    .selectFrom('support_requests')
    .select('id')
    .where('email', '=', written.email)
    .where('acknowledged_at', '>', new Date(now.getTime() - hourMs))
    .limit(1)
    .executeTakeFirst();
  const isToBeMailed = known === undefined;
  const row = {
    ...written,
    id: newId<'supportRequest'>(now.getTime()),
    user_id: userId ?? null,
    created_at: now,
    acknowledged_at: isToBeMailed ? now : null,
  };
  const number = await drawNumber((drawn) =>
    tx.db
      .insertInto('support_requests')
      .values({ ...row, number: drawn })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .returning('number')
      .executeTakeFirst(),
  );
  return { number, isToBeMailed };
}

export type SupportStatus = 'pending' | 'open' | 'answered' | 'closed';

export interface StoredSupportRequest {
  number: number;
  status: SupportStatus;
  name: string;
  email: string;
  subject: string;
  message: string;
  userId: string | null;
  createdAt: Date;
}

const columns = [
  'number',
  'status',
  'name',
  'email',
  'subject',
  'message',
  'user_id as userId',
  'created_at as createdAt',
] as const;

/** What is not closed: what nobody has answered before what was answered, the oldest first. */
export async function listWaitingRequests(tx: Tx, limit: number): Promise<StoredSupportRequest[]> {
  return tx.db
    .selectFrom('support_requests')
    .select(columns)
    .where('status', '!=', 'closed')
    .orderBy((eb) => eb('status', '=', 'answered'))
    .orderBy('created_at')
    .limit(limit)
    .$castTo<StoredSupportRequest>()
    .execute();
}

export async function findSupportRequest(tx: Tx, number: number): Promise<StoredSupportRequest | undefined> {
  return tx.db
    .selectFrom('support_requests')
    .select(columns)
    .where('number', '=', number)
    .$castTo<StoredSupportRequest>()
    .executeTakeFirst();
}

export async function setSupportStatus(tx: Tx, number: number, status: SupportStatus): Promise<void> {
  await tx.db.updateTable('support_requests').set({ status }).where('number', '=', number).execute();
}

/** Forgets what was written before a moment. */
export async function forgetSupportRequests(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('support_requests').where('created_at', '<', before).execute();
}
