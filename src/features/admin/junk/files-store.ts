import { statement, type Tx } from '#engines/database/work.ts';
import { dayMs } from '#kit/time.ts';

const expired = statement<{ id: string; bytes: number }>(
  'junk_uploads_expired',
  `select id, bytes from uploads where state = 'open' and expires_at <= $1 and ($3::uuid[] is null or id = any($3::uuid[]))
   order by id limit $2`,
);

/** Lists open uploads whose time is over. @param ids only these */
export const listExpiredUploads = (
  tx: Tx,
  now: Date,
  limit: number,
  ids: readonly string[] | null = null,
): Promise<{ id: string; bytes: number }[]> => tx.query(expired, [now, limit, ids]);

const ended = statement<{ id: string }>(
  'junk_uploads_ended',
  `update uploads set state = 'expired', fail_code = null
   where id = any($1::uuid[]) and state = 'open' and expires_at <= $2 returning id`,
);

/** Ends uploads whose time is over at this very moment. @returns those that it has ended */
export const expireUploads = async (tx: Tx, ids: readonly string[], now: Date): Promise<string[]> =>
  (await tx.query(ended, [ids, now])).map(({ id }) => id);

// A file stands before the row that names it. What is being taken over has an open upload until that very row is there, and what
// is being made ready belongs to a medium of another state; each attempt writes files of its own, so one that was left is never named.
const lost = statement<{ path: string }>(
  'junk_files_lost',
  `select f.path from (
     select path, substring(path from '^media/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/')::uuid as media_id
     from unnest($1::text[]) as path
   ) f left join media m on m.id = f.media_id
   where f.media_id is not null
     and (m.id is null or (m.state in ('ready', 'failed', 'deleted') and m.updated_at < $2))
     and not exists (select from uploads u where u.id = f.media_id and u.state = 'open')
     and not exists (select from packs p where p.path = f.path)
     and not exists (select from segment_files s where s.path = f.path)
     and not exists (select from media o where o.original_path = f.path)
   order by 1`,
);

/** Returns those of these stored files that no row names and none will: all that is known of them is read in one statement. */
export const findLostFiles = async (tx: Tx, paths: readonly string[], now: Date): Promise<string[]> =>
  paths.length === 0 ? [] : (await tx.query(lost, [paths, new Date(now.getTime() - dayMs)])).map(({ path }) => path);
