import { type Browser, chromium, type ElementHandle, type Frame, type Page } from '@playwright/test';
import { phoneLook } from '../../journeys/support/app.ts';
import { findBrowser } from '../../support/browser.ts';
import { createTab } from './create-tab.ts';
import type { Device, Engine, Habits, Look } from './engine.ts';
import type { TabDriver } from './tab.ts';

const deskLook = { viewport: { width: 1280, height: 800 }, locale: 'en-GB', timezoneId: 'Europe/Berlin' };

/** The engine that the other journeys know, by Playwright. */
export async function openChromium(folder: string): Promise<Engine> {
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
  return {
    name: 'chromium',
    openDevice: (look, habits) => openContext(browser, look, { folder, ...habits }),
    close: () => browser.close(),
  };
}

async function openContext(
  browser: Browser,
  look: Look,
  { folder, without }: Habits & { folder: string },
): Promise<Device> {
  const context = await browser.newContext(look === 'phone' ? phoneLook : deskLook);
  // Without a window nobody could be asked.
  await context.grantPermissions(['clipboard-write']);
  if (without !== undefined) await context.addInitScript(without);
  return {
    openTab: async () => {
      const page = await context.newPage();
      return createTab(drive(page, page, look), folder);
    },
    async carry(cookies) {
      await context.addCookies(cookies.map(({ name, value, url }) => ({ name, value, url, httpOnly: true })));
    },
    close: () => context.close(),
  };
}

function drive(page: Page, frame: Page | Frame, look: Look): TabDriver<ElementHandle<Element>> {
  return {
    async open(address) {
      await page.goto(address);
    },
    async reload() {
      await page.reload();
    },
    async back() {
      await page.goBack();
    },
    async forward() {
      await page.goForward();
    },
    async run(script) {
      await frame.evaluate(script);
    },
    call: (fn, argument) => frame.evaluate(fn as never, argument as never),
    async element(fn, argument) {
      const handle = await frame.evaluateHandle(fn as never, argument as never);
      return (handle.asElement() as ElementHandle<Element> | null) ?? undefined;
    },
    tap: (element) => (look === 'phone' ? element.tap() : element.click()),
    type: (words) => page.keyboard.type(words),
    press: (key) => page.keyboard.press(key),
    upload: (element, files) => element.setInputFiles([...files]),
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
      return steps(drive(page, inner, look));
    },
    close: () => page.close(),
  };
}
