import http from 'node:http';
import { expect, onTestFinished, vi } from 'vitest';
import { createSemaphore } from '#kit/semaphore.ts';
import { type SeededPhoto, seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { readRows } from '#tests/support/people.ts';
import { comeAgain } from '#tests/support/servers/visitor.ts';
import type { SharedAlbum } from '#tests/support/shared-link.ts';
import { type Browser, headersOf, newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { phone, type Streamed, type ViewerApi } from '#tests/support/viewer-api.ts';

/** One open screen and the calls that it makes. */
export interface Screen {
  browser: Browser;
  visitId: string;
  news: News;
  /** The stream of full photos that is on its way. */
  stream: Promise<Streamed>;
}

/** A running app as calls and streams reach it. */
export interface Door {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(procedure: string, input: object, browser: Browser): Promise<{ status: number; body: any }>;
  viewerApi: ViewerApi;
}

/** A link at which many look, until somebody takes it back. */
export interface Looking {
  link: { id: string; slug: string };
  albumId: string;
  photos: [SeededPhoto, ...SeededPhoto[]];
  screens: Screen[];
  /** Lets the streams that wait in the middle go on. */
  goOn(): void;
}

/** A link to three fresh photos that many look at until the test is over; the second full photo of every stream waits until `goOn` is called. */
export async function openScreens(app: TestApp, shared: SharedAlbum, viewers: number): Promise<Looking> {
  const { userId } = shared.creator;
  const photos: Looking['photos'] = [await seedPhoto(app, userId)];
  photos.push(await seedPhoto(app, userId), await seedPhoto(app, userId));
  const albumId = await seedAlbum(
    app,
    userId,
    photos.map(({ mediaId }) => mediaId),
  );
  const link = await shared.makeLink({}, { albumIds: [albumId] });
  const gate = Promise.withResolvers<void>();
  const { storage } = app.engines;
  const read = storage.read.bind(storage);
  const reading = vi.spyOn(storage, 'read').mockImplementation(async (path) => {
    if (path.includes(photos[1]?.packs.p2048.packId ?? '-')) await gate.promise;
    return read(path);
  });
  const screens: Screen[] = [];
  onTestFinished(() => {
    reading.mockRestore();
    for (const { news } of screens) news.close();
  });
  for (let n = 0; n < viewers; n++) {
    const browser = newBrowser();
    const { head } = await shared.viewerApi.tap(link.slug, { firstScreen: 1 }, browser);
    const news = await listen(shared.viewerApi, head.visitId, browser);
    const stream = shared.viewerApi.lease(head.visitId, photos.map(full), browser);
    screens.push({ browser, visitId: head.visitId, news, stream });
  }
  const begun = () =>
    readRows(app, `select id from key_leases where rendition = 'p2048' and media_id = $1`, [photos[0].mediaId]);
  await expect.poll(async () => (await begun()).length).toBe(viewers);
  return { link, albumId, photos, screens, goOn: gate.resolve };
}
const full = ({ mediaId }: SeededPhoto) => ({ mediaId, rendition: 'p2048' });
export const small = ({ mediaId }: Pick<SeededPhoto, 'mediaId'>) => ({ mediaId, rendition: 'thumb512' });

/** Locks the album of a link. */
export async function lockAlbum({ engines }: TestApp, { albumId }: Looking): Promise<{ status: number }> {
  await engines.database.work({ kind: 'system' }, async (tx) => {
    const locking = tx.db.updateTable('albums').set({ state: 'locked' }).where('id', '=', albumId);
    const { creatorId } = await locking.returning('user_id as creatorId').executeTakeFirstOrThrow();
    await tx.publish({ kind: 'album.closed', creatorId, albumId });
  });
  return { status: 200 };
}

/** Blocks everybody who looks. @returns the answer that was no yes, if there was one */
export async function blockAll(app: TestApp, { creator }: SharedAlbum, { screens }: Looking) {
  const visitIds = screens.map(({ visitId }) => visitId);
  const viewers = await readRows(
    app,
    'select distinct p.id from viewer_sessions s join viewer_pseudonyms p using (creator_id, viewer_id) where s.id = any($1)',
    [visitIds],
  );
  const block = (viewerId: unknown) => app.call('tracing.blockViewer', { viewerId }, creator.browser);
  const answers = await Promise.all(viewers.map(({ id }) => block(id)));
  return answers.find(({ status }) => status !== 200) ?? { status: 200 };
}

/** What a call got that began before or after the answer to the one that took the link back. */
export interface Got {
  beganAfter: boolean;
  renewed: number;
  leased: number;
  keys: number;
  /** For how long the screen may show what it has. */
  expiresInMs: number;
  tookMs: number;
  /** Why not; the status when it is not about the link. */
  reason: string | number;
}

export const renew = ({ call }: Pick<Door, 'call'>, { visitId, browser }: Pick<Screen, 'visitId' | 'browser'>) =>
  call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser);

/** So many calls are on their way at once; all the screens together ask as fast as that. */
export const callsAtOnce = 200;

/** Screens renew and lease in turn, each until five of its calls have begun after the answer. @returns what each of them got */
export function keepAsking(
  door: Door,
  screens: readonly Pick<Screen, 'visitId' | 'browser'>[],
  photo: Pick<SeededPhoto, 'mediaId'>,
  isAnswered: () => boolean,
): Promise<Got[][]> {
  const turns = createSemaphore(callsAtOnce);
  return Promise.all(
    screens.map(async (screen) => {
      const got: Got[] = [];
      for (let late = 0, n = 0; late < 5; n++) {
        await turns.run(async () => {
          const beganAfter = isAnswered();
          if (beganAfter) late++;
          const beganAt = performance.now();
          const what = n % 2 === 0 ? await askToRenew(door, screen) : await askToLease(door, screen, photo);
          got.push({ beganAfter, tookMs: performance.now() - beganAt, ...what });
        });
      }
      return got;
    }),
  );
}

type Given = Omit<Got, 'beganAfter' | 'tookMs'>;

async function askToRenew(door: Door, screen: Pick<Screen, 'visitId' | 'browser'>): Promise<Given> {
  const { status, body } = await renew(door, screen);
  const [renewed, expiresInMs] = status === 200 ? [1, body.expiresInMs] : [0, 0];
  return { renewed, leased: 0, keys: 0, expiresInMs, reason: body.data?.reason ?? status };
}

async function askToLease(
  { viewerApi }: Door,
  { visitId, browser }: Pick<Screen, 'visitId' | 'browser'>,
  photo: Pick<SeededPhoto, 'mediaId'>,
): Promise<Given> {
  const { head, pictures, refusal, status } = await viewerApi.lease(visitId, [small(photo)], browser);
  const [leased, expiresInMs] = [head?.leases.length ?? 0, head?.expiresInMs ?? 0];
  return { renewed: 0, leased, keys: pictures.length, expiresInMs, reason: refusal?.reason ?? status };
}

/** The line of news of one screen. */
export interface News {
  /** The first event that is asked for, whenever it came. */
  next(isWanted: (event: { kind: string }) => boolean): Promise<{ kind: string }>;
  close(): void;
}

/** Opens the line of news of a screen; comes again when the machine is too busy. */
export async function listen(viewerApi: ViewerApi, visitId: string, browser: Browser): Promise<News> {
  const { news } = await comeAgain(() => tryToListen(viewerApi, visitId, browser));
  if (news === undefined) throw new Error('The line of news was refused.');
  return news;
}

async function tryToListen(
  viewerApi: ViewerApi,
  visitId: string,
  browser: Browser,
): Promise<{ status: number; news: News | undefined }> {
  const all: { kind: string }[] = [];
  const waiting = new Set<() => void>();
  const headers = { 'user-agent': phone, ...headersOf(browser) };
  const request = http.get(`${viewerApi.url}/api/live/view?visit=${visitId}`, { headers, agent: false });
  const status = await new Promise<number>((opened, failed) => {
    request.once('error', failed);
    request.once('response', (response) => {
      request.on('error', () => undefined); // it is closed by us
      response.setEncoding('utf8').on('data', (text: string) => {
        opened(response.statusCode ?? 0);
        for (const [, json = '{}'] of text.matchAll(/^data: (.*)$/gm)) all.push(JSON.parse(json));
        for (const look of waiting) look();
      });
    });
  });
  if (status !== 200) {
    request.destroy();
    return { status, news: undefined };
  }
  const news: News = {
    next: (isWanted) =>
      new Promise((found) => {
        const look = () => {
          const event = all.find(isWanted);
          if (event === undefined) return;
          waiting.delete(look);
          found(event);
        };
        waiting.add(look);
        look();
      }),
    close: () => request.destroy(),
  };
  return { status, news };
}
