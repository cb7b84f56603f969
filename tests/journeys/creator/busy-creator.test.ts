import type { Page } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { pictureOf, sizes } from '../support/looking.ts';
import { findCutOff, findMoving } from '../support/looking-in-page.ts';
import { visit } from '../support/showing.ts';
import { photosOf } from '../support/steps.ts';

/*
 * Every screen of a creator who has lived from this for a year, in both sizes: nothing is wider than the screen or cut off, and
 * what is long goes on. In the open field (`--field`) it is the whole year: 200 photos, 500 links, 100,000 visits.
 */
const isField = process.env.PF_FIELD === '1';
const life = isField
  ? { scenario: 'busy-creator', photos: 200, links: 500 }
  : { scenario: 'busy-creator-small', photos: 8, links: 120 };

test('every screen of a busy creator can be read, and every list goes on', async ({ page, app }) => {
  test.setTimeout(isField ? 1_800_000 : 300_000);
  await becomeBusy(page, app);
  await visit(page, app, '/', /, Mia$/);
  await expect(page.getByRole('list', { name: 'Latest links' }).locator('> li')).toHaveCount(3);
  await look(page, 'busy-home');

  await visit(page, app, '/albums', 'Albums');
  await expect(page.getByRole('link', { name: /Summer/ })).toContainText(`${life.photos} photos`);
  await look(page, 'busy-albums');
  await page.getByRole('link', { name: /Summer/ }).click();
  await expect(photosOf(page)).toHaveCount(life.photos);
  await look(page, 'busy-album');
  await page.getByRole('link', { name: /^Links \d/ }).click();
  await expect(page.getByRole('list', { name: 'Magic links' })).toBeVisible();
  await look(page, 'busy-album-links');
  await expectMore(page, 'Magic links', 50, 'More links');
  await page.getByRole('link', { name: 'Share' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy link' })).toBeVisible();
  await look(page, 'busy-link-sheet');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'What viewers see' })).toBeVisible();
  await look(page, 'busy-album-settings');
  await page.getByRole('link', { name: 'Found a leak?' }).click();
  await expect(page.getByText('No copies checked yet.')).toBeVisible();
  await look(page, 'busy-album-leaks');

  await visit(page, app, '/magic-links', 'Magic links');
  await expect(page.getByRole('list', { name: 'Magic links' })).toBeVisible();
  await look(page, 'busy-links');
  await expectMore(page, 'Magic links', 50, 'More links');
  const { links } = await call<{ links: { id: string }[] }>(page, app.url, 'GET', '/links?search=Bob%201&limit=50');
  await page.goto(`${app.url}/magic-links/${links.at(-1)?.id}`);
  await expect(page.getByRole('list', { name: 'Visits' })).toBeVisible();
  await look(page, 'busy-link');
  await expectMore(page, 'Visits and changes', 8, 'More visits and changes');

  for (const days of [30, 365]) {
    await visit(page, app, `/analytics?days=${days}`, 'Analytics');
    await expect(page.getByRole('heading', { name: 'Locations' })).toBeVisible();
    await look(page, `busy-analytics-${days}`);
    await expectMore(page, 'Viewers', 8, 'More viewers');
  }
  await page.getByRole('radio', { name: 'Visits' }).click();
  await expectMore(page, 'Visits', 8, 'More visits');
  await expectWholeNames(page, 'Visits');
  await look(page, 'busy-visits');

  await visit(page, app, '/profile', 'Profile');
  await expect(page.getByLabel('Display name')).toHaveValue('Mia');
  await look(page, 'busy-profile');
  await visit(page, app, '/profile/security', 'Password');
  await look(page, 'busy-security');
});

/** Somebody with a year behind her, made as `npm run seed` makes her. */
async function becomeBusy(page: Page, app: JourneyApp): Promise<void> {
  const [, email = ''] = /sign in +(\S+)/.exec(await app.seed(life.scenario)) ?? [];
  await app.become(page, email);
  const { counts } = await call<{ counts: { all: number } }>(page, app.url, 'GET', '/links');
  expect(counts.all).toBe(life.links);
}

/** A picture in both sizes; nothing is wider than the screen, and no words or controls are cut off. */
async function look(page: Page, name: string): Promise<void> {
  for (const { size, width, height } of sizes) {
    await page.setViewportSize({ width, height });
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expect(page.locator('figure:has(canvas):not([data-painted])')).toHaveCount(0, { timeout: 30_000 });
    await expect.poll(() => page.evaluate(findMoving), { intervals: [20, 50, 100] }).toEqual([]);
    await page.screenshot({ path: pictureOf(name, size), animations: 'disabled', scale: 'css' });
    const wideBy = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(wideBy, `${name}: wider than a screen of ${width} px`).toBeLessThanOrEqual(0);
    expect.soft(await page.evaluate(findCutOff), `${name}: cut off on a screen of ${width} px`).toEqual([]);
  }
}

/** A list that shows so many, and as many more when it is asked. */
async function expectMore(page: Page, label: string, count: number, more: string): Promise<void> {
  const rows = page.getByRole('list', { name: label, exact: true }).locator('> li');
  await expect(rows).toHaveCount(count, { timeout: 20_000 });
  await page.getByRole('button', { name: more }).click();
  await expect(rows).toHaveCount(2 * count, { timeout: 20_000 });
}

/** Whoever is called "Viewer 51…" cannot be told from others: names of a few letters stand there whole. */
async function expectWholeNames(page: Page, label: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const rows = page.getByRole('list', { name: label, exact: true });
  await expect(rows.getByText('not counted').first(), 'a chip takes room beside a name').toBeVisible();
  const cut = await rows
    .locator('.truncate')
    .evaluateAll((names) =>
      names.filter((name) => name.scrollWidth > name.clientWidth).map(({ textContent }) => textContent),
    );
  expect(cut).toEqual([]);
}
