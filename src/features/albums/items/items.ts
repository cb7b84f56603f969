import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import {
  bringBack,
  lockPresentMedia,
  markDeleted,
  noteRemovals,
  notifyRemovals,
} from '#features/media/deletions-store.ts';
import { undoMs } from '#features/media/rules.ts';
import { showMedium } from '#features/media/to-api.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { albumsContract } from '../contract.ts';
import { undoUntil } from '../rules.ts';
import { findAlbum, publishAlbumsOf } from '../store.ts';
import { insertItems, type LockedOrder, lockOrder } from './items-store.ts';
import { carryOver, listDeletedItems, listPresent, takeOut } from './leaving-store.ts';

const answer = implement(albumsContract).$context<Context>();

/** @throws NOT_FOUND when the album is somebody else's or unknown */
async function requireAlbum(tx: Tx, albumId: string): Promise<void> {
  if ((await findAlbum(tx, albumId)) === undefined) throw refuse('NOT_FOUND');
}

/** An album that is there and takes photos. @throws NOT_FOUND or CONFLICT */
function checkTakes<Album extends { state: string }>(album: Album | undefined): Album {
  if (album === undefined) throw refuse('NOT_FOUND');
  if (album.state === 'deleting' || album.state === 'locked')
    throw refuse('CONFLICT', { message: 'This album is archived or deleted. Restore it first.' });
  return album;
}

/** Holds photos that are to go somewhere: whoever deletes one of them waits, or was first. @throws NOT_FOUND */
async function holdPhotos(tx: Tx, mediaIds: readonly string[]): Promise<void> {
  if ((await lockPresentMedia(tx, mediaIds)).length < new Set(mediaIds).size) throw refuse('NOT_FOUND');
}

/** Locks an album that is to take more items. @throws CONFLICT when it takes none, or not so many */
async function lockForMore(tx: Tx, albumId: string, mediaIds: readonly string[], limit: number): Promise<LockedOrder> {
  const album = checkTakes(await lockOrder(tx, albumId));
  const isMore = mediaIds.some((id) => !album.alive.has(id));
  if (isMore && new Set([...album.alive, ...mediaIds]).size > limit)
    throw refuse('CONFLICT', { message: `An album can hold up to ${limit} items.` });
  return album;
}

/** What comes into albums, goes out of them, and comes back. */
export const itemAnswers = {
  addItems: answer.addItems.use(requireCreator).handler(async ({ context, input }) => {
    const settings = await settingsOf(context.engines);
    const { creator, now } = context;
    const { albumId, mediaIds } = input;
    return context.work(async (tx) => {
      await requireAlbum(tx, albumId);
      await holdPhotos(tx, mediaIds);
      const { alive } = await lockForMore(tx, albumId, mediaIds, settings['limits.itemsPerAlbum']);
      const fresh = [...new Set(mediaIds)].filter((id) => !alive.has(id));
      if ((await insertItems(tx, albumId, creator.userId, fresh, now)) < fresh.length) throw refuse('NOT_FOUND');
      for (const mediaId of fresh) await publishAlbumsOf(tx, mediaId, now);
      await tx.publish({ kind: 'album.changed', creatorId: creator.userId, albumId });
      return {};
    });
  }),
  moveItems: answer.moveItems.use(requireCreator).handler(async ({ context, input }) => {
    const settings = await settingsOf(context.engines);
    const { creator, now } = context;
    const { albumId: from, toAlbumId: to, mediaIds } = input;
    return context.work(async (tx) => {
      await requireAlbum(tx, from);
      if (from === to) throw refuse('CONFLICT', { message: "They're already in this album." });
      await holdPhotos(tx, mediaIds);
      // Always in the same order, so that two that move photos to and fro wait and do not block each other.
      const lock = (albumId: string) =>
        albumId === from ? lockOrder(tx, from) : lockForMore(tx, to, mediaIds, settings['limits.itemsPerAlbum']);
      const albums = new Map<string, LockedOrder | undefined>();
      for (const albumId of [from, to].toSorted()) albums.set(albumId, await lock(albumId));
      const source = albums.get(from);
      if (source === undefined || mediaIds.some((id) => !source.alive.has(id))) throw refuse('NOT_FOUND');
      await carryOver(tx, { from, to, mediaIds, now });
      for (const mediaId of mediaIds) await publishAlbumsOf(tx, mediaId, now);
      await notifyRemovals(tx, creator.userId, [from]);
      await tx.publish({ kind: 'album.changed', creatorId: creator.userId, albumId: to });
      return {};
    });
  }),
  removeItems: answer.removeItems.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      await requireAlbum(tx, input.albumId);
      const outcome = await takeOut(tx, input.albumId, input.mediaIds, context.now);
      await notifyRemovals(tx, context.creator.userId, [input.albumId]);
      return outcome;
    }),
  ),
  deleteItems: answer.deleteItems.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      await requireAlbum(tx, input.albumId);
      const present = await listPresent(tx, input.albumId, input.mediaIds);
      if (present.length < new Set(input.mediaIds).size) throw refuse('NOT_FOUND');
      const deleted = await markDeleted(tx, present, context.now);
      await notifyRemovals(tx, context.creator.userId, await noteRemovals(tx, deleted, context.now));
      return { undoUntil: undoUntil(context.now) };
    }),
  ),
  deletedItems: answer.deletedItems.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      await requireAlbum(tx, input.albumId);
      const rows = await listDeletedItems(tx, input.albumId, new Date(context.now.getTime() - undoMs));
      return rows.map((row) => ({
        ...showMedium(row),
        caption: row.caption,
        undoUntil: undoUntil(row.deleted_at ?? context.now),
      }));
    }),
  ),
  restoreItems: answer.restoreItems.use(requireCreator).handler(async ({ context, input }) => {
    const { now, engines, creator } = context;
    const itemsPerAlbum = (await settingsOf(engines))['limits.itemsPerAlbum'];
    const { albumId, mediaIds } = input;
    return context.work(async (tx) => {
      checkTakes(await findAlbum(tx, albumId));
      const present = await listPresent(tx, albumId, mediaIds);
      if (present.length === 0) throw refuse('NOT_FOUND');
      const known = mediaIds.filter((id) => present.includes(id));
      const { restored, refused } = await bringBack(engines, tx, known, { now, itemsPerAlbum });
      if (restored.length === 0) throw refuse('CONFLICT', { message: refused[0]?.message ?? '' });
      for (const mediaId of restored) await publishAlbumsOf(tx, mediaId, now);
      await tx.publish({ kind: 'album.changed', creatorId: creator.userId, albumId });
      const strange = mediaIds.filter((id) => !present.includes(id));
      return {
        restored,
        refused: [
          ...refused.map(({ mediaId, message }) => ({ mediaId, message })),
          ...strange.map((mediaId) => ({ mediaId, message: "It isn't in this album." })),
        ],
      };
    });
  }),
};
