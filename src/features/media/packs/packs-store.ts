import { statement, type Tx } from '#engines/database/work.ts';
import type { StoredPack } from '../stored-pack.ts';

/** Whose codeword a grant is; never changes. */
export interface GrantRow {
  creatorId: string;
  /** Left out for a creator's own look and an admin's: their codeword has no link's half. */
  linkId: string | undefined;
}

type Source = Pick<Tx, 'query'>;

const packById = statement<StoredPack>(
  'pack_by_id',
  `select id, creator_id as "creatorId", media_id as "mediaId", rendition, path from packs where id = $1 and segments is null`,
);

/** One pack of tiles by its id, for a process that has not seen it. */
export async function findStoredPack(source: Source, packId: string): Promise<StoredPack | undefined> {
  const [row] = await source.query(packById, [packId]);
  return row;
}

/** The stored files of one rendition of a video. */
export interface TrackFiles {
  creatorId: string;
  /** Its clear beginning. */
  initPath: string;
  /** By slot: the segments, one after another. */
  files: { slot: number; path: string; sizeBytes: number }[];
}

const trackById = statement<TrackFiles>(
  'track_by_id',
  `select p.creator_id as "creatorId", p.path as "initPath",
  (select json_agg(json_build_object('slot', f.slot, 'path', f.path, 'sizeBytes', f.bytes)) from segment_files f where f.pack_id = p.id) as files
from packs p where p.id = $1 and p.segments is not null`,
);

/** One rendition of a video by its id. */
export async function findTrackFiles(source: Source, packId: string): Promise<TrackFiles | undefined> {
  const [row] = await source.query(trackById, [packId]);
  return row;
}

const grantById = statement<{ creatorId: string; linkId: string | null }>(
  'grant_by_id',
  `select g.creator_id as "creatorId", a.link_id as "linkId" from grants g left join link_viewers a on a.id = g.id where g.id = $1`,
);

/** Whose a grant is. */
export async function findGrant(source: Source, grantId: string): Promise<GrantRow | undefined> {
  const [row] = await source.query(grantById, [grantId]);
  return row && { creatorId: row.creatorId, linkId: row.linkId ?? undefined };
}
