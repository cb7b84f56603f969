import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { ErrorEntry, ErrorGroup, FailedMedium } from '../operations-contract.ts';

const mostListed = 100;

/** Lists photos and videos that could not be made ready, the newest first; what is held back for review is none of them. */
export const listFailedMedia = (tx: Tx): Promise<FailedMedium[]> =>
  tx.db
    .selectFrom('media as m')
    .innerJoin('users as u', 'u.id', 'm.creator_id')
    .select(['m.id', 'm.creator_id as creatorId', 'u.email as creatorEmail', 'm.kind', 'm.fail_code as code'])
    .select(['m.fail_text as text', 'm.bytes as sizeBytes', 'm.created_at as createdAt'])
    .where('m.state', '=', 'failed')
    .where('m.deleted_at', 'is', null)
    .orderBy('m.created_at', 'desc')
    .limit(mostListed)
    .$castTo<FailedMedium>()
    .execute();

/** Groups errors since a moment by what they say, those of which there are most first. */
export const groupErrors = (tx: Tx, since: Date): Promise<ErrorGroup[]> =>
  tx.db
    .selectFrom('error_logs')
    .select(['component', 'error_message as message'])
    .select([
      sql<
        ErrorGroup['severity']
      >`(array['warning', 'error', 'critical'])[max(array_position(array['warning', 'error', 'critical'], severity))]`.as(
        'severity',
      ),
      sql<number>`count(*)::int`.as('count'),
      sql<number>`count(distinct coalesce(user_id, session_id))::int`.as('people'),
      sql<Date>`max(created_at)`.as('lastAt'),
      sql<string | null>`(array_agg(request_id order by created_at desc))[1]`.as('requestId'),
    ])
    .where('created_at', '>=', since)
    .groupBy(['component', 'error_message'])
    // What the server itself has met comes first: what browsers send may be made up.
    .orderBy(sql`component in ('server', 'data leak')`, 'desc')
    .orderBy('count', 'desc')
    .orderBy('lastAt', 'desc')
    .limit(mostListed)
    .execute();

/** Finds errors by the id of their request, their own, or their account's. */
export const findErrorsBy = (tx: Tx, id: string): Promise<ErrorEntry[]> =>
  tx.db
    .selectFrom('error_logs')
    .select(['id', 'component', 'error_message as message', 'error_stack as stack', 'severity', 'url'])
    .select(['user_agent as userAgent', 'user_id as userId', 'request_id as requestId', 'created_at as at'])
    .where((eb) =>
      eb.or([
        eb('request_id', '=', id),
        sql<boolean>`id::text = ${id.toLowerCase()}`,
        sql<boolean>`user_id::text = ${id.toLowerCase()}`,
      ]),
    )
    .orderBy('created_at', 'desc')
    .limit(mostListed)
    .$castTo<ErrorEntry>()
    .execute();

/** Whose a medium is. */
export async function findCreatorOf(tx: Tx, mediaId: string): Promise<string | undefined> {
  const row = await tx.db.selectFrom('media').select('creator_id').where('id', '=', mediaId).executeTakeFirst();
  return row?.creator_id;
}
