import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { tilesOf } from '#features/media/formats/grid.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import type { Frame } from '#features/media/watermark/mask.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { pseudonymOf } from '../database/viewer-rows.ts';
import { drawUnmarked } from '../media/open-pack.ts';
import { type SeededPhoto, seedAlbum, seedPhoto } from '../media/pictures.ts';
import { advance, type Person, readRow, signUpCreator } from '../people.ts';
import { type Browser, headersOf, newBrowser, type TestApp } from '../test-app.ts';
import { bitsOf, openTile, openViewerApi, type ViewerApi } from '../viewer-api.ts';

/** A link and somebody who came by it. */
export interface Guest {
  linkId: string;
  linkName: string;
  slug: string;
  browser: Browser;
  viewerId: string;
  /** What is on their screen, as a screenshot would hold it, of each photo; empty in a world without pictures. */
  screenshots: Buffer[];
  /** Which variant of each tile they got, of each photo. */
  slots: number[][];
}

/** A creator with photos that are large enough to be traced, and guests who were all shown them. */
export interface LeakWorld {
  app: TestApp;
  viewerApi: ViewerApi;
  creator: Person;
  photos: SeededPhoto[];
  albumId: string;
  /** @param browser theirs; a new one without it */
  invite(linkName: string, slug?: { id: string; slug: string }, browser?: Browser): Promise<Guest>;
}

interface LeakParams {
  count?: number;
  /** What the photos show; paintings without it. */
  frames?: readonly Frame[];
  /** Nobody's screen is drawn: copies are told, not made of pictures. */
  isTold?: boolean;
}

/** Signs a creator up and gives her photos that are large enough to be traced. */
export async function openLeakWorld(
  app: TestApp,
  { count = 1, frames, isTold = false }: LeakParams = {},
): Promise<LeakWorld> {
  const viewerApi = await openViewerApi(app);
  const creator = await signUpCreator(app);
  await freeTraces(app);
  const photos: SeededPhoto[] = [];
  for (const frame of frames ?? Array<undefined>(count).fill(undefined))
    photos.push(await seedPhoto(app, creator.userId, { side: 1200, isAlike: true, ...(frame && { frame }) }));
  const albumId = await seedAlbum(
    app,
    creator.userId,
    photos.map(({ mediaId }) => mediaId),
  );
  return {
    app,
    viewerApi,
    creator,
    photos,
    albumId,
    async invite(linkName, known, browser = newBrowser()) {
      const input = {
        albumIds: [albumId],
        linkName,
        recipientName: linkName,
        rules: { ageGate: false },
        isLaxConfirmed: true,
      };
      const link = known ?? (await app.call('links.create', input, creator.browser)).body;
      advance(app, 1000);
      const { head } = await viewerApi.tap(link.slug, {}, browser);
      const wanted = photos.map(({ mediaId }) => ({ mediaId, rendition: 'p2048' }));
      const { pictures } = await viewerApi.lease(head.visitId, wanted, browser);
      const screenshots = isTold ? [] : await Promise.all(pictures.map(({ pack, keys }) => drawPack(pack, keys)));
      const byVisit = 'select viewer_id from viewer_sessions where id = $1';
      const { viewer_id: viewerId } = await readRow<{ viewer_id: string }>(app, byVisit, [head.visitId]);
      return {
        linkId: link.id,
        linkName,
        slug: link.slug,
        browser,
        viewerId: await pseudonymOf(app, viewerId, creator.userId),
        screenshots,
        slots: pictures.map(({ n, pack }) => bitsOf(pack, photos[n]?.packs.p2048.bytes ?? pack)),
      };
    },
  };
}

/** Nobody here submits so many copies that they cost something. */
export async function freeTraces({ engines }: TestApp): Promise<void> {
  const most = { key: 'credits.freeTraces', value: 10_000, by: null, now: new Date(engines.clock()) } as const;
  await engines.database.work({ kind: 'system' }, (tx) => writeSetting(tx, most));
  while ((await settingsOf(engines))['credits.freeTraces'] !== most.value) await wait(5);
}

/** Draws a composed pack as a browser does, and saves the screen as PNG. */
export async function drawPack(pack: Buffer, keys: Buffer): Promise<Buffer> {
  const header = readPackHeader(pack);
  const tiles = await Promise.all(
    tilesOf(header).map(async ({ index, left, top }) => ({ input: openTile(pack, keys, index), left, top })),
  );
  const { width, height } = header;
  return sharp({ create: { width, height, channels: 3, background: 'black' } })
    .composite(tiles)
    .png({ compressionLevel: 3 })
    .toBuffer();
}

/** Saved again and smaller, as a messenger does it. */
export const resave = async (guest: Guest, quality = 70): Promise<Buffer> =>
  sharp(guest.screenshots[0]).resize(900).jpeg({ quality }).toBuffer();

/** A photo as nobody was ever shown it: the mean of both variants. */
export async function drawWithoutMark({ photos }: LeakWorld, { n = 0, quality = 90 } = {}): Promise<Buffer> {
  const photo = photos[n];
  if (photo === undefined) throw new Error('There are not so many photos.');
  const { bytes } = photo.packs.p2048;
  const header = readPackHeader(bytes);
  const rgb = await drawUnmarked({ track: 'p2048', packId: '', bytes, header }, photo.mediaKey);
  const { width, height } = header;
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}

/** A photo that holds the mark of a guest in a part of its width only. */
export async function drawPartlyMarked(world: LeakWorld, guest: Guest, n: number, share: number): Promise<Buffer> {
  const unmarked = sharp(await drawWithoutMark(world, { n, quality: 98 }));
  const { width = 0, height = 0 } = await unmarked.metadata();
  const part = await sharp(guest.screenshots[n])
    .extract({ left: 0, top: 0, width: Math.round(width * share), height })
    .png()
    .toBuffer();
  return unmarked
    .composite([{ input: part, left: 0, top: 0 }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Hands a copy in, as the page does. */
export async function upload(
  { viewerApi }: Pick<LeakWorld, 'viewerApi'>,
  bytes: Buffer,
  browser: Browser,
  query = '',
): Promise<{ status: number; body: { traceId: string; code?: string; message?: string; data?: object } }> {
  const answer = await viewerApi.fetch(
    `/api/traces${query}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', ...headersOf(browser) } as Record<string, string>,
      body: new Uint8Array(bytes),
    },
    browser,
  );
  return { status: answer.status, body: (await answer.json()) as { traceId: string } };
}

/** Waits until a trace is over. @returns all that may be known of it */
export async function untilTraced(
  { app }: Pick<LeakWorld, 'app'>,
  traceId: string,
  browser: Browser,
  mostSeconds = 300,
) {
  const look = async () => (await app.call('tracing.one', { traceId }, browser)).body;
  for (let tries = 0; tries < 10 * mostSeconds; tries++) {
    const trace = await look();
    if (trace.state === 'done' || trace.state === 'failed') return trace;
    await wait(100);
  }
  throw new Error(`A trace was not over after ${mostSeconds} s.`);
}

/** Names of the files that are stored of a trace. */
export async function listStored({ engines }: Pick<TestApp, 'engines'>, traceId: string): Promise<string[]> {
  const names: string[] = [];
  for await (const file of engines.storage.list(`traces/${traceId}/`)) names.push(path.basename(file));
  return names.sort();
}
