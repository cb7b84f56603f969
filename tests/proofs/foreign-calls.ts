import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { developerHeaders } from '#tests/support/developer.ts';
import { type Browser, headersOf } from '#tests/support/test-app.ts';
import { bodyOf } from './matrix-bodies.ts';
import type { MatrixRow } from './matrix-doors.ts';
import { namesOf, type Shape, sendShape, shapeOf } from './raw-shapes.ts';
import type { RawThings, RawWorld } from './raw-things.ts';

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
    .filter(({ url }) => !isDoor(url))
    .flatMap(namesOf)
    .filter((name) => !isReading(name.split(' ')[0] ?? ''));

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
  { app, viewerApi }: Pick<RawWorld, 'app' | 'viewerApi'>,
  names: readonly string[],
  { browser, page }: Caller,
  thingsOf: () => Promise<RawThings>,
): Promise<Called> {
  const { 'content-type': type = '', ...where } = page;
  const sent = { ...headersOf(browser), ...where } as Record<string, string>;
  const { publicUrl, dataDir } = app.engines.installation;
  const { host } = new URL(publicUrl);
  const send = async (name: string, shape: Shape & { method: string }): Promise<number> => {
    if (!name.includes(' /dev/')) return (await sendShape(viewerApi.url, shape, sent)).status;
    // Where developers look, the app must be called by its name, and knows them by a cookie of their own.
    const cookie = [sent.cookie ?? [], developerHeaders({ url: publicUrl, dataDir }).cookie].flat().join('; ');
    const headers = { host, ...sent, cookie, ...shape.headers };
    const call = { method: 'POST', url: shape.path, headers, payload: String(shape.body) } as const;
    return (await app.fastify.inject(call)).statusCode;
  };
  const called: Called = { requests: 0, done: [] };
  for (const name of names)
    for (const own of [{}, { 'content-type': type }]) {
      const [method = ''] = name.split(' ');
      const shape = shapeOf(name, await thingsOf());
      const status = await send(name, { ...shape, method, headers: { ...shape.headers, ...own } });
      called.requests++;
      if (status < 400) called.done.push({ name, status });
    }
  return called;
}

const procedureOf = ({ name }: MatrixRow) => `/rpc/${name.replace('.', '/')}`;
/** A procedure asked by a call that reads, as a link or a picture on a page could. */
export const readingOf = (row: MatrixRow, input: object): string =>
  `${procedureOf(row)}?data=${encodeURIComponent(JSON.stringify({ json: input }))}`;

/** Calls procedures as a page does: through both doors, by reading where they write, and by every method that a door takes. */
export async function callProcedures(
  { app, things }: Pick<RawWorld, 'app' | 'things'>,
  { rows, routes }: { rows: readonly MatrixRow[]; routes: readonly RouteOptions[] },
  { browser, page }: Caller,
): Promise<Called> {
  const called: Called = { requests: 0, done: [] };
  const ask = async (method: string, url: string, body?: object) => {
    const headers = { ...headersOf(browser), ...page } as Record<string, string>;
    const call = { method: method as 'POST', url, headers, ...(body && { payload: JSON.stringify(body) }) };
    const { statusCode: status } = await app.fastify.inject(call);
    called.requests++;
    if (status < 400) called.done.push({ name: `${method} ${url.split('?', 1)[0]}`, status });
  };
  for (const row of rows) {
    const input = bodyOf(row.name, things('A')) as Record<string, unknown>;
    await ask('POST', procedureOf(row), { json: input });
    await ask('GET', readingOf(row, input));
    const filled = row.path.replace(/\{(\w+)\}/g, (_, word: string) => encodeURIComponent(String(input[word])));
    if (row.method !== 'GET') await ask(row.method, `/api/v1${filled}`, input);
  }
  for (const { url, method } of routes)
    for (const one of isDoor(url) ? [method].flat().filter((name) => !isReading(name)) : [])
      await ask(one, doors[url as keyof typeof doors], { json: { name: 'New' }, name: 'New' });
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
