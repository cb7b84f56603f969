import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import { isUuid } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import type { AuditRow, AuditSearch } from '../desk-contract.ts';

export interface AuditQuery extends AuditSearch {
  /** Only entries with a lower number. */
  before?: number | undefined;
  limit: number;
}

/** Finds entries of the audit log, the newest first. */
export async function findEntries(
  tx: Tx,
  { id, action, actor, from, to, before, limit }: AuditQuery,
): Promise<AuditRow[]> {
  let query = tx.db
    .selectFrom('audit_log')
    .select([
      'id',
      'at',
      'actor_type as actor',
      'actor_id as actorId',
      'action',
      'target_type as targetType',
      'target_id as targetId',
      'details',
      'request_id as requestId',
    ])
    .orderBy('id', 'desc')
    .limit(limit);
  const sought = id?.trim() ?? '';
  if (sought !== '')
    query = query.where((where) =>
      where.or([
        where('request_id', '=', sought),
        ...(isUuid(sought) ? [where('actor_id', '=', sought), where('target_id', '=', sought)] : []),
      ]),
    );
  const word = action?.trim() ?? '';
  if (word !== '') query = query.where(sql<boolean>`starts_with(action, ${word})`);
  if (actor !== undefined) query = query.where('actor_type', '=', actor);
  if (from !== undefined) query = query.where('at', '>=', new Date(from));
  if (to !== undefined) query = query.where('at', '<', new Date(Date.parse(to) + dayMs));
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query.execute()) as AuditRow[];
}
