import type { Page } from '@playwright/test';
import { expect, test } from './house.ts';
import {
  becomeDemo,
  copyLink,
  drawPictures,
  enter,
  expectDark,
  listLinks,
  makeAlbum,
  makeLink,
  openDoor,
} from './steps.ts';

const drawn = drawPictures(['evening', 'petals', 'sea']);
test.afterAll(() => drawn.remove());

test('from sign-up to a look on another phone, watched live and taken back', async ({ page, house, browser }) => {
  test.setTimeout(180_000);
  await house.newCreator(page);
  await page.getByRole('button', { name: /Upload photos/ }).click();
  await makeAlbum(page, 'Golden hour', drawn.files);

  // Two taps from the album to the copied link (look: signature moment 2).
  await page.getByRole('link', { name: 'Share' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const address = await copyLink(page);
  expect(address).toMatch(new RegExp(`^${house.url}/view/[A-Za-z0-9-]{12,}$`));

  const { phone, viewer } = await openDoor(browser, address);
  await expect(viewer).toHaveTitle(/private album/i);
  expect((await listLinks(page, house.url))[0]?.viewsCount, 'a door that stands there counts nothing').toBe(0);
  await enter(viewer, 3);
  await viewer.getByRole('button', { name: 'Photo 1 of 3' }).click();
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 1 of 3' })).toBeAttached();
  await expect(viewer.locator('.slide[data-current] canvas[data-painted]')).toHaveCount(1, { timeout: 20_000 });

  await page.goto(`${house.url}/analytics`);
  const screens = page.getByRole('region', { name: 'Looking now' });
  await expect(screens).toContainText('is looking now', { timeout: 20_000 });
  await expect(screens).toContainText('Golden hour · photo 1 of 3', { timeout: 20_000 });
  await viewer.keyboard.press('ArrowRight');
  await expect(screens).toContainText('photo 2 of 3', { timeout: 30_000 });
  await page.goto(house.url);
  await expect(page.getByRole('region', { name: 'Looking now' })).toContainText('is looking now');
  await expectViews(page, house.url, undefined, 1);

  await page.goto(`${house.url}/magic-links`);
  await expect(page.getByRole('list', { name: 'Magic links' })).toContainText('looking now');
  await revokeFirstLink(page);
  // By the live line or by a renewal, whichever comes first: `closing.test.ts` lets each do it alone.
  await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 10_000 });
  await expectDark(viewer);
  await expect(page.getByRole('list', { name: 'Magic links' })).toContainText('Revoked');
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByText('The creator has ended access to this link.')).toBeVisible();
  await phone.close();
});

test("the creator's own look shows her the album and is not counted", async ({ page, house }) => {
  await becomeDemo(page, house);
  // A link of its own: other journeys look at the demo's.
  const link = await makeLink(page, house.url, { linkName: 'Only me' });
  await page.goto(link.url);
  await enter(page, 8);
  await page.getByRole('button', { name: /^Photo 1 of 8/ }).click();
  // Longer than a view needs to count (2 s) and one renewal, which brings word of it.
  await page.waitForTimeout(4000);
  await page.goto(`${house.url}/analytics`);
  await page.getByRole('radio', { name: 'Not counted' }).click();
  await expect(page.getByText('Your own look').first()).toBeVisible({ timeout: 20_000 });
  await expectViews(page, house.url, 'Only me', 0);
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
