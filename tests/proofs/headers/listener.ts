import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { createServer, type ServerSettings } from '#app/server/server.ts';
import { mountSite } from '#app/server/site.ts';
import type { Engines } from '#engines/engines.ts';
import { usualFacts as usualHelpFacts } from '#features/assistant/facts.ts';
import { usualFacts } from '#features/marketing/facts.ts';
import type { Person } from '#tests/support/people.ts';
import { type Browser, headersOf, keepCookies, newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';
import { createLive } from '#wire/live.ts';
import { listProcedures } from '../asking/procedures.ts';
import { namesOf } from '../asking/routes.ts';
import { type Ask, call, publicUrl } from './asks.ts';

/** One answer of a live installation, by what kind of thing it is. */
export interface Heard {
  what: string;
  kind: Ask['kind'];
  /** Which route gave it, as `GET /api/me`; none where it was refused before. */
  route: string | undefined;
  status: number;
  headers: Headers;
}

export const isBuilt = existsSync('build/viewer/viewer.html');

/** The pages of the build, as an installation serves them. */
export const mountBuilt = (server: FastifyInstance, log: Engines['log']) =>
  mountSite(server, path.resolve('build'), {
    isSandbox: false,
    publicUrl,
    readFacts: async () => ({ site: { ...usualFacts, publicUrl }, help: usualHelpFacts }),
    isInvitationOpen: async (token) => token !== 'ended',
    isAdministrator: async () => false,
    log,
  });

/** Hears of every route, and of the one that the last call came to. */
export class RouteWatch {
  readonly routes: RouteOptions[] = [];
  last: string | undefined;
  readonly receive = (route: RouteOptions): void => {
    this.routes.push(route);
    const note = async ({ method, routeOptions }: FastifyRequest) => {
      this.last = `${method} ${routeOptions.url}`;
    };
    route.onRequest = [note, ...[route.onRequest ?? []].flat()];
  };

  /** One a method. */
  get names(): ReadonlySet<string> {
    return new Set(this.routes.flatMap(namesOf));
  }
}

/** What listens, and its routes. */
export interface LiveApp {
  url: string;
  watch: RouteWatch;
}

/** Another server on the same engines, in live mode, behind https, with its built pages. */
export async function openLiveApp(
  from: TestApp,
  settings: Partial<ServerSettings> = {},
): Promise<LiveApp & { app: FastifyInstance }> {
  const watch = new RouteWatch();
  const engines: Engines = {
    ...from.engines,
    installation: { ...from.engines.installation, publicUrl, isSandbox: false, isSecure: true },
  };
  const app = await createServer(engines, createLive(engines.clock), {
    trustedProxies: undefined,
    mountSite: (server) => mountBuilt(server, engines.log),
    onRoute: watch.receive,
    ...settings,
  });
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }), watch };
}

/** Everything that is said, one answer of each kind. */
export class Listener {
  readonly received: Heard[];
  readonly wrong: string[];
  readonly #live: LiveApp;
  /** @param together with whom it writes down what it hears */
  constructor(live: LiveApp, together: Pick<Listener, 'received' | 'wrong'> = { received: [], wrong: [] }) {
    this.#live = live;
    this.received = together.received;
    this.wrong = together.wrong;
  }

  /** Writes one answer down, and whether it is the one that was meant; anything but a refusal, where none is said. */
  hear(answer: Heard, expected?: number): void {
    const isMeant = expected === undefined ? answer.status < 400 : answer.status === expected;
    if (!isMeant) this.wrong.push(`${answer.what}: ${answer.status} instead of ${expected ?? 'success'}`);
    this.received.push(answer);
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

/** Signs in as people do. */
export async function signIn(listener: Listener, { email, password }: Person): Promise<Browser> {
  const browser = newBrowser();
  await listener.ask(call('sign-in', 'accounts.signIn', { email, password }), browser);
  return browser;
}

const each = (methods: string, url: string, why: string) =>
  methods.split(' ').map((method) => [`${method} ${url}`, why] as const);

/** Routes of which nothing can be asked that succeeds, and why. */
export const withoutSuccess: ReadonlyMap<string, string> = new Map([
  ...each('TRACE DELETE OPTIONS PATCH PUT QUERY', '/rpc/*', 'Our own pages call by POST, and read by GET.'),
  ...each('TRACE OPTIONS QUERY', '/api/v1/*', 'No contract gives a procedure this method.'),
  ...each('POST', '/api/hooks/mail', 'It is there with a secret only; mail-hook.test.ts asks with one.'),
  ...each(
    'GET',
    '/api/money/receipts/:code/receipt.pdf',
    'It takes the code of a receipt; receipt-pdf.test.ts asks with one.',
  ),
  ...each(
    'GET',
    '/api/account/data/export/:exportId',
    'It gives a zip that a job has made; exports.test.ts asks for one.',
  ),
  ...each('POST', '/unsubscribe/:token', 'It takes the token of an email only; unsubscribing.test.ts asks with one.'),
  ...each('POST', '/share-target', 'What is shared is taken by the service worker; the server says that it was not.'),
]);

/** What has a route, how it was answered. */
interface Answered {
  route: string | undefined;
  status: number;
}

const listSucceeded = (received: readonly Answered[]) =>
  new Set(received.flatMap(({ route, status }) => (route !== undefined && status < 400 ? [route] : [])));

/** HEAD where GET is, is the same route without its body, and Fastify's own. */
const isTwin = (name: string, names: ReadonlySet<string>) =>
  name.startsWith('HEAD ') && names.has(name.replace('HEAD', 'GET'));

/** Routes that have given no answer but refusals, although nobody says why. */
export function listUnasked(names: ReadonlySet<string>, received: readonly Answered[]): string[] {
  const succeeded = listSucceeded(received);
  return [...names].filter((name) => !succeeded.has(name) && !withoutSuccess.has(name) && !isTwin(name, names));
}

/** Reasons that no longer hold: their route is not there, has been answered, or is the address of a procedure. */
export function listStaleReasons(names: ReadonlySet<string>, received: readonly Answered[]): string[] {
  const spoken = new Set(listProcedures().map(({ method }) => `${method} /api/v1/*`));
  const succeeded = listSucceeded(received);
  return [...withoutSuccess.keys()].filter((name) => !names.has(name) || succeeded.has(name) || spoken.has(name));
}
