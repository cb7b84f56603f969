import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { insertAudit } from '#features/audit/store.ts';
import { noteRemovals } from '#features/media/deletions-store.ts';
import { showMedium } from '#features/media/to-api.ts';
import { endSales } from '#features/sales/ending.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { requireCreator, requireSetUp, requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { type Album, type AlbumItem, albumsContract } from './contract.ts';
import { itemAnswers } from './items/items.ts';
import { type ItemRow, listItems, lockOrder, saveOrder, updateItem } from './items/items-store.ts';
import { arrange, cutPage, readCursor, undoUntil } from './rules.ts';
import { findSold } from './sold-store.ts';
import { readMarks } from './staging.ts';
import {
  type AlbumChange,
  type AlbumRow,
  countAlbums,
  findAlbum,
  insertAlbum,
  listAlbums,
  lockAccount,
  lockAlbum,
  moveAlbum,
  publishAlbum,
  updateAlbum,
} from './store.ts';
import { listOpenUploads } from './uploads-store.ts';

const answer = implement(albumsContract).$context<Context>();

function show(row: AlbumRow): Album {
  const { cover_id, cover_kind, cover_thumbhash, cover_width, cover_height } = row;
  const cover =
    cover_id && cover_kind && cover_thumbhash && cover_width && cover_height
      ? {
          mediaId: cover_id,
          kind: cover_kind,
          thumbhash: cover_thumbhash.toString('base64'),
          width: cover_width,
          height: cover_height,
        }
      : null;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    state: row.state,
    cover,
    photoCount: Number(row.photo_count ?? 0),
    videoCount: Number(row.video_count ?? 0),
    pendingCount: Number(row.pending_count ?? 0),
    isProtected: row.is_protected,
    priceCents: row.price_cents,
    allowsTips: row.allow_tips,
    watermarkVisible: row.watermark_visible,
    watermarkText: row.watermark_text,
    contentRating: row.content_rating ?? 'general',
    teaserCount: row.teaser === 'none' ? 0 : row.teaser_count,
    takesRequests: row.allow_custom_requests,
    peopleConsent: row.people_said_at === null ? null : row.people_consent,
    consentGap: row.consent_gap,
    sort: row.sort,
    linkCount: Number(row.link_count ?? 0),
    earnedCents: Number(row.earned_cents ?? 0),
    createdAt: row.created_at,
    deleteAt: row.delete_at,
  };
}

const showItem = (row: ItemRow): AlbumItem => ({
  ...showMedium(row),
  caption: row.caption,
  isHidden: row.hidden,
  isSensitive: row.sensitive,
  isInTeaser: !row.not_in_teaser,
  addedAt: row.added_at,
});

const teaserOf = (count: number | undefined): Pick<AlbumChange, 'teaser' | 'teaser_count'> =>
  count === undefined ? {} : { teaser: count === 0 ? 'none' : 'blur', teaser_count: count };

/** The album as it is now. @throws NOT_FOUND when it is somebody else's or unknown */
async function shown(tx: Tx, albumId: string): Promise<Album> {
  const row = await findAlbum(tx, albumId);
  if (row === undefined) throw refuse('NOT_FOUND');
  return show(row);
}

/** Moves the album and tells open screens; NOT_FOUND for somebody else's, CONFLICT for a state that cannot go there. */
async function move(
  { engines }: Pick<Context, 'engines'>,
  tx: Tx,
  creatorId: string,
  albumId: string,
  from: readonly string[],
  to: Parameters<typeof moveAlbum>[3],
): Promise<Album> {
  await lockAlbum(tx, albumId);
  const before = await shown(tx, albumId);
  const after = { ...to, ...(to.state === 'deleting' && { state_before: before.state }) };
  if (!(await moveAlbum(tx, albumId, from, after))) throw refuse('CONFLICT');
  await insertAudit(tx, {
    actor: { type: 'creator', id: creatorId },
    action: `album.${to.state}`,
    target: { type: 'album', id: albumId },
  });
  const isOpen = to.state === 'ready' || to.state === 'draft';
  await tx.publish({ kind: isOpen ? 'album.changed' : 'album.closed', creatorId, albumId });
  if (to.state === 'deleting') await endSales(engines, tx, { albumIds: [albumId] });
  return shown(tx, albumId);
}

/** @throws CONFLICT when the account has as many albums as it may */
async function checkRoom(tx: Tx, limit: number): Promise<void> {
  if ((await countAlbums(tx)) >= limit)
    throw refuse('CONFLICT', { message: `You've reached the limit of ${formatCount(limit, 'album')}.` });
}

