import path from 'node:path';
import { request } from '@playwright/test';
import { test as journeys } from '../../journeys/support/app.ts';
import type { Caller } from '../../journeys/support/calls.ts';
import { openChromium } from './chromium.ts';
import type { Device, Engine, Habits, Look } from './engine.ts';
import { type EngineName, enginePackages } from './engine-names.ts';
import { openFirefox } from './firefox.ts';
import { findFirefox, findWebkit } from './installed.ts';
import type { Tab } from './tab.ts';
import { openWebkit } from './webkit.ts';

const root = path.resolve(import.meta.dirname, '../../..');

async function openEngine(name: EngineName): Promise<Engine> {
  const folder = path.join(root, 'test-results/browsers', name);
  if (name === 'chromium') return openChromium(folder);
  const program = name === 'firefox' ? findFirefox() : findWebkit();
  if (program === undefined)
    throw new Error(`No ${name} on this machine (Debian: apt-get install ${enginePackages[name]}).`);
  return typeof program === 'string' ? openFirefox(program, folder) : openWebkit(program, folder);
}

/** Opens browsers of the engine that a story runs in; they are closed at its end. */
export interface Browsers {
  engine: EngineName;
  /** A phone with one tab. */
  openPhone(habits?: Habits): Promise<Tab>;
  /** A computer with one tab, with the session of whoever set the scene. */
  openDesk(as?: Caller): Promise<Tab>;
  openDevice(look: Look, habits?: Habits): Promise<Device>;
  /** Gives a browser the session of whoever set the scene. */
  signIn(device: Device, as: Caller): Promise<void>;
}

/** A story that is told once and runs in each engine. The scene is set by calls; whom it is about sits at the engine's browser. */
export const test = journeys.extend<{ browsers: Browsers; creator: Caller }, { engine: Engine }>({
  engine: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture wants from this pattern
    async ({}, use, { project }) => {
      const engine = await openEngine(project.name as EngineName);
      await use(engine);
      await engine.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  creator: async ({}, use) => {
    const calls = await request.newContext();
    await use({ request: calls });
    await calls.dispose();
  },
  browsers: async ({ engine, app }, use, info) => {
    const devices: Device[] = [];
    const tabs: Tab[] = [];
    const openDevice = async (look: Look, habits?: Habits) => {
      const device = await engine.openDevice(look, habits);
      devices.push(device);
      return {
        ...device,
        async openTab() {
          const tab = await device.openTab();
          tabs.push(tab);
          return tab;
        },
      };
    };
    const signIn = async (device: Device, as: Caller) => {
      const { cookies } = await as.request.storageState();
      await device.carry(cookies.map(({ name, value }) => ({ name, value, url: app.url })));
    };
    await use({
      engine: engine.name,
      openDevice,
      signIn,
      openPhone: async (habits) => (await openDevice('phone', habits)).openTab(),
      async openDesk(as) {
        const device = await openDevice('desk');
        if (as) await signIn(device, as);
        return device.openTab();
      },
    });
    if (info.status !== info.expectedStatus)
      for (const [i, tab] of tabs.entries())
        await tab
          .picture(`failed-${info.title.replaceAll(/\W+/g, '-')}-${i}`, { hasFailed: true })
          .catch(() => undefined);
    await Promise.all(devices.map((device) => device.close()));
  },
});
export { expect } from '@playwright/test';
