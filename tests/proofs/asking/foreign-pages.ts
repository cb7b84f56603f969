import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { developerHeaders } from '#tests/support/developer.ts';
import { type Browser, headersOf, keepCookies } from '#tests/support/test-app.ts';
import { bodyOf } from './bodies.ts';
import { type Call, restCall, rpcCall, sendInside, sendOver } from './driver.ts';
import type { Procedure } from './procedures.ts';
import { namesOf, shapeOf } from './routes.ts';
import type { Stage, Things } from './things.ts';
import type { World } from './world.ts';

/** What the browser says about the page that a call comes from. */
export type Page = Readonly<Record<string, string>>;

/** Another site's page: the browser sends the cookies along, and says where the call comes from. */
export const foreign: readonly Page[] = [
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
  { origin: 'null', 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
  { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-site', 'content-type': 'application/json' },
  { origin: 'http://localhost:3000.evil.example', 'content-type': 'application/json' },
  { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
];
/** One of an old browser, which tells of no site: with cookies, and without a header that no form sends, it is refused like all others. */
export const old: Page = { referer: 'https://evil.example/', 'content-type': 'multipart/form-data; boundary=x' };

/** Our own page. */
export const ownPage: Page = {
  origin: 'http://localhost:3000',
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  'x-csrf-token': 'orpc',
};

/** Methods by which nothing is changed. */
const isReading = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);
/** Behind these are the procedures, which are asked by their own addresses. */
const doors = { '/rpc/*': '/rpc/albums/create', '/api/v1/*': '/api/v1/albums' } as const;
const isDoor = (url: string): url is keyof typeof doors => url in doors;

/** Raw routes that change something, one name a method; nothing is listed by hand. */
export const listChanging = (routes: readonly RouteOptions[]): string[] =>
  routes
    .filter(({ url, config }) => !isDoor(url) && !config?.changesNothing)
    .flatMap(namesOf)
    .filter((name) => !isReading(name.split(' ')[0] ?? ''));

/**
 * Raw routes about things of the payment provider, of which the world has none: they are told that it's unknown or unsigned.
 * What answers them at all has taken the page for one of ours.
 */
const aboutNothing = new Set([
  ...['stripe', 'stripe-connect', 'stripe-v2'].map((hook) => `POST /api/hooks/${hook}`),
  ...['pay/:session', 'onboard/:account', 'card/:portal', 'bank/:asked'].map((page) => `POST /sandbox/${page}`),
  ...['POST /api/view/:slug/checkout', 'POST /dev/disputes'],
]);

/** What was asked, and what of it was answered other than by a refusal. */
export interface Called {
  requests: number;
  done: { name: string; status: number }[];
}

/** Who calls from which page. */
interface Caller {
  browser: Browser;
  page: Page;
}

/** Calls raw routes as a page does, in their own form and in its. @param thingsOf what each call is about */
export async function callRoutes(
  { app, viewerApi }: Stage,
  names: readonly string[],
  { browser, page }: Caller,
  thingsOf: () => Promise<Things>,
): Promise<Called> {
  const { 'content-type': type = '', ...where } = page;
  const sent = { ...headersOf(browser), ...where } as Record<string, string>;
  const { publicUrl, dataDir } = app.engines.installation;
  const { host } = new URL(publicUrl);
  // Where developers look, the server must be called by its name, and knows them by a cookie of their own.
  const developer: Browser = { cookies: new Map(browser.cookies) };
  keepCookies(developer, developerHeaders({ url: publicUrl, dataDir }).cookie);
  const send = (name: string, call: Call) =>
    name.includes(' /dev/')
      ? sendInside(app, { ...call, headers: { ...where, ...call.headers } }, developer, { host })
      : sendOver(viewerApi.url, call, sent);
  const called: Called = { requests: 0, done: [] };
  for (const name of names)
    for (const own of [{}, { 'content-type': type }]) {
      const [method = ''] = name.split(' ');
      const shape = shapeOf(name, await thingsOf());
      const { status, code } = await send(name, { ...shape, method, headers: { ...shape.headers, ...own } });
      called.requests++;
      if (status < 400 || (aboutNothing.has(name) && code !== 'CSRF')) called.done.push({ name, status });
    }
  return called;
}

/** A procedure asked by a call that reads, as a link or a picture on a page could. */
export const readingOf = (procedure: Procedure, input: object): string =>
  `${rpcCall(procedure, input).path}?data=${encodeURIComponent(JSON.stringify({ json: input }))}`;

/** Calls procedures as a page does: through both doors, by reading where they write, and by every method that a door takes. */
export async function callProcedures(
  { app, a }: World,
  { procedures, routes }: { procedures: readonly Procedure[]; routes: readonly RouteOptions[] },
  { browser, page }: Caller,
): Promise<Called> {
  const called: Called = { requests: 0, done: [] };
  const ask = async (call: Omit<Call, 'headers'>) => {
    const { status } = await sendInside(app, { ...call, headers: page }, browser, {});
    called.requests++;
    if (status < 400) called.done.push({ name: `${call.method} ${call.path.split('?', 1)[0]}`, status });
  };
  for (const procedure of procedures) {
    const input = bodyOf(procedure.name, a.things);
    await ask(rpcCall(procedure, input));
    await ask({ method: 'GET', path: readingOf(procedure, input) });
    if (procedure.method !== 'GET') await ask({ ...restCall(procedure, input), body: input });
  }
  for (const { url, method } of routes)
    for (const one of isDoor(url) ? [method].flat().filter((name) => !isReading(name)) : [])
      await ask({ method: one, path: doors[url as keyof typeof doors], body: { json: { name: 'New' }, name: 'New' } });
  return called;
}

/** An installation that takes every page for its own, whatever the browser says: its defence is switched off. */
export class Blindfold {
  isOn = false;
  readonly #origin: string;
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Stands before an installation that listens. */
  standBefore({ server }: Pick<FastifyInstance, 'server'>): void {
    server.prependListener('request', ({ headers }: IncomingMessage) => {
      if (!this.isOn) return;
      headers.origin = this.#origin;
      delete headers['sec-fetch-site'];
    });
  }
}
