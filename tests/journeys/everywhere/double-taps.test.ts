import type { Page } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { tapCopy } from '../support/steps.ts';

/* Whoever is impatient, or hears no answer, taps again: what she asked for once is made once. */

test.setTimeout(240_000);

const listNames = async (page: Page, { url }: JourneyApp) =>
  (await call<{ albums: { name: string }[] }>(page, url, 'GET', '/albums')).albums.map(({ name }) => name).toSorted();

async function openNew(page: Page, { url }: JourneyApp, name: string) {
  await page.goto(`${url}/albums?new=1`);
  await page.getByLabel('Name').fill(name);
  return page.getByRole('button', { name: 'Create album' });
}

test('a double click, Enter held down, a lost answer and a second tab make one album each', async ({
  page,
  app,
  context,
}) => {
  await app.newCreator(page);
  await (await openNew(page, app, 'Double click')).dblclick();
  await expect(page.getByRole('heading', { name: 'Double click', level: 1 })).toBeVisible();

  await openNew(page, app, 'Enter');
  // Both before anything can be drawn.
  await page.getByLabel('Name').evaluate((field: HTMLInputElement) => {
    field.form?.requestSubmit();
    field.form?.requestSubmit();
  });
  await expect(page.getByRole('heading', { name: 'Enter', level: 1 })).toBeVisible();

  const create = await openNew(page, app, 'Lost answer');
  await page.route('**/rpc/albums/create', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await create.click();
  await expect(page.getByRole('dialog').getByText(/Check your connection/)).toBeVisible();
  await page.unroute('**/rpc/albums/create');
  // Another tab knows the request that has had no answer; so does this one.
  const other = await context.newPage();
  await (await openNew(other, app, 'Lost answer')).click();
  await expect(other.getByRole('heading', { name: 'Lost answer', level: 1 })).toBeVisible();
  await create.click();
  await expect(page.getByRole('heading', { name: 'Lost answer', level: 1 })).toBeVisible();
  expect(await listNames(page, app)).toEqual(['Double click', 'Enter', 'Lost answer']);

  // What was answered is over: the same name again is another album.
  await (await openNew(page, app, 'Enter')).click();
  await expect(page.getByRole('heading', { name: 'Enter', level: 1 })).toBeVisible();
  expect(await listNames(page, app)).toEqual(['Double click', 'Enter', 'Enter', 'Lost answer']);
});

test('a link whose answer was lost is the link of the next tap', async ({ page, app }) => {
  await app.newCreator(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const albumId = await makeAlbum(page, app.url, 'By the water', pictureFiles('dunes'));
  await page.goto(`${app.url}/albums/${albumId}/links?new=1`);
  await page.route('**/rpc/links/create', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await tapCopy(page);
  await expect(page.getByText("Couldn't create the link")).toBeVisible();
  await page.unroute('**/rpc/links/create');
  await page.getByRole('button', { name: 'Copy link' }).dblclick();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const { links } = await call<{ links: object[] }>(page, app.url, 'GET', '/links');
  expect(links).toHaveLength(1);
});

test('the second click of a double click neither closes nor doubles what the first one has opened', async ({
  page,
  app,
}) => {
  await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Double click');
  const dialog = page.getByRole('dialog');
  /** It is there once, and a click beside it closes it. */
  const expectOnce = async () => {
    await expect(dialog).toBeVisible();
    await page.waitForTimeout(500);
    await page.mouse.click(5, 5);
    await expect(dialog).toBeHidden();
  };
  await page.goto(`${app.url}/albums/${albumId}/settings`);
  await page.getByRole('button', { name: 'Delete album' }).dblclick();
  await expectOnce();
  await page.goto(`${app.url}/albums`);
  await page.getByRole('button', { name: 'New Album' }).first().dblclick();
  await expectOnce();
});
