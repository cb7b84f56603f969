import { expect, test } from '../support/app.ts';
import { call, gatherDemoPhotos } from '../support/calls.ts';
import { becomeDemo, enter, makeLink, openDoor, photosOf, renewNow } from '../support/steps.ts';

test.setTimeout(180_000);

test("a deleted photo vanishes from a screen that is open, and comes back from the album's deleted photos", async ({
  page,
  browser,
  app,
}) => {
  await becomeDemo(page, app);
  const albumId = await gatherDemoPhotos(page, app.url, 'Deleted and back', 3);
  await page.goto(`${app.url}/albums/${albumId}`);
  const link = await makeLink(page, app.url, { albumIds: [albumId], isLaxConfirmed: true });
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 3);
  const cells = viewer.locator('#grid').getByRole('button');
  await cells.first().click();
  await expect(viewer.getByRole('dialog', { name: 'Pictures' })).toBeVisible();

  // It has just renewed, and would again in 15 s: whatever changes it sooner was asked for by the live line.
  await renewNow(viewer);
  const renewedAt = performance.now();
  await page.getByRole('button', { name: /^Select: Photo 1/ }).click();
  await page.getByRole('toolbar', { name: 'Selected items' }).getByRole('button', { name: 'Delete' }).click();
  await expect(photosOf(page)).toHaveCount(2);
  await expect(cells).toHaveCount(2, { timeout: 10_000 });
  expect(performance.now() - renewedAt, 'sooner than any renewal was due').toBeLessThan(14_000);
  await expect(viewer.getByRole('dialog', { name: 'Pictures' })).toBeHidden();
  await expect(cells.first()).toHaveAccessibleName(/^Photo 1 of 2/);
  await cells.first().click();
  await expect(
    viewer.getByRole('dialog', { name: 'Pictures' }).getByRole('img', { name: 'Photo 1 of 2' }),
  ).toBeVisible();
  await viewer.keyboard.press('ArrowRight');
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 2 of 2' })).toBeAttached();

  await page.getByRole('button', { name: 'Deleted items' }).click();
  const deleted = page.getByRole('list', { name: 'Deleted items' });
  await expect(deleted.getByText('72 hours left')).toBeVisible();
  await deleted.getByRole('button', { name: /^Undo/ }).click();
  await expect(photosOf(page)).toHaveCount(3);
  await expect(page.getByText('Nothing here.', { exact: false })).toBeVisible();
  const { items } = await call<{ items: unknown[] }>(page, app.url, 'GET', `/albums/${albumId}`);
  expect(items).toHaveLength(3);
  await phone.close();
});
