import { implement } from '@orpc/server';
import { findViewer } from '#features/access/pseudonyms-store.ts';
import { cutPage, readCursor } from '#features/albums/rules.ts';
import { aliveSinceOf } from '#features/links/alive-since.ts';
import { saleCurrency } from '#features/orders/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { secondMs } from '#kit/time.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { insightsContract } from './contract.ts';
import { isOwnAlbum, listAlbumSales, sumAlbumSales } from './reading/album-sales-store.ts';
import { findFunnel } from './reading/funnel-store.ts';
import { findFigures, findParts } from './reading/overview-store.ts';
import { readTimeline } from './reading/timeline.ts';
import { findVideo, listEdges, listVideos } from './reading/videos-store.ts';
import { retentionOf } from './rules.ts';
import {
  isOwnLink,
  listRefused,
  listRobots,
  listScreens,
  listViewers,
  listVisits,
  listVisitsOfLink,
  renameViewer,
} from './store.ts';
import { showAlbumSale, showOverview, showScreen, showVideo, showViewers, showVisits } from './to-api.ts';

const answer = implement(insightsContract).$context<Context>();

const currency = 'usd';

/** One row more than a page has, to know whether another page follows. */
const pageOf = (input: { cursor?: string | undefined; limit: number }, creatorId: string) => ({
  creatorId,
  after: readCursor(input.cursor),
  limit: input.limit + 1,
});

/** What a creator sees of those who look. */
export const insightsApi = {
  overview: answer.overview.use(requireCreator).handler(({ context, input: { days } }) =>
    context.work(async (tx) => {
      const span = { creatorId: context.creator.userId, now: context.now, days };
      const figures = await findFigures(tx, span);
      if (figures === undefined) throw refuse('NOT_FOUND');
      return showOverview(figures, await findParts(tx, span), days);
    }),
  ),
  funnel: answer.funnel.use(requireCreator).handler(({ context: { work, creator, now, engines }, input }) =>
    work(async (tx) => {
      const { linkId, days } = input;
      if (linkId !== undefined && !(await isOwnLink(tx, linkId, creator.userId))) throw refuse('NOT_FOUND');
      return findFunnel(tx, { creatorId: creator.userId, now, days, linkId }, engines.payments.realm);
    }),
  ),
  lookingNow: answer.lookingNow.use(requireCreator).handler(async ({ context, input }) => {
    const { work, creator, now, engines } = context;
    const aliveSince = await aliveSinceOf(context);
    const renewMs = (await settingsOf(engines))['viewing.renewSeconds'] * secondMs;
    const rows = await work((tx) => listScreens(tx, creator.userId, { aliveSince, linkId: input?.linkId }));
    return { screens: rows.map((row) => showScreen(row, now, renewMs)) };
  }),
  viewers: answer.viewers.use(requireCreator).handler(({ context: { work, creator, now, engines }, input }) =>
    work(async (tx) => {
      const params = { ...pageOf(input, creator.userId), now, days: input.days };
      const money = { realm: engines.payments.realm, currency };
      return showViewers(await listViewers(tx, params, money), input.limit, currency);
    }),
  ),
  renameViewer: answer.renameViewer.use(requireCreator).handler(({ context: { work, creator }, input }) =>
    work(async (tx) => {
      const viewerId = await findViewer(tx, creator.userId, input.viewerId);
      if (viewerId === undefined || !(await renameViewer(tx, creator.userId, viewerId, input.name)))
        throw refuse('NOT_FOUND');
      await tx.publish({ kind: 'viewer.renamed', creatorId: creator.userId, viewerId });
      return {};
    }),
  ),
  visits: answer.visits.use(requireCreator).handler(async ({ context, input }) => {
    const { work, creator, now } = context;
    const aliveSince = await aliveSinceOf(context);
    const params = { ...pageOf(input, creator.userId), now, days: input.days };
    return showVisits(await work((tx) => listVisits(tx, 'people', params)), input.limit, aliveSince);
  }),
  notCounted: answer.notCounted.use(requireCreator).handler(async ({ context, input }) => {
    const { work, creator, now } = context;
    const aliveSince = await aliveSinceOf(context);
    return work(async (tx) => {
      const params = { ...pageOf(input, creator.userId), now, days: input.days };
      const visits = showVisits(await listVisits(tx, 'notCounted', params), input.limit, aliveSince);
      // All of them stand before the first visit: they are few, and belong to no moment in between.
      return { ...visits, robots: input.cursor === undefined ? await listRobots(tx, params) : [] };
    });
  }),
  videos: answer.videos.use(requireCreator).handler(({ context: { work, creator, now }, input: { days } }) =>
    work(async (tx) => {
      const rows = await listVideos(tx, { creatorId: creator.userId, now, days });
      return { videos: rows.map(showVideo) };
    }),
  ),
  retention: answer.retention.use(requireCreator).handler(({ context: { work, creator, now }, input }) =>
    work(async (tx) => {
      const span = { creatorId: creator.userId, now, days: input.days };
      const video = await findVideo(tx, span, input.mediaId);
      if (video === undefined) throw refuse('NOT_FOUND');
      return { plays: video.plays, seconds: retentionOf(await listEdges(tx, span, input.mediaId), video.seconds) };
    }),
  ),
  albumSales: answer.albumSales.use(requireCreator).handler(({ context, input }) => {
    const { work, creator, engines } = context;
    const params = { ...pageOf(input, creator.userId), albumId: input.albumId, realm: engines.payments.realm };
    return work(async (tx) => {
      if (!(await isOwnAlbum(tx, params))) throw refuse('NOT_FOUND');
      const rows = await listAlbumSales(tx, params);
      const { page, nextCursor } = cutPage(rows, input.limit, ({ at, orderId }) => ({
        at: at.toISOString(),
        id: orderId,
      }));
      const total = { ...(await sumAlbumSales(tx, params)), currency: saleCurrency };
      return { sales: page.map(showAlbumSale), nextCursor, total };
    });
  }),
  timeline: answer.timeline.use(requireCreator).handler(async ({ context, input: { linkId, cursor, limit } }) => {
    const { work, creator, engines } = context;
    const facts = { realm: engines.payments.realm, aliveSince: await aliveSinceOf(context) };
    return work(async (tx) => {
      if (!(await isOwnLink(tx, linkId, creator.userId))) throw refuse('NOT_FOUND');
      return readTimeline(tx, { creatorId: creator.userId, linkId, after: readCursor(cursor), limit }, facts);
    });
  }),
  visitsOfLink: answer.visitsOfLink.use(requireCreator).handler(async ({ context, input }) => {
    const { work, creator } = context;
    const aliveSince = await aliveSinceOf(context);
    return work(async (tx) => {
      if (!(await isOwnLink(tx, input.linkId, creator.userId))) throw refuse('NOT_FOUND');
      const params = { ...pageOf(input, creator.userId), linkId: input.linkId };
      const visits = showVisits(await listVisitsOfLink(tx, params), input.limit, aliveSince);
      const isFirst = input.cursor === undefined;
      return { ...visits, refused: isFirst ? await listRefused(tx, creator.userId, input.linkId) : [] };
    });
  }),
};
