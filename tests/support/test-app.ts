import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';
import { turnedMs } from '#app/dev/turned-clock.ts';
import { secretsOf } from '#app/engines.ts';
import { declareJobs } from '#app/jobs.ts';
import { createServer, type ServerSettings } from '#app/server/server.ts';
import { openLocalAssistant } from '#engines/assistant/local.ts';
import { type Database, openDatabase } from '#engines/database/database.ts';
import type { Engines, Log } from '#engines/engines.ts';
import { openCountryFile } from '#engines/geoip/country-file.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
import { openKeyRing } from '#engines/keys/open-key-ring.ts';
import type { Email } from '#engines/mail/mail.ts';
import { openNoPayments } from '#engines/payments/off.ts';
import { openSandbox } from '#engines/payments/sandbox/sandbox.ts';
import type { Exchange } from '#engines/payments/sandbox/server.ts';
import { openWebPush } from '#engines/push/web-push.ts';
import { openDiskStorage } from '#engines/storage/disk.ts';
import type { Storage } from '#engines/storage/storage.ts';
import { createLive, type Live } from '#wire/live.ts';
import { openTestDatabase } from './database/test-database.ts';

/** The whole product in a test: real SQL, real files, a clock that turns. */
export interface TestApp {
  engines: Engines;
  fastify: FastifyInstance;
  live: Live;
  /** Emails that left through the mail engine. */
  emails: Email[];
  /** Turns the clock of everything in this process. */
  setNow(iso: string): void;
  /** One call as our own pages make it: POST /rpc/<room>/<procedure>. */
  call(procedure: string, input?: unknown, from?: Browser): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  headers: Record<string, string | string[] | number | undefined>;
}

/** A browser in a test: keeps its cookies, and stands at an address of its own. */
export interface Browser {
  cookies: Map<string, string>;
  headers?: Record<string, string>;
  address?: string;
}
let browsers = 0;
export const newBrowser = (headers?: Record<string, string>): Browser => {
  browsers += 1;
  return {
    cookies: new Map(),
    address: `10.${(browsers >> 16) & 255}.${(browsers >> 8) & 255}.${browsers & 255}`,
    ...(headers && { headers }),
  };
};

/** The same browser as it is now: what an answer changes in it stays with the copy. */
export const copyOf = (browser: Browser): Browser => ({ ...browser, cookies: new Map(browser.cookies) });
/** Another browser, at an address of its own, with the same cookies. */
export const elsewhere = ({ cookies }: Browser): Browser => ({ ...newBrowser(), cookies: new Map(cookies) });

/** The headers that a browser sends along. */
export const headersOf = ({ cookies, headers }: Browser) => ({
  ...headers,
  ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
});

/** Remembers the cookies of an answer. */
export function keepCookies(browser: Browser, setCookie: string | string[] | number | undefined): void {
  for (const line of [setCookie ?? []].flat()) {
    const [pair = ''] = String(line).split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '' || /max-age=0\b/i.test(String(line))) browser.cookies.delete(name);
    else browser.cookies.set(name, value);
  }
}

let apps = 0;

export interface TestAppOptions {
  /** Default: a Saturday noon. */
  now?: string;
  workJobs?: boolean;
  server?: Partial<ServerSettings>;
  /** Default: a folder of its own. */
  storage?: Storage;
  /** Another way to the database than its socket; told the socket's folder and the database's name. */
  databaseUrl?: (folder: string, name: string) => Promise<string>;
  /** As others reach it, behind TLS; default: a sandbox on this machine. */
  isLive?: boolean;
  /** Where its log goes; default: errors to the console, where they fail the test. */
  log?: Log;
  /** Hears what is said to the payment provider. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
}

const liveInstallation = { publicUrl: 'https://localhost:3000', isSandbox: false, isSecure: true };
const sandboxInstallation = { publicUrl: 'http://localhost:3000', isSandbox: true, isSecure: false };

/** Opens an installation with a database of its own. */
export async function openTestApp({
  now = '2026-11-21T12:00:00Z',
  workJobs = true,
  server = {},
  storage,
  databaseUrl,
  isLive = false,
  onExchange,
  log = { info: () => undefined, warn: () => undefined, error: (about) => console.error(about) },
}: TestAppOptions = {}): Promise<TestApp> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pf-app-'));
  const emails: Email[] = [];
  const engines = await openEngines({ dataDir, emails, storage, databaseUrl, isLive, onExchange, log });
  const { database, clock } = engines;
  const live = createLive(clock);
  // A busy machine must not make tests fail: nothing is refused for a late loop, and for a long wait only where a test is about it.
  const app = await createServer(engines, live, {
    trustedProxies: undefined,
    patience: { loopMs: 0, poolMs: 0 },
    ...server,
  });
  const stopJobs = declareJobs(engines);
  await engines.jobs.start(workJobs);
  const listening = await database.listen(live.receive, live.refetchAll);
  return {
    engines,
    fastify: app,
    live,
    emails,
    setNow: (iso) => void vi.setSystemTime(new Date(iso)),
    call: (procedure, input = {}, from = newBrowser()) => callOf(app, procedure, input, from),
    async close() {
      await listening.close();
      live.close();
      await app.close();
      await stopJobs();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
      vi.useRealTimers();
    },
  };
}

