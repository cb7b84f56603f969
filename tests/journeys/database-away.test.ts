import type { BrowserContext, Page } from '@playwright/test';
import type { Line } from '../support/line.ts';
import { type HouseBehindLine, openHouseBehindLine } from './behind-line.ts';
import { expect, test } from './house.ts';
import { showSalon } from './showing.ts';
import { becomeDemo, enter, expectPainted, makeLink, openDoor } from './steps.ts';

/* R20 as viewers see it: the database goes away for longer than anything may be looked at without it, and comes back. */
test.describe.configure({ mode: 'serial' });
test.setTimeout(240_000);

let house: HouseBehindLine;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  house = await openHouseBehindLine();
});
test.afterAll(() => house.close());

const photos = 8;
const strip = (viewer: Page) => viewer.getByRole('status').filter({ hasText: 'No connection' });
const openPhoto = (viewer: Page) => viewer.locator('.slide[data-current] canvas.full[data-painted]');
const painted = (viewer: Page) => viewer.locator('canvas[data-painted]');

/** Two who look: one at the gallery, one at a photo. */
async function openTwo(page: Page, open: (url: string) => Promise<{ phone: BrowserContext; viewer: Page }>) {
  await becomeDemo(page, house);
  const { url } = await makeLink(page, house.url, {});
  const [first, second] = [await open(url), await open(url)];
  for (const { viewer } of [first, second]) {
    await enter(viewer, photos);
    await viewer.evaluate(() => Object.assign(window, { isSamePage: true }));
  }
  await second.viewer.getByRole('button', { name: `Photo 2 of ${photos}` }).tap();
  await expect(openPhoto(second.viewer)).toHaveCount(1, { timeout: 20_000 });
  return [first, second] as const;
}

/** Takes the database away; what was on the way over the line is lost with it. */
function takeAway(state: Exclude<Line['state'], 'open'>): void {
  house.line.state = state;
  if (state === 'refused') house.line.cut();
}

/** Gives it back. What waits for a word that was swallowed waits in vain. */
function giveBack(): void {
  house.line.state = 'open';
}

/** Somebody looks into another app for a moment. */
async function lookAway(viewer: Page): Promise<void> {
  for (const visibility of ['hidden', 'visible'])
    await viewer.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, visibility);
}

/** The server tells this screen its news again. */
const untilToldNews = (viewer: Page) =>
  viewer.waitForResponse((answer) => answer.url().includes('/api/live/view') && answer.ok());

for (const state of ['refused', 'silent'] as const)
  test(`while the database is ${state === 'refused' ? 'gone' : 'dumb'} the pictures close and say why, and stand again without a reload when it is back`, async ({
    page,
    browser,
  }) => {
    const [gallery, photo] = await openTwo(page, (url) => openDoor(browser, url));
    takeAway(state);
    for (const { viewer } of [gallery, photo]) {
      await expect(strip(viewer)).toBeVisible({ timeout: 60_000 });
      await expect(painted(viewer)).toHaveCount(0, { timeout: 40_000 });
      await expect(strip(viewer)).toContainText('pictures will return');
    }
    await showSalon(gallery.viewer, `database-${state}`);
    await showSalon(photo.viewer, `database-${state}-photo`);
    const refused = photo.viewer.waitForResponse((answer) => answer.url().includes('/api/live/view'));
    await lookAway(photo.viewer);
    expect((await refused).status()).toBe(503);
    const toldNews = untilToldNews(photo.viewer);

    giveBack();
    const backAt = performance.now();
    const untilSharp = async ({ viewer }: { viewer: Page }, isSharp: () => Promise<void>) => {
      await isSharp();
      await expect(strip(viewer)).toBeHidden();
      expect(await viewer.evaluate(() => 'isSamePage' in window), 'nobody had to reload').toBe(true);
      return Math.round(performance.now() - backAt);
    };
    const tookMs = await Promise.all([
      untilSharp(gallery, () => expectPainted(gallery.viewer, photos)),
      untilSharp(photo, () => expect(openPhoto(photo.viewer)).toHaveCount(1, { timeout: 30_000 })),
    ]);
    await toldNews;
    test.info().annotations.push({ type: 'sharp again', description: `${tookMs.join(' and ')} ms` });
    await Promise.all([gallery.phone.close(), photo.phone.close()]);
  });
