import { statement, type Tx } from '#engines/database/work.ts';

/** What became of media whose stored files are gone. */
export interface Lost {
  /** They have their original, and their pictures are made again when their owner asks for it. */
  pictures: number;
  /** They can be looked at, and no longer downloaded. */
  originals: number;
  /** Nothing is left to make them of. */
  media: number;
}

type Source = Pick<Tx, 'query'>;

const namedFiles = statement<{ path: string }>(
  'named_files',
  'select path from packs union all select path from segment_files union all select original_path from media where original_path is not null',
);

/** Every stored file that a row names: what a whole installation must have. */
export async function listNamedFiles(source: Source): Promise<string[]> {
  return (await source.query(namedFiles, [])).map(({ path }) => path);
}

const namedWithSums = statement<{ path: string; sha256: Buffer | null }>(
  'named_with_sums',
  `select path, sha256 from packs
   union all select path, sha256 from segment_files
   union all select original_path, null from media where original_path is not null`,
);

/** Every stored file that a row names, with the hash that its row knows. */
export const listNamedWithSums = (source: Source): Promise<{ path: string; sha256: Buffer | null }[]> =>
  source.query(namedWithSums, []);

const dropOriginals = statement<{ id: string; state: string }>(
  'drop_lost_originals',
  'update media set original_path = null where original_path = any($1::text[]) returning id, state',
);

/** Pictures that are not there are not waited for: whoever has an original can be tried again. */
const failLost = statement<{ id: string; hasOriginal: boolean }>(
  'fail_lost_media',
  `update media m set state = 'failed', attempts = 0,
     fail_code = case when m.original_path is null then 'UNSUPPORTED' else 'TIMEOUT' end,
     fail_text = case when m.original_path is null then $3 else $4 end
   where m.state in ('uploaded', 'scanning', 'processing', 'ready', 'failed')
     and m.fail_code is distinct from 'HASH_MATCH'
     and (exists (select from packs p left join segment_files s on s.pack_id = p.id
         where p.media_id = m.id and (p.path = any($1::text[]) or s.path = any($1::text[])))
       or (m.id = any($2::uuid[]) and m.state <> 'ready'))
   returning m.id, m.original_path is not null as "hasOriginal"`,
);

const dropPacks = statement(
  'drop_lost_packs',
  `delete from packs where media_id = any($1::uuid[]) or path = any($2::text[])
     or id in (select pack_id from segment_files where path = any($2::text[]))`,
);

/** Makes rows say what is so after files were lost: nothing is shown that is not there, and its owner reads why. */
export async function settleLostFiles(tx: Tx, paths: readonly string[]): Promise<Lost> {
  const dropped = await tx.query(dropOriginals, [paths]);
  const failed = await tx.query(failLost, [
    paths,
    dropped.map(({ id }) => id),
    'This file was lost when the site was restored from a backup. Please upload it again',
    'Its pictures were lost when the site was restored from a backup. Choose “Try again” to recreate them',
  ]);
  const failedIds = new Set(failed.map(({ id }) => id));
  await tx.query(dropPacks, [[...failedIds], paths]);
  return {
    pictures: failed.filter(({ hasOriginal }) => hasOriginal).length,
    originals: dropped.filter(({ id, state }) => state === 'ready' && !failedIds.has(id)).length,
    media: failed.filter(({ hasOriginal }) => !hasOriginal).length,
  };
}
