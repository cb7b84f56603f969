import type { Page } from '@playwright/test';
import { formatBytes } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { expect, type JourneyApp, phoneLook, test } from '../support/app.ts';
import { call, openNewAlbum } from '../support/calls.ts';
import { middleOf, openFingers } from '../support/fingers.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { photosOf } from '../support/steps.ts';

/* An album's life in the page: words, cover, order, storage, archive, deletion and the way back; the keyboard's part is `keyboard.test.ts`. */

test.setTimeout(240_000);

interface AlbumOfApi {
  album: {
    name: string;
    description: string;
    state: string;
    cover: { mediaId: string } | null;
    deleteAt: string | null;
  };
  items: { id: string; caption: string; sizeBytes: number }[];
}

test('an album is named, described, ordered, archived, deleted and brought back', { tag: '@main' }, async ({
  page,
  app,
  browser,
}) => {
  await app.newCreator(page);
  const albumId = await openNewAlbum(page, app.url, 'A first name', pictureFiles('dunes', 'lamp', 'linen'));
  const read = () => call<AlbumOfApi>(page, app.url, 'GET', `/albums/${albumId}`);
  const order = async () => (await read()).items.map(({ id }) => id);

  await expectStorage(page, (await read()).items);
  await page.getByRole('link', { name: /A first name/ }).click();

  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.getByLabel('Name').fill('By the water');
  await page.getByLabel('Description').fill('Four days in June.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'By the water', level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Description')).toHaveValue('Four days in June.');
  expect((await read()).album).toMatchObject({ name: 'By the water', description: 'Four days in June.' });

  await page.getByRole('link', { name: /^Items/ }).click();
  const [one = '', two = '', three = ''] = await order();
  await photosOf(page).nth(1).click();
  const photo = page.getByRole('dialog', { name: 'Photo' });
  await photo.getByLabel('Caption').fill('The second evening');
  await photo.getByRole('button', { name: 'Save' }).click();
  await expect(photo.getByRole('button', { name: 'Save' }), 'it is saved').toBeDisabled();
  await photo.getByRole('button', { name: 'Use as cover' }).click();
  await expect(page.getByText('Cover updated')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Photo 2 of 3, The second evening', exact: true })).toBeVisible();
  expect((await read()).album.cover?.mediaId).toBe(two);

  // The mouse takes the first photo behind the last one, and a reload finds it there.
  await dragFirstToLast(page);
  await expect.poll(order).toEqual([two, three, one]);
  await page.reload();
  expect(await placesOf(page)).toEqual([two, three, one]);

  await expectCover(page, app, { name: 'By the water', mediaId: two });
  await orderOnPhone(await browser.newContext({ ...phoneLook, storageState: await page.context().storageState() }));
  expect(await order()).toEqual([three, one, two]);

  await page.goto(`${app.url}/albums/${albumId}/settings`);
  await page.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText("archived: links say it's unavailable", { exact: false })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Share' })).toBeHidden();
  await expectListed(page, 'Archived', 'By the water');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('link', { name: 'Share' })).toBeVisible();

  await page.getByRole('button', { name: 'Delete album' }).click();
  const question = page.getByRole('dialog', { name: 'Delete “By the water”?' });
  await expect(question).toContainText('You can undo this for 72 hours.');
  await question.getByRole('button', { name: 'Delete album' }).click();
  await expect(page.getByText('This album is deleted. You can restore it until')).toBeVisible();
  const { state, deleteAt } = (await read()).album;
  expect(state).toBe('deleting');
  const hours = (Date.parse(deleteAt ?? '') - Date.now()) / 3_600_000;
  expect([hours > 71, hours <= 72], 'for 72 hours').toEqual([true, true]);
  const place = await page.evaluate(() => {
    const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return { locale, timeZone };
  });
  const until = formatMoment(new Date(deleteAt ?? ''), new Date(), place);
  await expect(page.getByText(until), 'which the page says to the minute').toBeVisible();
  await expectListed(page, 'Deleted', 'By the water');
  await page.getByRole('button', { name: 'Undo delete' }).click();
  await expect(page.getByRole('link', { name: 'Share' })).toBeVisible();
  expect((await read()).album.state).toBe('ready');
  await page.getByRole('link', { name: /^Items/ }).click();
  await expect(photosOf(page)).toHaveCount(3);
  expect(await placesOf(page), 'as it was').toEqual([three, one, two]);

  /** With a finger that rests on a photo until it is lifted. */
  async function orderOnPhone(phone: Awaited<ReturnType<typeof browser.newContext>>) {
    const small = await phone.newPage();
    await small.goto(`${app.url}/albums/${albumId}`);
    await expect(photosOf(small)).toHaveCount(3);
    await expect(small.getByText('Press and hold a photo to rearrange.')).toBeVisible();
    const fingers = await openFingers(small);
    const [from, to] = [await middleOf(photosOf(small).first()), await middleOf(photosOf(small).last())];
    await fingers.move([[from, to]], { holdMs: 600 });
    await expect.poll(order).toEqual([three, one, two]);
    await phone.close();
  }
});

/** Goes to the albums and reads the storage bar: it counts what was just uploaded. */
async function expectStorage(page: Page, items: readonly { sizeBytes: number }[]): Promise<void> {
  const usedBytes = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  await page.getByRole('link', { name: 'Albums', exact: true }).first().click();
  const storage = page.getByRole('region', { name: 'Storage' });
  await expect(storage).toContainText(`${formatBytes(usedBytes)} of ${formatBytes(2e9)} used.`);
  const done = await storage.getByRole('progressbar', { name: 'Storage used' }).getAttribute('aria-valuenow');
  expect(Number(done)).toBe(Math.round((100 * usedBytes) / 2e9));
}

/** The photos in the order in which the page shows them. */
async function placesOf(page: Page): Promise<(string | null)[]> {
  await expect(photosOf(page).first()).toBeVisible();
  return page.locator('[data-photo]').evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('data-photo')));
}

async function dragFirstToLast(page: Page): Promise<void> {
  const [from, to] = [await middleOf(photosOf(page).first()), await middleOf(photosOf(page).last())];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await page.mouse.up();
}

/** The list of albums draws the album by this photo. */
async function expectCover(page: Page, { url }: JourneyApp, { name, mediaId }: { name: string; mediaId: string }) {
  const asked = page.waitForRequest((request) => (request.postData() ?? '').includes(mediaId));
  await page.goto(`${url}/albums`);
  const tile = page.getByRole('link', { name: new RegExp(name) });
  await expect(tile.locator('figure[data-painted]')).toHaveCount(1, { timeout: 20_000 });
  expect(new URL((await asked).url()).pathname).toBe('/api/media/leases');
}

/** Goes to the albums of one kind, where it stands, and back to its settings. */
async function expectListed(page: Page, kind: 'Archived' | 'Deleted', name: string): Promise<void> {
  const settings = page.url();
  await page.getByRole('link', { name: 'Albums', exact: true }).first().click();
  await page.getByRole('radio', { name: kind }).click();
  await expect(page.getByRole('link', { name: new RegExp(name) })).toContainText(kind);
  await page.goto(settings);
}