/** The engines of an installation in a folder. @param emails where those go that are sent */
async function openEngines({
  dataDir,
  emails,
  storage,
  databaseUrl,
  isLive,
  onExchange,
  log,
}: {
  dataDir: string;
  emails: Email[];
  storage: TestAppOptions['storage'];
  databaseUrl: TestAppOptions['databaseUrl'];
  isLive: boolean;
  onExchange: TestAppOptions['onExchange'];
  log: Log;
}): Promise<Engines> {
  const name = `test_app_${process.pid}_${++apps}_${Math.random().toString(36).slice(2, 8)}`;
  const database = await openDatabaseOf(name, databaseUrl);
  const clock = () => Date.now();
  const keys = await openKeyRing({ dataDir });
  return {
    installation: { ...(isLive ? liveInstallation : sandboxInstallation), dataDir },
    database,
    storage: storage ?? openDiskStorage(path.join(dataDir, 'files')),
    keys,
    secrets: secretsOf(undefined, keys),
    mail: { send: async (email) => void emails.push(email), check: async () => undefined, place: 'the test' },
    push: openWebPush(),
    jobs: openJobs({ database, log }),
    ...openMoney({ database, clock, log, isLive, onExchange }),
    geoip: openCountryFile(),
    assistant: openLocalAssistant(),
    clock,
    linkClock: () => clock() + turnedMs(),
    log,
  };
}

async function callOf(app: FastifyInstance, procedure: string, input: unknown, from: Browser): Promise<Answer> {
  const answer = await app.inject({
    method: 'POST',
    url: `/rpc/${procedure.replace('.', '/')}`,
    ...(from.address !== undefined && { remoteAddress: from.address }),
    headers: {
      'x-csrf-token': 'orpc',
      'content-type': 'application/json',
      host: 'localhost:3000',
      ...headersOf(from),
    },
    payload: JSON.stringify({ json: input }),
  });
  keepCookies(from, answer.headers['set-cookie']);
  const body = answer.body === '' ? undefined : JSON.parse(answer.body);
  return { status: answer.statusCode, body: body?.json ?? body, headers: answer.headers };
}

/** The sandbox's money; whoever is live without a provider's keys takes none. */
function openMoney({
  database,
  clock,
  log,
  isLive,
  onExchange,
}: Pick<Engines, 'database' | 'clock' | 'log'> & Pick<TestAppOptions, 'isLive' | 'onExchange'>) {
  if (isLive) return { payments: openNoPayments(), sandbox: undefined };
  const settings = {
    database,
    clock,
    sandboxClock: () => clock() + turnedMs(),
    publicUrl: 'http://localhost:3000',
    log,
  };
  return openSandbox({ ...settings, ...(onExchange && { onExchange }) });
}

async function openDatabaseOf(name: string, urlOf: TestAppOptions['databaseUrl']): Promise<Database> {
  const near = await openTestDatabase(name);
  if (urlOf === undefined) return near;
  const url = await urlOf(String(near.connection.host), name);
  const database = await openDatabase({ url, dataDir: '/nowhere', migrations: null, log: () => undefined });
  return {
    ...database,
    async close() {
      await database.close();
      await near.close();
    },
  };
}
