import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { findBrowser } from '#tests/support/browser.ts';
import { noteTraffic, type Traffic } from '#tests/support/servers/traffic.ts';
import { phoneAgent } from './viewer.ts';

/** Lighthouse's slow 4G: what a phone gets of 1.6 Mbit/s down and 750 kbit/s up, 150 ms away. */
const slow4g = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1.6e6 * 0.9) / 8,
  uploadThroughput: (750e3 * 0.9) / 8,
};

/** A phone on a computer: a browser with its process number. */
export interface Phone {
  pid: number;
  /** A page in a fresh profile. */
  openPage(line: 'slow 4G' | 'loopback'): Promise<PhonePage>;
  close(): Promise<void>;
}

/** One visit. */
export interface PhonePage {
  page: Page;
  /** Bytes that had come over the line so many milliseconds after navigation, compressed as they came, headers too. */
  receivedBytes(atMs: number): Promise<number>;
  /** Waits until an expression is true in the page, and answers what it is. */
  until<T>(expression: string): Promise<T>;
  /** Milliseconds since navigation of a mark, waited for. */
  mark(name: string): Promise<number>;
  /** Shifts, long tasks and slow touches so far. */
  vitals(): Promise<Vitals>;
  close(): Promise<void>;
}

export interface Vitals {
  firstPaintMs: number;
  cls: number;
  tbtMs: number;
  /** The slowest answer to a touch; 0 when none took 16 ms. */
  inpMs: number;
}

/** Listens from the first moment of every page on. */
const watch = `
  globalThis.seen = { cls: 0, tbt: 0, inp: 0 };
  const hear = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  hear('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  hear('longtask', (entry) => { seen.tbt += Math.max(0, entry.duration - 50); });
  hear('event', (entry) => { if (entry.interactionId > 0) seen.inp = Math.max(seen.inp, entry.duration); }, { durationThreshold: 16 });
  addEventListener('click', ({ target }) => { if (target.closest?.('.cell')) performance.mark('pick'); }, true);`;

const readVitals = `({
  firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  cls: seen.cls, tbtMs: seen.tbt, inpMs: seen.inp })`;

/** Starts a browser as a phone. */
export async function openPhone(): Promise<Phone> {
  const { executablePath, args, env } = await findBrowser();
  const server = await chromium.launchServer({
    executablePath,
    args,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  const browser = await chromium.connect(server.wsEndpoint());
  return {
    pid: server.process().pid ?? 0,
    openPage: (line) => openPage(browser, line),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

async function openPage(browser: Browser, line: 'slow 4G' | 'loopback'): Promise<PhonePage> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 2.625,
    isMobile: true,
    hasTouch: true,
    userAgent: phoneAgent,
  });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  const traffic = await noteTraffic(page, session);
  if (line === 'slow 4G') await session.send('Network.emulateNetworkConditions', slow4g);
  return visitOf(context, page, traffic);
}

function visitOf(context: BrowserContext, page: Page, traffic: Traffic): PhonePage {
  // Asked from outside again and again: the page's own policy forbids Playwright to evaluate inside of it.
  const until = async <T>(expression: string): Promise<T> => {
    for (const end = performance.now() + 60_000; performance.now() < end; await wait(40)) {
      const value = await page.evaluate<T | undefined>(expression);
      if (value !== undefined && value !== null && value !== false) return value;
    }
    throw new Error(`This did not come true within a minute: ${expression}`);
  };
  return {
    page,
    async receivedBytes(atMs) {
      const beganAtMs = await page.evaluate<number>('performance.timeOrigin');
      return (await traffic.until(beganAtMs + atMs)).bytes;
    },
    until,
    mark: (name) => until<number>(`performance.getEntriesByName(${JSON.stringify(name)})[0]?.startTime`),
    vitals: () => page.evaluate<Vitals>(readVitals),
    close: () => context.close(),
  };
}
