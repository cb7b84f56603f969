import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createServer, type ServerSettings } from '#app/server.ts';
import { mountSite } from '#app/site.ts';
import type { Engines } from '#engines/engines.ts';
import type { Person } from '#tests/support/people.ts';
import { type Browser, headersOf, keepCookies, newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';
import { createLive } from '#wire/live.ts';
import { type Ask, call, get, post, publicUrl } from './header-asks.ts';
import { RouteWatch } from './header-routes.ts';

/** One answer of the live app, by what kind of thing it is. */
export interface Heard {
  what: string;
  kind: Ask['kind'];
  /** Which route gave it, as `GET /api/me`; none where it was refused before. */
  route: string | undefined;
  status: number;
  headers: Headers;
}

export const isBuilt = existsSync('build/viewer/viewer.html');

/** An installation that listens, and its routes. */
export interface LiveApp {
  app: FastifyInstance;
  url: string;
  watch: RouteWatch;
}

/** The same app in live mode, behind https, with its built pages. */
export async function openLiveApp(from: TestApp, settings: Partial<ServerSettings> = {}): Promise<LiveApp> {
  const watch = new RouteWatch();
  const engines: Engines = {
    ...from.engines,
    installation: { ...from.engines.installation, publicUrl, isSandbox: false, isSecure: true },
  };
  const app = await createServer(engines, createLive(engines.clock), {
    trustedProxies: undefined,
    mountSite: (server) => mountSite(server, path.resolve('build'), { isSandbox: false, publicUrl, log: engines.log }),
    onRoute: watch.hear,
    ...settings,
  });
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }), watch };
}

/** Everything that the live app says, one answer of each kind. */
export class Listener {
  readonly heard: Heard[];
  readonly wrong: string[];
  readonly #live: Pick<LiveApp, 'url' | 'watch'>;
  /** @param together with whom it writes down what it hears */
  constructor(
    live: Pick<LiveApp, 'url' | 'watch'>,
    together: Pick<Listener, 'heard' | 'wrong'> = { heard: [], wrong: [] },
  ) {
    this.#live = live;
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
    const { url, watch } = this.#live;
    watch.last = undefined;
    const answer = await fetch(`${url}${address}`, {
      method,
      redirect: 'manual',
      headers: { 'user-agent': phone, ...headersOf(browser), ...headers } as Record<string, string>,
      body: body ?? null,
      signal: cut.signal,
    });
    keepCookies(browser, answer.headers.getSetCookie());
    this.hear({ what, kind, route: watch.last, status: answer.status, headers: answer.headers }, expected);
    const isNews = answer.headers.get('content-type') === 'text/event-stream';
    const bytes = isNews ? Buffer.alloc(0) : Buffer.from(await answer.arrayBuffer());
    cut.abort();
    return { headers: answer.headers, bytes };
  }
}

/** Signs in at the live app, whose cookie is Secure and prefixed. */
export async function signIn(listener: Listener, { email, password }: Person): Promise<Browser> {
  const browser = newBrowser();
  await listener.ask(call('sign-in', 'accounts.signIn', { email, password }), browser);
  return browser;
}

/** A viewer's way: the tap, more leases, bytes by their address, news, the next beat. */
export async function look(listener: Listener, slug: string, mediaId: string): Promise<void> {
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

/** How a video is watched: its playlists, keys, its beginning and a piece of it. */
export async function watchVideo(listener: Listener, slug: string, mediaId: string): Promise<void> {
  const browser = newBrowser();
  const tap = await listener.ask(post('the tap of a video', `/api/view/${slug}/open`, {}), browser);
  const { visitId } = JSON.parse(tap.bytes.subarray(5, 5 + tap.bytes.readUInt32BE(0)).toString());
  const list = `/api/view/videos/${visitId}/${mediaId}`;
  await listener.ask(get('the list of a video', `${list}/main.m3u8`), browser);
  await listener.ask(get('a playlist', `${list}/v720.m3u8`), browser);
  await listener.ask(get('a playlist that is none', `${list}/v1080.m3u8`, 404), browser);
  const tracks = [{ track: 'v720', from: 0, count: 1 }];
  const { bytes } = await listener.ask(call('keys', 'viewing.videoKeys', { visitId, mediaId, tracks }), browser);
  const { packId, token } = JSON.parse(bytes.toString()).json.leases[0];
  const headers = { 'pf-lease': token };
  await listener.ask(get('the beginning of a video', `/m/s/${packId}/init`, 200, { headers }), browser);
  const range = { ...headers, range: 'bytes=0-15' };
  await listener.ask(get('a piece of a video', `/m/s/${packId}/0`, 206, { headers: range }), browser);
  await listener.ask(get('a video without a range', `/m/s/${packId}/0`, 422, { headers }), browser);
}

/** How a creator watches her own: its playlists and keys; bytes come as for everybody. */
export async function watchOwnVideo(listener: Listener, creator: Browser, mediaId: string): Promise<void> {
  await listener.ask(get('a playlist of one’s own', `/api/media/${mediaId}/video/v720.m3u8`), creator);
  const tracks = [{ track: 'v720', from: 0, count: 1 }];
  await listener.ask(call('keys of one’s own video', 'media.videoKeys', { mediaId, tracks }), creator);
}
