import type { Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import type { StoredSupportRequest } from './store.ts';

export interface StoredSupportAnswer {
  id: string;
  text: string;
  createdAt: Date;
}

/** Keeps what was answered. */
export async function insertSupportAnswer(
  tx: Tx,
  { number, adminId, text, now }: { number: number; adminId: string | null; text: string; now: Date },
): Promise<void> {
  await tx.db
    .insertInto('support_answers')
    .columns(['id', 'request_id', 'admin_id', 'text', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('support_requests as s')
        .select(({ val, ref }) => [
          val(newId<'supportAnswer'>(now.getTime())).as('id'),
          ref('s.id').as('request_id'),
          val(adminId).as('admin_id'),
          val(text).as('text'),
          val(now).as('created_at'),
        ])
        .where('s.number', '=', number),
    )
    .execute();
}

/** Lists what was answered, the oldest first. */
export const listSupportAnswers = (tx: Tx, number: number): Promise<StoredSupportAnswer[]> =>
  tx.db
    .selectFrom('support_answers as a')
    .innerJoin('support_requests as s', 's.id', 'a.request_id')
    .select(['a.id', 'a.text', 'a.created_at as createdAt'])
    .where('s.number', '=', number)
    .orderBy('a.created_at')
    .execute();

/** Keeps what somebody wrote once more. */
export async function insertSupportReply(
  tx: Tx,
  { number, text, now }: { number: number; text: string; now: Date },
): Promise<void> {
  await tx.db
    .insertInto('support_replies')
    .columns(['id', 'request_id', 'text', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('support_requests as s')
        .select(({ val, ref }) => [
          val(newId<'supportReply'>(now.getTime())).as('id'),
          ref('s.id').as('request_id'),
          val(text).as('text'),
          val(now).as('created_at'),
        ])
        .where('s.number', '=', number),
    )
    .execute();
}

/** Lists what was written once more, the oldest first. */
export const listSupportReplies = (tx: Tx, number: number): Promise<StoredSupportAnswer[]> =>
  tx.db
    .selectFrom('support_replies as r')
    .innerJoin('support_requests as s', 's.id', 'r.request_id')
    .select(['r.id', 'r.text', 'r.created_at as createdAt'])
    .where('s.number', '=', number)
    .orderBy('r.created_at')
    .execute();

/** Lists what else came from an address, the newest first. */
export const listOtherRequests = (tx: Tx, { number, email }: StoredSupportRequest): Promise<StoredSupportRequest[]> =>
  tx.db
    .selectFrom('support_requests')
    .select(['number', 'status', 'name', 'email', 'subject', 'message', 'user_id as userId', 'created_at as createdAt'])
    .where('email', '=', email)
    .where('number', '<>', number)
    .orderBy('created_at', 'desc')
    .limit(20)
    .$castTo<StoredSupportRequest>()
    .execute();

/** Holds a request until the transaction ends: two people do not answer at once. */
export async function lockSupportRequest(tx: Tx, number: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('support_requests')
    .select('id')
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
