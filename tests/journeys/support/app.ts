import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, test as base, expect } from '@playwright/test';
import { devAddressOf } from '#app/dev/dev-token.ts';
import { noOutsidePostgres } from '../../support/database/outside-postgres.ts';
import { developerHeaders, readOutbox, type Sandbox } from '../../support/developer.ts';
import { openField } from '../../support/servers/field.ts';
import { findFreePort, spawnServer } from '../../support/servers/server-process.ts';
import type { Caller } from './calls.ts';
import { copySeededData } from './seeded-data.ts';
import { type Creator, signUp } from './signing-up.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** An installation of its own for one worker: a free port, a data folder, the real server as `npm start` runs it. */
export interface JourneyApp {
  url: string;
  /** Folder of its data. */
  dataDir: string;
  /** Opens /dev in a browser, as the address does that the start prints. */
  openDev(page: Caller): Promise<void>;
  /** Signs a browser in as anybody, without a password. */
  become(page: Caller, email: string): Promise<void>;
  /** Kills the server as a power cut would, and starts it again on the same data. */
  killAndRestart(): Promise<void>;
  /** Makes one of the product's named states, as `npm run seed` does. @returns what it prints */
  seed(scenario: string): Promise<string>;
  /** Runs `pf` with these words, as an operator does. @returns what it prints */
  operate(...words: string[]): Promise<string>;
  /** Returns whether the test payments tell by webhook what happens. */
  deliverPaymentEvents(isTelling: boolean): Promise<void>;
  /** Turns the clock of links and visits. */
  turnClock(bySeconds: number): Promise<void>;
  /** The code and the link of the newest email to an address. @param holding words that it holds: others may come meanwhile */
  readEmail(email: string, holding?: string): Promise<{ code: string; link: string; subject: string }>;
  /** Signs this page's browser up as somebody new, set up and with nothing in her studio, by the calls of the pages. */
  newCreator(page: Caller): Promise<Creator>;
}

/** What an installation stands on. */
export type Ground = Pick<JourneyApp, 'url' | 'killAndRestart' | 'seed' | 'operate'> &
  Sandbox & { close(): Promise<void> };

/** One process with everything in it, as `npm start` runs it. */
async function standAlone(): Promise<Ground> {
  const dataDir = copySeededData();
  const port = await findFreePort();
  const start = async () => {
    const server = spawnServer({ port, dataDir });
    await server.untilUp();
    return server;
  };
  let server = await start();
  const run = async (...words: string[]) => {
    const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
    return (await promisify(execFile)(process.execPath, words, { cwd: root, env })).stdout;
  };
  return {
    url: server.url,
    dataDir,
    async killAndRestart() {
      await server.end('SIGKILL');
      server = await start();
    },
    seed: (scenario) => run('db/seed.ts', scenario),
    operate: (...words) => run('src/app/pf.ts', ...words),
    async close() {
      await server.end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Two web processes and a worker behind a balancer; the process that dies is the one that receives an upload, if any does. */
async function standInField(): Promise<Ground> {
  const field = await openField();
  if (field === undefined) throw new Error(`The journeys in the open field need a server: ${noOutsidePostgres}.`);
  await field.seed('demo');
  return {
    url: field.url,
    dataDir: field.dataDir,
    async killAndRestart() {
      const port = field.balancer.portOf('/files/') ?? field.webs()[0]?.port ?? 0;
      await field.kill(port);
      await field.revive(port);
    },
    seed: (scenario) => field.seed(scenario),
    operate: (...words) => field.operate(...words),
    close: () => field.close(),
  };
}

/** `npm run journeys -- --field` tells the same stories in the open field. */
const isField = process.env.PF_FIELD === '1';

/** Opens an installation on its ground; it stands as soon as there is something to look at. */
export async function openAppOn(ground: Ground): Promise<JourneyApp & { close(): Promise<void> }> {
  const { url, dataDir, killAndRestart, seed, operate, close } = ground;
  await untilSeeded(ground);
  const openDev = async (page: Caller) => {
    expect((await page.request.get(devAddressOf({ publicUrl: url, dataDir }))).ok()).toBe(true);
  };
  const readEmail = async (email: string, holding = '') => {
    for (let tries = 0; tries < 100; tries++) {
      const found = (await readOutbox(ground)).find(({ to, text }) => to === email && text.includes(holding));
      if (found) {
        const [, code = ''] = /^\s*(\d{6}|[0-9A-Z]{10})$/m.exec(found.text) ?? [];
        const [link = ''] = /https?:\/\/\S+/.exec(found.text) ?? [];
        return { code, link, subject: found.subject };
      }
      await wait(50);
    }
    throw new Error(`No email to ${email}`);
  };
  return {
    url,
    dataDir,
    openDev,
    async become(page, email) {
      await openDev(page);
      const answer = await page.request.post(`${url}/dev/become`, {
        form: { email },
        headers: { origin: url },
        maxRedirects: 0,
      });
      expect(answer.status()).toBe(303);
    },
    readEmail,
    killAndRestart,
    seed,
    operate,
    async deliverPaymentEvents(isTelling) {
      await fetch(`${url}/dev/webhooks`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...developerHeaders(ground), 'content-type': 'application/x-www-form-urlencoded' },
        body: `telling=${isTelling ? 'on' : 'off'}`,
      });
    },
    async turnClock(bySeconds) {
      await fetch(`${url}/dev/clock`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...developerHeaders(ground), 'content-type': 'application/x-www-form-urlencoded' },
        body: `seconds=${bySeconds}`,
      });
      // The other processes hear of it a moment later.
      if (isField) await wait(500);
    },
    newCreator: (page) => signUp(page, { url, readEmail }),
    close,
  };
}

