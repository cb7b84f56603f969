import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createServer, type ServerSettings } from '#app/server.ts';
import { mountSite } from '#app/site.ts';
import type { Engines } from '#engines/engines.ts';
import { seedFilm } from '#tests/support/films.ts';
import { type Browser, type HouseInTest, headersOf, keepCookies, newBrowser } from '#tests/support/house.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { seedAlbum } from '#tests/support/pictures.ts';
import { phone } from '#tests/support/salon.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { createLive } from '#wire/live.ts';
import { type Ask, beginUpload, call, get, openAsks, ownAsks, post, publicUrl, uploadAsks } from './header-asks.ts';
import { hearBugs, hearCrowd, hearSlow } from './header-trouble.ts';

/** One answer of the live house, by what kind of thing it is. */
export interface Heard {
  what: string;
  kind: Ask['kind'];
  status: number;
  headers: Headers;
}

export const isBuilt = existsSync('build/salon/salon.html');

/** The same house in live mode, behind https, with its built pages. */
export async function openLiveHouse(
  house: HouseInTest,
  settings: Partial<ServerSettings> = {},
): Promise<{ app: FastifyInstance; url: string }> {
  const engines: Engines = {
    ...house.engines,
    house: { ...house.engines.house, publicUrl, isSandbox: false, isSecure: true },
  };
  const app = await createServer(engines, createLive(engines.clock), {
    trustedProxies: undefined,
    mountSite: (server) => mountSite(server, path.resolve('build'), { isSandbox: false, publicUrl, log: engines.log }),
    ...settings,
  });
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

/** Everything that the live house says, one answer of each kind. */
export class Listener {
  readonly heard: Heard[];
  readonly wrong: string[];
  readonly #url: string;
  /** @param together with whom it writes down what it hears */
  constructor(url: string, together: Pick<Listener, 'heard' | 'wrong'> = { heard: [], wrong: [] }) {
    this.#url = url;
    this.heard = together.heard;
    this.wrong = together.wrong;
  }

  /** Writes one answer down, and whether it is the one that was meant. */
  hear(answer: Heard, expected: number): void {
    if (answer.status !== expected) this.wrong.push(`${answer.what}: ${answer.status} instead of ${expected}`);
    this.heard.push(answer);
  }

  /** One answer; a stream of news is let go of after its head. */
  async ask({ what, kind, path: address, expected, method, headers, body }: Ask, browser: Browser) {
    const cut = new AbortController();
    const answer = await fetch(`${this.#url}${address}`, {
      method,
      redirect: 'manual',
      headers: { 'user-agent': phone, ...headersOf(browser), ...headers } as Record<string, string>,
      body: body ?? null,
      signal: cut.signal,
    });
    keepCookies(browser, answer.headers.getSetCookie());
    this.hear({ what, kind, status: answer.status, headers: answer.headers }, expected);
    const isNews = answer.headers.get('content-type') === 'text/event-stream';
    const bytes = isNews ? Buffer.alloc(0) : Buffer.from(await answer.arrayBuffer());
    cut.abort();
    return { headers: answer.headers, bytes };
  }
}

/** Signs in at the live house, whose cookie is Secure and prefixed. */
async function signIn(listener: Listener, { email, password }: Person): Promise<Browser> {
  const browser = newBrowser();
  await listener.ask(call('sign-in', 'accounts.signIn', { email, password }), browser);
  return browser;
}

/** A viewer's way: the tap, more leases, bytes by their address, news, the next beat. */
async function look(listener: Listener, slug: string, mediaId: string): Promise<void> {
  const browser = newBrowser();
  const { bytes } = await listener.ask(post('the tap', `/api/view/${slug}/open`, {}), browser);
  const { visitId, leases } = JSON.parse(bytes.subarray(5, 5 + bytes.readUInt32BE(0)).toString());
  const items = [{ mediaId, rendition: 'p2048' }];
  for (const ask of [
    post('leases', '/api/view/leases', { visitId, items }),
    get('bytes', leases[0].url, 200, { headers: { 'pf-lease': leases[0].token } }),
    get('a viewer’s news', `/api/live/view?visit=${visitId}`),
    call('a renewal', 'viewing.renew', { visitId, samples: [], idleMs: 0 }),
  ])
    await listener.ask(ask, browser);
}

/** How a film is watched: its playlists, keys, its beginning and a piece of it. */
async function watch(listener: Listener, slug: string, mediaId: string): Promise<void> {
  const browser = newBrowser();
  const tap = await listener.ask(post('the tap of a film', `/api/view/${slug}/open`, {}), browser);
  const { visitId } = JSON.parse(tap.bytes.subarray(5, 5 + tap.bytes.readUInt32BE(0)).toString());
  const list = `/api/view/films/${visitId}/${mediaId}`;
  await listener.ask(get('the list of a film', `${list}/main.m3u8`), browser);
  await listener.ask(get('a playlist', `${list}/v720.m3u8`), browser);
  await listener.ask(get('a playlist that is none', `${list}/v1080.m3u8`, 404), browser);
  const tracks = [{ track: 'v720', from: 0, count: 1 }];
  const { bytes } = await listener.ask(call('keys', 'viewing.filmKeys', { visitId, mediaId, tracks }), browser);
  const { packId, token } = JSON.parse(bytes.toString()).json.leases[0];
  const headers = { 'pf-lease': token };
  await listener.ask(get('the beginning of a film', `/m/s/${packId}/init`, 200, { headers }), browser);
  const range = { ...headers, range: 'bytes=0-15' };
  await listener.ask(get('a piece of a film', `/m/s/${packId}/0`, 206, { headers: range }), browser);
  await listener.ask(get('a film without a range', `/m/s/${packId}/0`, 422, { headers }), browser);
}

/** Asks the live house for an answer of every kind. */
export async function hearEverything(house: HouseInTest, url: string): Promise<Listener> {
  const shared = await shareAlbum(house, { count: 1 });
  const mediaId = shared.photos[0]?.mediaId ?? '';
  const { slug } = await shared.makeLink();
  const listener = new Listener(url);
  for (const ask of openAsks(slug)) await listener.ask(ask, newBrowser());
  const { headers } = await listener.ask(get('the door', `/view/${slug}`, 200, { kind: 'door' }), newBrowser());
  const known = { kind: 'door', headers: { 'if-none-match': headers.get('etag') ?? '' } } as const;
  await listener.ask(get('the door that has not changed', `/view/${slug}`, 304, known), newBrowser());
  const creator = await signIn(listener, shared.creator);
  for (const ask of ownAsks(shared.albumId, mediaId)) await listener.ask(ask, creator);
  const begun = await listener.ask(beginUpload('an upload begun', shared.albumId, 4, 201), creator);
  for (const ask of uploadAsks(begun.headers.get('location') ?? '')) await listener.ask(ask, creator);
  const slow = await listener.ask(beginUpload('another upload begun', shared.albumId, 4, 201), creator);
  await hearSlow(house, slow.headers.get('location') ?? '', creator, listener);
  await hearBugs(house, listener, creator);
  await hearCrowd(house, slug, listener);
  await look(listener, slug, mediaId);
  const film = await seedFilm(house, shared.creator.userId, { seconds: 2 });
  const filmAlbumId = await seedAlbum(house, shared.creator.userId, [film.mediaId], 'Films');
  await watch(listener, (await shared.makeLink({}, { albumIds: [filmAlbumId] })).slug, film.mediaId);
  const leaving = await signIn(listener, await signUpCreator(house));
  await listener.ask(call('sign-out', 'accounts.signOut', {}), leaving);
  return listener;
}
