import { cutPage } from '#features/albums/rules.ts';
import { nameViewer } from '#features/links/viewer-names.ts';
import type { AlbumSale } from './album-sales-contract.ts';
import type { Dispute, LookingNow, Overview, VideoSums, Viewer, Visit } from './contract.ts';
import type { AlbumSaleRow } from './reading/album-sales-store.ts';
import type { FiguresRow, PartsRow } from './reading/overview-store.ts';
import type { VideoRow } from './reading/videos-store.ts';
import { isAlive, listDays, lookedMsNow, weekOf, whyNotCounted } from './rules.ts';
import type { ScreenRow, ViewerRow, VisitRow } from './store.ts';

/** Where from and on what, without the rest of the row. */
const showFrom = ({ country, isCountryEstimated, device, browser, app }: VisitRow | ViewerRow | ScreenRow) => ({
  country,
  isCountryEstimated,
  device,
  browser,
  app,
});

const showDispute = ({ dispute }: VisitRow | ViewerRow): Dispute =>
  dispute && { at: new Date(dispute.at), state: dispute.state };

/** The figures of a span: days without anything are zeros, and the whole is the sum of its days. */
export function showOverview(figures: FiguresRow, parts: PartsRow | undefined, days: number): Overview {
  const known = new Map((figures.days ?? []).map((day) => [day.day, day]));
  const list = listDays(figures.today, days).map((day) => known.get(day) ?? { day, opens: 0, views: 0, watchMs: 0 });
  const sum = (name: 'opens' | 'views' | 'watchMs') => list.reduce((total, day) => total + day[name], 0);
  return {
    hasBegun: figures.hasBegun,
    figures: {
      opens: sum('opens'),
      views: sum('views'),
      watchMs: sum('watchMs'),
      uniqueViewers: figures.uniqueViewers,
      newViewers: figures.newViewers,
      screensClosed: figures.screensClosed,
    },
    days: list,
    links: parts?.links ?? [],
    albums: parts?.albums ?? [],
    items: parts?.items ?? [],
    countries: parts?.countries ?? [],
    devices: parts?.devices ?? [],
    apps: parts?.apps ?? [],
    hours: weekOf(parts?.hours ?? []),
    timeZone: figures.timeZone,
  };
}

/** One visit as its creator sees it. */
export function showVisit(row: VisitRow, aliveSince: Date): Visit {
  const { visitId, viewerId, linkId, linkName, recipientName, startedAt, endedAt, endReason, watchMs, itemsSeen } = row;
  const { givenName, suspectReason, state } = row;
  const isCounted = row.isCounted && suspectReason === null;
  return {
    visitId,
    viewerId,
    linkId,
    linkName,
    recipientName,
    startedAt,
    endedAt,
    endReason,
    watchMs,
    itemsSeen,
    ...showFrom(row),
    viewerName: suspectReason === 'own' ? 'You' : nameViewer(viewerId, givenName),
    isCounted,
    isLookingNow: suspectReason === null && isAlive(row, aliveSince),
    notCounted: whyNotCounted({ suspectReason, isCounted, isOpen: state === 'open' }) ?? null,
    dispute: showDispute(row),
  };
}

const endOfVisit = ({ startedAt, visitId }: Pick<VisitRow, 'startedAt' | 'visitId'>) => ({
  at: startedAt.toISOString(),
  id: visitId,
});

/** A page of visits out of one row more than it may have. */
export function showVisits(
  rows: readonly VisitRow[],
  limit: number,
  aliveSince: Date,
): { visits: Visit[]; nextCursor: string | null } {
  const { page, nextCursor } = cutPage(rows, limit, endOfVisit);
  return { visits: page.map((row) => showVisit(row, aliveSince)), nextCursor };
}

/** A page of viewers out of one row more than it may have. */
export function showViewers(
  rows: readonly ViewerRow[],
  limit: number,
  currency: string,
): { viewers: Viewer[]; nextCursor: string | null } {
  const { page, nextCursor } = cutPage(rows, limit, endOfVisit);
  return { viewers: page.map((row) => showViewer(row, currency)), nextCursor };
}

const showViewer = (row: ViewerRow, currency: string): Viewer => {
  const { viewerId, givenName, isRenamed, isBlocked, risk, visits, views, watchMs, lastSeenAt, links, spentCents } =
    row;
  return {
    viewerId,
    isRenamed,
    isBlocked,
    risk,
    visits,
    views,
    watchMs,
    lastSeenAt,
    links,
    spentCents,
    currency,
    ...showFrom(row),
    name: nameViewer(viewerId, givenName),
    dispute: showDispute(row),
  };
};

/** An open screen with the exact picture on it. */
export function showScreen(row: ScreenRow, now: Date, renewMs: number): LookingNow {
  const { visitId, viewerId, givenName, linkId, linkName, recipientName, albumName, watchMs, lastHeartbeatAt } = row;
  return {
    visitId,
    viewerId,
    linkId,
    linkName,
    recipientName,
    albumName: albumName ?? '',
    ...showFrom(row),
    viewerName: nameViewer(viewerId, givenName),
    picture: pictureOf(row),
    lookedMs: lookedMsNow(watchMs, lastHeartbeatAt, now, renewMs),
  };
}

function pictureOf({ mediaId, kind, thumbhash, width, height, place, count }: ScreenRow): LookingNow['picture'] {
  if (mediaId === null || kind === null || thumbhash === null || width === null || height === null) return null;
  return {
    mediaId,
    kind,
    width,
    height,
    thumbhash: thumbhash.toString('base64'),
    place: place ?? 1,
    count: count ?? 1,
  };
}

/** A video with its plays. */
export const showVideo = ({ thumbhash, ...video }: VideoRow): VideoSums => ({
  ...video,
  kind: 'video',
  thumbhash: thumbhash.toString('base64'),
});

/** A payment as the creator sees it, under their own name for whoever paid. */
export function showAlbumSale(row: AlbumSaleRow): AlbumSale {
  const { viewerId, givenName, linkId, linkName, isReturning, state, ...sale } = row;
  return {
    ...sale,
    state: isReturning ? 'returning' : state,
    viewer: viewerId === null ? null : { id: viewerId, name: nameViewer(viewerId, givenName) },
    link: { id: linkId, name: linkName },
  };
}
