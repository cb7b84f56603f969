import { setTimeout as wait } from 'node:timers/promises';
import puppeteer, { type Browser, type ElementHandle, type Frame, type JSHandle, type Page } from 'puppeteer-core';
import { createTab } from './create-tab.ts';
import type { Device, Engine, Habits, Look } from './engine.ts';
import type { TabDriver } from './tab.ts';

const looks = {
  phone: { width: 390, height: 844, deviceScaleFactor: 2 },
  desk: { width: 1280, height: 800, deviceScaleFactor: 1 },
} as const;

/** Firefox, by WebDriver BiDi. @param executablePath of `firefox-esr` or any other Firefox */
export async function openFirefox(executablePath: string, folder: string): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB, en', 'intl.locale.requested': 'en-GB' },
    env: { ...process.env, TZ: 'Europe/Berlin' },
  });
  return {
    name: 'firefox',
    openDevice: (look, habits) => openContext(browser, look, { folder, ...habits }),
    close: () => browser.close(),
  };
}

async function openContext(
  browser: Browser,
  look: Look,
  { folder, without }: Habits & { folder: string },
): Promise<Device> {
  const context = await browser.createBrowserContext();
  return {
    async openTab() {
      // A tab behind another one is hidden, and nothing is drawn there.
      const page = await context.newPage({ type: 'window' });
      await page.setViewport(looks[look]);
      if (without !== undefined) await page.evaluateOnNewDocument(without);
      return createTab(drive(page, page), folder);
    },
    async carry(cookies) {
      for (const { name, value, url } of cookies)
        await context.setCookie({ name, value, domain: new URL(url).hostname, path: '/', httpOnly: true });
    },
    close: () => context.close(),
  };
}

/**
 * Goes to an address from a page that a step through the history has brought back: Puppeteer would wait in vain, as it hears of nothing
 * that a page does which Firefox had only put away.
 */
async function leaveFor(page: Page, address: string | undefined): Promise<void> {
  await page.evaluate((to) => {
    Object.assign(window, { isLeft: true });
    if (to === undefined) location.reload();
    else location.assign(to);
  }, address);
  const isThere = () => !('isLeft' in window) && document.readyState === 'complete';
  for (let tries = 0; !(await page.evaluate(isThere).catch(() => false)); tries++) {
    if (tries === 300) throw new Error(`${address ?? 'The page'} is not there after 30 s.`);
    await wait(100);
  }
}

/** Pages in which a step through the history was made. */
const broughtBack = new WeakSet<Page>();

function drive(page: Page, frame: Page | Frame): TabDriver<ElementHandle<Element>> {
  const step = (by: number) => {
    broughtBack.add(page);
    // Puppeteer would wait for a page that loads, which a step within one is not.
    return page.evaluate((count) => history.go(count), by);
  };
  return {
    async open(address) {
      if (broughtBack.has(page)) await leaveFor(page, address);
      else await page.goto(address);
    },
    async reload() {
      if (broughtBack.has(page)) await leaveFor(page, undefined);
      else await page.reload();
    },
    back: () => step(-1),
    forward: () => step(1),
    async run(script) {
      await frame.evaluate(script);
    },
    call: (fn, argument) => frame.evaluate(fn as never, argument as never),
    async element(fn, argument) {
      const handle: JSHandle = await frame.evaluateHandle(fn as () => unknown, argument as never);
      return (handle.asElement() as ElementHandle<Element> | null) ?? undefined;
    },
    // With the mouse: this Firefox has no fingers, and takes a slow touch for a long one.
    tap: (element) => element.click(),
    type: (words) => page.keyboard.type(words),
    press: (key) => page.keyboard.press(key === 'Space' ? ' ' : key),
    upload: (element, files) => (element as ElementHandle<HTMLInputElement>).uploadFile(...files),
    async drag(from, to) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 10 });
      await page.mouse.up();
    },
    async tapAt({ x, y }, times) {
      for (let n = 0; n < times; n++) await page.mouse.click(x, y);
    },
    picture: () => page.screenshot(),
    async inFrame(element, steps) {
      const inner = await element.contentFrame();
      if (inner === null) throw new Error('It is no frame.');
      return steps(drive(page, inner));
    },
    close: () => page.close(),
  };
}