export const albumsApi = answer.router({
  ...itemAnswers,
  list: answer.list.use(requireSetUp).handler(({ context, input }) =>
    context.work(async (tx) => {
      const rows = await listAlbums(tx, { ...input, after: readCursor(input.cursor), limit: input.limit + 1 });
      const { page, nextCursor } = cutPage(rows, input.limit, ({ id, name, created_at }) => ({
        at: input.sort === 'name' ? name : created_at.toISOString(),
        id,
      }));
      return { albums: page.map(show), nextCursor };
    }),
  ),
  create: answer.create.use(requireCreator).handler(async ({ context, input }) => {
    const { creator, now, engines } = context;
    const settings = await settingsOf(engines);
    const id = newId<'album'>(now.getTime());
    const creation = creationOf(context, creator.userId, 'albums.create', input);
    return context.work(async (tx) => {
      const made = await makeOnce(tx, creation, id, async () => {
        await lockAccount(tx, creator.userId);
        await checkRoom(tx, settings['limits.albums']);
        await insertAlbum(tx, { id, userId: creator.userId, now, ...input });
        await tx.publish({ kind: 'album.changed', creatorId: creator.userId, albumId: id });
      });
      return shown(tx, made);
    });
  }),
  one: answer.one.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      const album = await shown(tx, input.albumId);
      const items = (await listItems(tx, album.id, album.sort)).map(showItem);
      return { album, items, sold: await findSold(tx, context.engines.payments.realm, album.id, context.now) };
    }),
  ),
  update: answer.update.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      const { albumId, name, description, sort } = input;
      const change = {
        name,
        description,
        sort,
        is_protected: input.isProtected,
        allow_tips: input.allowsTips,
        watermark_visible: input.watermarkVisible,
        watermark_text: input.watermarkText,
        content_rating: input.contentRating,
        ...teaserOf(input.teaserCount),
        allow_custom_requests: input.takesRequests,
      };
      if (!(await updateAlbum(tx, albumId, change))) throw refuse('NOT_FOUND');
      await tx.publish({ kind: 'album.changed', creatorId: context.creator.userId, albumId });
      return shown(tx, albumId);
    }),
  ),
  reorder: answer.reorder.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      const present = await lockOrder(tx, input.albumId);
      if (present === undefined) throw refuse('NOT_FOUND');
      const order = arrange(present.order, input.mediaIds);
      if (order === undefined) throw refuse('CONFLICT');
      await saveOrder(tx, input.albumId, order);
      await tx.publish({ kind: 'album.changed', creatorId: context.creator.userId, albumId: input.albumId });
      return {};
    }),
  ),
  setCover: answer.setCover.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      const present = await lockOrder(tx, input.albumId);
      if (!present?.alive.has(input.mediaId)) throw refuse('NOT_FOUND');
      await updateAlbum(tx, input.albumId, { cover_media_id: input.mediaId });
      return shown(tx, input.albumId);
    }),
  ),
  editItem: answer.editItem.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      const { albumId, mediaId, caption, isHidden, isSensitive, isInTeaser } = input;
      const not_in_teaser = isInTeaser === undefined ? undefined : !isInTeaser;
      const change = { caption, hidden: isHidden, sensitive: isSensitive, not_in_teaser };
      if (!(await updateItem(tx, albumId, mediaId, change))) throw refuse('NOT_FOUND');
      if (isHidden) await noteRemovals(tx, [mediaId], context.now, albumId);
      const kind = isHidden ? 'album.itemsGone' : 'album.changed';
      await tx.publish({ kind, creatorId: context.creator.userId, albumId });
      const item = (await listItems(tx, albumId, 'manual')).find(({ id }) => id === mediaId);
      if (item === undefined) throw refuse('NOT_FOUND');
      return showItem(item);
    }),
  ),
  archive: answer.archive
    .use(requireCreator)
    .handler(({ context, context: { work, creator, now }, input }) =>
      work((tx) =>
        move(context, tx, creator.userId, input.albumId, ['ready'], { state: 'archived', archived_at: now }),
      ),
    ),
  unarchive: answer.unarchive
    .use(requireCreator)
    .handler(({ context, context: { work, creator }, input }) =>
      work((tx) =>
        move(context, tx, creator.userId, input.albumId, ['archived'], { state: 'ready', archived_at: null }),
      ),
    ),
  remove: answer.remove.use(requireCreator).handler(({ context, context: { work, creator, now }, input }) =>
    work((tx) =>
      move(context, tx, creator.userId, input.albumId, ['draft', 'ready', 'archived', 'locked'], {
        state: 'deleting',
        delete_at: undoUntil(now),
      }),
    ),
  ),
  restore: answer.restore.use(requireCreator).handler(async ({ context, input }) => {
    const { work, creator, now, engines } = context;
    const limit = (await settingsOf(engines))['limits.albums'];
    return work(async (tx) => {
      await lockAccount(tx, creator.userId);
      await lockAlbum(tx, input.albumId);
      const row = await findAlbum(tx, input.albumId);
      // Its time is over at the instant, whether the job has been by or not.
      if (row === undefined || (row.delete_at !== null && row.delete_at <= now)) throw refuse('NOT_FOUND');
      if (row.state === 'deleting') await checkRoom(tx, limit);
      const state = (row.state_before ?? 'draft') as 'draft' | 'ready' | 'archived' | 'locked';
      await move(context, tx, creator.userId, input.albumId, ['deleting'], {
        state,
        state_before: null,
        delete_at: null,
      });
      await publishAlbum(tx, input.albumId, now);
      return shown(tx, input.albumId);
    });
  }),
  openUploads: answer.openUploads.use(requireSignIn).handler(({ context, input }) =>
    context.work(async (tx) => {
      await shown(tx, input.albumId);
      const { dataDir } = context.engines.installation;
      const open = await listOpenUploads(tx, dataDir, input.albumId, context.now);
      return Promise.all(open.map(async (one) => ({ ...one, ...(await readMarks(dataDir, one.uploadId)) })));
    }),
  ),
});
