import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { sendMedium } from './queues.ts';
import { undoMs } from './rules.ts';

/**
 * These media of the asking person that are not deleted, held until the transaction ends; always in one order. Whoever locks
 * albums as well locks them after their media, so that two never wait for each other.
 */
export async function lockPresentMedia(tx: Tx, mediaIds: readonly string[]): Promise<string[]> {
  const held = await tx.db
    .selectFrom('media')
    .select('id')
    .where('id', 'in', mediaIds)
    .where('state', '!=', 'deleted')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return held.map(({ id }) => id);
}

/** Takes media out of everything. @returns those that there were to take */
export async function markDeleted(tx: Tx, mediaIds: readonly string[], now: Date): Promise<string[]> {
  const ids = await lockPresentMedia(tx, mediaIds);
  if (ids.length > 0) await tx.db.updateTable('media').set({ deleted_at: now }).where('id', 'in', ids).execute();
  return ids;
}

/** What became of media that were to come back; those that were here already have come as well. */
export interface BroughtBack {
  restored: string[];
  /** The others, each with the sentence that says why not. */
  refused: { mediaId: string; because: 'unknown' | 'over' | 'full'; message: string }[];
}

/**
 * Brings deleted media back into every album that held them: those whose time is not over, whether they were destroyed by now
 * or not, as long as each of their albums has room. What was not finished when it was deleted is begun again.
 */
export async function bringBack(
  engines: Pick<Engines, 'jobs'>,
  tx: Tx,
  mediaIds: readonly string[],
  { now, itemsPerAlbum }: { now: Date; itemsPerAlbum: number },
): Promise<BroughtBack> {
  const ids = [...new Set(mediaIds)];
  const media = await lockMedia(tx, ids);
  const albums = await lockAlbumsOf(tx, ids);
  const outcome: BroughtBack = { restored: [], refused: [] };
  const since = now.getTime() - undoMs;
  for (const mediaId of ids) {
    const medium = media.get(mediaId);
    const theirs = albums.filter(({ held }) => held.has(mediaId));
    const isHere = medium !== undefined && medium.state !== 'deleted' && medium.deleted_at === null;
    const no = isHere ? undefined : whyNot(medium, theirs, since, itemsPerAlbum);
    if (no === undefined) outcome.restored.push(mediaId);
    else outcome.refused.push({ mediaId, ...no });
    if (no === undefined && !isHere) for (const album of theirs) album.count++;
    if (no === undefined && !isHere && medium !== undefined && unfinished.has(medium.state))
      await sendMedium(engines, tx, { mediaId, creatorId: medium.creator_id, kind: medium.kind });
  }
  if (outcome.restored.length > 0)
    await tx.db.updateTable('media').set({ deleted_at: null }).where('id', 'in', outcome.restored).execute();
  return outcome;
}

function whyNot(
  medium: { state: string; deleted_at: Date | null } | undefined,
  albums: readonly { name: string; count: number }[],
  since: number,
  itemsPerAlbum: number,
): Omit<BroughtBack['refused'][number], 'mediaId'> | undefined {
  if (medium === undefined) return { because: 'unknown', message: "It doesn't exist." };
  if (medium.state === 'deleted' || Number(medium.deleted_at) <= since)
    return { because: 'over', message: "It's too late to bring this back." };
  const full = albums.find(({ count }) => count >= itemsPerAlbum);
  return (
    full && { because: 'full', message: `“${full.name}” is full: an album can hold up to ${itemsPerAlbum} items.` }
  );
}

async function lockMedia(tx: Tx, mediaIds: readonly string[]) {
  const rows = await tx.db
    .selectFrom('media')
    .select(['id', 'creator_id', 'kind', 'state', 'deleted_at'])
    .where('id', 'in', mediaIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The albums that hold these media, which of them, and how many items are in each; held until the transaction ends. */
async function lockAlbumsOf(tx: Tx, mediaIds: readonly string[]) {
  const ids = [...mediaIds];
  await sql`select 1 from albums where id in (select album_id from album_items where media_id = any(${ids}::uuid[]))
    order by id for no key update`.execute(tx.db);
  // A statement of its own: what others did while it was waited for counts.
  const { rows } = await sql<{ name: string; count: number; held: string[] }>`
    select a.name, count(*) filter (where m.deleted_at is null)::int as count,
      array_agg(i.media_id) filter (where i.media_id = any(${ids}::uuid[])) as held
    from albums a join album_items i on i.album_id = a.id join media m on m.id = i.media_id
    where a.id in (select album_id from album_items where media_id = any(${ids}::uuid[])) group by a.id order by a.name`.execute(
    tx.db,
  );
  return rows.map(({ name, count, held }) => ({ name, count, held: new Set(held) }));
}

const unfinished = new Set<string>(['uploaded', 'scanning', 'processing']);

/**
 * Notes that media leave the albums that hold them, for the screens on which they are to be seen.
 * @param albumId only this one
 * @returns the albums
 */
export async function noteRemovals(
  tx: Tx,
  mediaIds: readonly string[],
  now: Date,
  albumId?: string,
): Promise<string[]> {
  const { rows } = await sql<{ album_id: string }>`insert into album_departures (album_id, media_id, user_id, at)
    select album_id, media_id, user_id, ${now} from album_items
    where media_id = any(${mediaIds}::uuid[]) and (${albumId ?? null}::uuid is null or album_id = ${albumId ?? null})
    returning album_id`.execute(tx.db);
  return [...new Set(rows.map(({ album_id }) => album_id))];
}

/** Tells the studio and open screens that something left these albums. */
export async function notifyRemovals(tx: Tx, creatorId: string, albumIds: readonly string[]): Promise<void> {
  for (const albumId of albumIds) await tx.publish({ kind: 'album.itemsGone', creatorId, albumId });
}

/** Forgets removals that no screen is older than. */
export async function forgetRemovals(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('album_departures').where('at', '<', before).execute();
}
