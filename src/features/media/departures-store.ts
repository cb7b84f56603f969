import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { undoMs } from './rules.ts';
import { sendMedium } from './send-medium.ts';

/** Takes media out of everything. @returns those that there were to take */
export async function markDeleted(tx: Tx, mediaIds: readonly string[], now: Date): Promise<string[]> {
  const held = await tx.db
    .selectFrom('media')
    .select('id')
    .where('id', 'in', mediaIds)
    .where('state', '!=', 'deleted')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const ids = held.map(({ id }) => id);
  if (ids.length > 0) await tx.db.updateTable('media').set({ deleted_at: now }).where('id', 'in', ids).execute();
  return ids;
}

/**
 * Brings deleted media back, unless their time is over, whether they were destroyed by now or not. What was not finished when
 * it was deleted is begun anew.
 * @returns who came
 */
export async function bringBack(
  engines: Pick<Engines, 'jobs'>,
  tx: Tx,
  mediaIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.db
    .updateTable('media')
    .set({ deleted_at: null })
    .where('id', 'in', mediaIds)
    .where('state', '!=', 'deleted')
    .where('deleted_at', '>', new Date(now.getTime() - undoMs))
    .returning(['id', 'creator_id', 'kind', 'state'])
    .execute();
  for (const { id: mediaId, creator_id: creatorId, kind, state } of rows)
    if (unfinished.has(state)) await sendMedium(engines, tx, { mediaId, creatorId, kind });
  return rows.map(({ id }) => id);
}

const unfinished = new Set<string>(['uploaded', 'scanning', 'processing']);

/**
 * Notes that media leave the albums that hold them, for the screens on which they are to be seen.
 * @param albumId only this one
 * @returns the albums
 */
export async function noteDepartures(
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
export async function tellDepartures(tx: Tx, creatorId: string, albumIds: readonly string[]): Promise<void> {
  for (const albumId of albumIds) await tx.tell({ kind: 'album.itemsGone', creatorId, albumId });
}

/** Forgets departures that no screen is older than. */
export async function forgetDepartures(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('album_departures').where('at', '<', before).execute();
}
