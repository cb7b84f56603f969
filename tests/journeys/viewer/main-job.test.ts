import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show } from '../support/showing.ts';
import {
  becomeDemo,
  copyLink,
  enter,
  expectDark,
  expectPainted,
  listLinks,
  makeLink,
  openDoor,
  renewNow,
} from '../support/steps.ts';
import { fetched } from '../support/video-watch.ts';

test('from an album to a look on another phone, watched live and taken back', { tag: '@main' }, async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(240_000);
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Golden hour', pictureFiles('evening', 'petals'));

  // Two taps from the album to the copied link.
  await page.getByRole('link', { name: 'Share' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const address = await copyLink(page);
  expect(address).toMatch(new RegExp(`^${app.url}/view/[A-Za-z0-9-]{12,}$`));

  const { phone, viewer } = await openDoor(browser, address);
  await expect(viewer).toHaveTitle(/private album/i);
  expect((await listLinks(page, app.url))[0]?.viewsCount, 'a door that stands there counts nothing').toBe(0);
  await enter(viewer, 2);
  await viewer.getByRole('button', { name: 'Photo 1 of 2' }).click();
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 1 of 2' })).toBeAttached();
  await expect(viewer.locator('.slide[data-current] canvas[data-painted]')).toHaveCount(1, { timeout: 20_000 });

  await page.goto(`${app.url}/analytics`);
  await renewNow(viewer);
  const screens = page.getByRole('region', { name: 'Looking now' });
  await expect(screens).toContainText('is looking now', { timeout: 20_000 });
  await expect(screens).toContainText('Golden hour · photo 1 of 2', { timeout: 20_000 });
  await viewer.keyboard.press('ArrowRight');
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 2 of 2' })).toBeAttached();
  await renewNow(viewer);
  await expect(screens).toContainText('photo 2 of 2', { timeout: 30_000 });
  await page.goto(app.url);
  await expect(page.getByRole('region', { name: 'Looking now' })).toContainText('is looking now');
  await expectViews(page, app.url, undefined, 1);

  // She closes the open screen herself; the link still opens.
  await page.getByRole('button', { name: 'Close their screen' }).click();
  await expect(viewer.getByRole('heading', { name: 'The creator closed this view' })).toBeVisible();
  await expectDark(viewer);
  await expect(page.getByText(/screen is closed$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close their screen' })).toHaveCount(0);
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 2);

  await page.goto(`${app.url}/magic-links`);
  await expect(page.getByRole('list', { name: 'Magic links' })).toContainText('looking now');
  await revokeFirstLink(page);
  // By the live line or by a renewal, whichever comes first: `closing.test.ts` lets each do it alone.
  await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'My purchases' })).toHaveAttribute('href', '/my');
  await expect(viewer.getByRole('link', { name: 'Report a problem' })).toHaveAttribute('href', '/report');
  await expectDark(viewer);
  await expect(page.getByRole('list', { name: 'Magic links' })).toContainText('Revoked');
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByText('The creator has ended access to this link.')).toBeVisible();
  await phone.close();
  await readAnalytics(page, app.url);
});

/** What the page of figures tells of this one viewer; her name is given, and the table is taken home. */
async function readAnalytics(page: Page, url: string): Promise<void> {
  const [link] = await listLinks(page, url);
  await page.goto(`${url}/analytics`);
  const measured = page.getByText('Views', { exact: true }).first().locator('..');
  await expect(measured).toHaveText(`Views${link?.viewsCount}`, { timeout: 20_000 });
  const links = page.getByRole('heading', { name: 'Links', exact: true }).locator('..');
  await expect(links.getByRole('listitem')).toContainText(`${link?.viewsCount} view`);
  await expect(links.getByRole('link')).toHaveAttribute('href', `/magic-links/${link?.id}`);
  const photos = page
    .getByRole('region', { name: 'Photos' })
    .or(page.locator('section:has(> div h2:text-is("Photos"))'));
  await expect(photos.getByText(/^\d+ views?$/).first()).toBeVisible();

  const viewers = page.getByRole('list', { name: 'Viewers' });
  await expect(viewers.getByRole('listitem')).toHaveCount(1);
  await expect(viewers).toContainText('2 visits');
  await viewers.getByRole('button', { name: /^Name / }).click();
  await show(page, 'analytics-name', async () => undefined);
  await page.getByLabel('Name', { exact: true }).fill('Noor');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(viewers.getByRole('button', { name: 'Name Noor' })).toBeVisible();
  await page.getByRole('radio', { name: 'Visits' }).click();
  const visits = page.getByRole('list', { name: 'Visits' });
  await expect(visits.getByRole('listitem').filter({ hasText: 'Noor' })).toHaveCount(2);
  await expect(visits).toContainText('screen closed by you');
  await expect(visits).toContainText('screen closed by revoking');
  await show(page, 'analytics-visits');

  const [table] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()]);
  const lines = readFileSync(await table.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines[0]).toContain('Started (UTC)');
  expect(lines.slice(1).filter((line) => line.includes('Noor'))).toHaveLength(2);

  const asked = page.waitForRequest(
    (request) => /insights/.test(request.url()) && /"days":7\b/.test(request.postData() ?? ''),
  );
  await page.getByRole('radio', { name: '7 days', exact: true }).click();
  await asked;
  await expect(page).toHaveURL(/days=7$/);
  await expect(page.getByRole('link', { name: 'CSV' })).toHaveAttribute('href', /days=7$/);
  await expect(measured).toHaveText(`Views${link?.viewsCount}`);
}

test("the creator's own look shows her the album and is not counted", async ({ page, app }) => {
  await becomeDemo(page, app);
  // A link of its own: other journeys look at the demo's.
  const link = await makeLink(page, app.url, { linkName: 'Only me' });
  await page.goto(link.url);
  await enter(page, 8);
  await page.getByRole('button', { name: /^Photo 1 of 8/ }).click();
  // A renewal brings word of what was seen, and a view counts after two seconds.
  await page.waitForTimeout(2500);
  await renewNow(page);
  expect(await fetched(page, '/video-'), 'photos need nothing that plays videos').toEqual([]);
  await page.goto(`${app.url}/analytics`);
  await page.getByRole('radio', { name: 'Not counted' }).click();
  await expect(page.getByText('Your own visit').first()).toBeVisible({ timeout: 20_000 });
  await expectViews(page, app.url, 'Only me', 0);
});

/** The views of the links with a name; of all links without one. */
async function expectViews(page: Page, url: string, name: string | undefined, views: number): Promise<void> {
  const count = async () =>
    (await listLinks(page, url))
      .filter(({ linkName }) => name === undefined || linkName === name)
      .reduce((sum, { viewsCount }) => sum + viewsCount, 0);
  await expect.poll(count, { timeout: 30_000 }).toBe(views);
}

/** By the row's menu, which asks first. */
async function revokeFirstLink(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click();
}
