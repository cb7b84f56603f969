import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Builder, Key as Keys, Origin, type WebDriver, type WebElement } from 'selenium-webdriver';
import { findFreePort } from '../../support/servers/server-process.ts';
import { createTab } from './create-tab.ts';
import type { Device, Engine, Habits, Look } from './engine.ts';
import type { WebkitPrograms } from './installed.ts';
import type { Key, TabDriver } from './tab.ts';

/** Of a screen that the browser fills: its window cannot be narrower than its own toolbar. */
const looks = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } } as const;

/** Safari's engine as Debian has it: WebKitGTK's MiniBrowser, by WebDriver, on a screen in memory. */
export async function openWebkit(programs: WebkitPrograms, folder: string): Promise<Engine> {
  return {
    name: 'webkit',
    openDevice: (look, habits) => openSession(programs, { look, folder, ...habits }),
    close: async () => undefined,
  };
}

/** A driver has one session: each browser gets a screen, a home and a driver of its own. */
async function openSession(
  programs: WebkitPrograms,
  { look, folder, blocksCookies }: Habits & { look: Look; folder: string },
): Promise<Device> {
  const home = mkdtempSync(path.join(tmpdir(), 'pf-webkit-'));
  const { width, height } = looks[look];
  const words = ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'];
  const screen = spawn(programs.xvfb, words, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const port = await findFreePort();
  const display = await readDisplay(screen);
  const server = spawn(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, ...quiet, HOME: home, XDG_RUNTIME_DIR: home, DISPLAY: `:${display}`, TZ: 'Europe/Berlin' },
  });
  const end = async () => {
    await Promise.all([endProcess(server), endProcess(screen)]);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const browser = await connect(port, programs.browser, blocksCookies ? ['--cookies-policy=never'] : []);
    await browser.manage().window().setRect({ x: 0, y: 0, width, height });
    return createDevice(browser, folder, end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** No sound card, no graphics card and no desktop are asked for. */
const quiet = {
  LANG: 'en_GB.UTF-8',
  LIBGL_ALWAYS_SOFTWARE: '1',
  NO_AT_BRIDGE: '1',
  GSETTINGS_BACKEND: 'memory',
  GIO_USE_VFS: 'local',
};

async function readDisplay(screen: ChildProcess): Promise<string> {
  const pipe = screen.stdio[3];
  if (!pipe) throw new Error('Xvfb says nothing.');
  const [said] = await once(pipe, 'data', { signal: AbortSignal.timeout(20_000) });
  return String(said).trim();
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

/** The driver listens a moment after it was started. */
async function connect(port: number, binary: string, words: string[]): Promise<WebDriver> {
  const capabilities = {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary, args: ['--automation', '--full-screen', ...words] },
  };
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) break;
    if (tries > 200) throw new Error('WebKitWebDriver does not answer.');
    await wait(50);
  }
  return new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
}

function createDevice(browser: WebDriver, folder: string, end: () => Promise<void>): Device {
  let opened = 0;
  return {
    async openTab() {
      // Its driver opens a tab behind the one that is there, where nothing is drawn.
      if (opened++ > 0) await browser.switchTo().newWindow('window');
      return createTab(drive(browser, await browser.getWindowHandle()), folder);
    },
    async carry(cookies) {
      const [{ url } = { url: '' }] = cookies;
      await browser.get(`${url}/robots.txt`);
      for (const { name, value } of cookies) await browser.manage().addCookie({ name, value, httpOnly: true });
    },
    async close() {
      await browser.quit().catch(() => undefined);
      await end();
    },
  };
}

const keys: Record<Key, string> = {
  Enter: Keys.ENTER,
  Escape: Keys.ESCAPE,
  Tab: Keys.TAB,
  Space: Keys.SPACE,
  ArrowLeft: Keys.ARROW_LEFT,
  ArrowRight: Keys.ARROW_RIGHT,
  ArrowUp: Keys.ARROW_UP,
  ArrowDown: Keys.ARROW_DOWN,
};

/** What is asked of another tab than the last one goes there first. */
function drive(browser: WebDriver, tab: string): TabDriver<WebElement> {
  const inTab = async <T>(steps: () => Promise<T>): Promise<T> => {
    if ((await browser.getWindowHandle().catch(() => '')) !== tab) await browser.switchTo().window(tab);
    return steps();
  };
  const callIn = <T>(fn: unknown, argument: unknown) =>
    inTab(() => browser.executeScript<T>(`return (${String(fn)})(arguments[0])`, argument));
  const typeKeys = (words: string) => inTab(() => browser.actions().sendKeys(words).perform());
  return {
    open: (address) => inTab(() => browser.get(address)),
    reload: () => inTab(() => browser.navigate().refresh()),
    back: () => inTab(() => browser.navigate().back()),
    forward: () => inTab(() => browser.navigate().forward()),
    run: (script) => inTab(() => browser.executeScript(script)),
    call: callIn,
    element: async (fn, argument) => (await callIn<WebElement | null>(fn, argument)) ?? undefined,
    tap: (element) => inTab(() => element.click()),
    type: typeKeys,
    press: (key) => typeKeys(keys[key]),
    upload: (element, files) => inTab(() => element.sendKeys(files.join('\n'))),
    drag: (from, to) =>
      inTab(() =>
        browser
          .actions()
          .move({ ...whole(from), origin: Origin.VIEWPORT, duration: 0 })
          .press()
          .move({ ...whole(to), origin: Origin.VIEWPORT, duration: 150 })
          .release()
          .perform(),
      ),
    tapAt: (at, times) =>
      inTab(() => {
        const taps = browser.actions().move({ ...whole(at), origin: Origin.VIEWPORT, duration: 0 });
        for (let n = 0; n < times; n++) taps.press().release();
        return taps.perform();
      }),
    picture: async () => Buffer.from(await inTab(() => browser.takeScreenshot()), 'base64'),
    inFrame: (element, steps) =>
      inTab(async () => {
        await browser.switchTo().frame(element);
        try {
          return await steps(drive(browser, tab));
        } finally {
          await browser.switchTo().defaultContent();
        }
      }),
    close: () => inTab(() => browser.close()),
  };
}

const whole = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: Math.round(y) });