/** Waits until the demo stands that the first start of a sandbox makes: its links come after its photos, its week after them. */
async function untilSeeded(ground: Ground): Promise<void> {
  const { url } = ground;
  for (let tries = 0; tries < 2400; tries++) {
    const become = {
      method: 'POST',
      redirect: 'manual',
      headers: developerHeaders(ground),
      body: new URLSearchParams({ email: 'creator@example.com' }),
    } as const;
    const cookie = (await fetch(`${url}/dev/become`, become)).headers.getSetCookie().map((line) => line.split(';')[0]);
    const answer = await fetch(`${url}/api/v1/links`, {
      headers: { cookie: cookie.join('; '), 'x-csrf-token': 'orpc' },
    });
    const { links = [] } = (await answer.json()) as { links?: object[] };
    if (links.length >= 3) return;
    await wait(100);
  }
  throw new Error('The demo was not made within four minutes.');
}

/** As a person's phone calls itself: a headless browser's own name would be counted as a robot. */
const phoneName =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36';

/** How a browser on a phone is opened. */
export const phoneLook = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  userAgent: phoneName,
  isMobile: true,
  hasTouch: true,
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
} as const;

/** A viewer's phone: a second browser that shares nothing with the first. @param userAgent its name, when it is another app's */
export const openPhone = (browser: Browser, userAgent: string = phoneName): Promise<BrowserContext> =>
  browser.newContext({ ...phoneLook, userAgent });

const open = async () => openAppOn(await (isField ? standInField() : standAlone()));

export const test = base.extend<{ ownApp: JourneyApp }, { app: JourneyApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture wants from this pattern
    async ({}, use) => {
      const app = await open();
      await use(app);
      await app.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  /** For a story that kills its server or turns its clock. In the open field it is the shared one: another field takes minutes. */
  ownApp: [
    isField
      ? async ({ app }, use) => {
          await use(app);
          await app.turnClock(0);
        }
      : // biome-ignore lint/correctness/noEmptyPattern: as above
        async ({}, use) => {
          const app = await open();
          await use(app);
          await app.close();
        },
    { timeout: 300_000 },
  ],
});
export { expect };
