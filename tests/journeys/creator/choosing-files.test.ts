import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, phoneLook, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show } from '../support/showing.ts';
import { photosOf } from '../support/steps.ts';

/* How files come into an album – dropped, picked, taken with the camera – and what the page says of those that cannot stay. */

const drawn = pictureFiles('evening', 'petals', 'sea', 'city');
test.setTimeout(240_000);

/** A file for a drop that is made in the page. */
interface Dropped {
  name: string;
  type: string;
  /** Base64; empty bytes follow up to `sizeBytes`. */
  content?: string;
  sizeBytes?: number;
}

test('dropped files: good ones come in, each other one says why not, and the queue goes on', async ({ page, app }) => {
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Dropped');
  const [good, second] = drawn.map((file) => readFileSync(file));
  const files: Dropped[] = [
    { name: 'huge.jpg', type: 'image/jpeg', content: encode(good), sizeBytes: 51e6 },
    { name: 'video.mp4', type: 'video/mp4', content: encode('\0\0\0\x18ftypmp42') },
    { name: 'letter.jpg', type: 'image/jpeg', content: encode('Dear Anna,\n'.repeat(200)) },
    { name: 'half.jpg', type: 'image/jpeg', content: encode(good?.subarray(0, good.length / 2)) },
    { name: 'evening.jpg', type: 'image/jpeg', content: encode(good) },
    { name: 'petals.jpg', type: 'image/jpeg', content: encode(second) },
  ];
  const zone = page.getByRole('region', { name: 'Photos', exact: true });
  await drag(zone, 'dragover', files);
  await expect(zone, 'it shows where they may be let go').toHaveClass(/outline-dashed/);
  await drag(zone, 'dragleave', files);
  await expect(zone).not.toHaveClass(/outline-dashed/);
  await drag(zone, 'dragover', files);
  await drag(zone, 'drop', files);
  await expect(zone).not.toHaveClass(/outline-dashed/);

  const tile = (name: string) =>
    page.getByRole('list', { name: 'Items' }).getByRole('listitem').filter({ hasText: name });
  await expect(tile('huge.jpg')).toContainText('Photos can be up to 50 MB.', { timeout: 60_000 });
  await expect(tile('video.mp4')).toContainText('This file is damaged – try exporting it again', { timeout: 60_000 });
  await expect(tile('letter.jpg')).toContainText("This file type isn't supported", { timeout: 60_000 });
  await expect(tile('half.jpg')).toContainText('This file is damaged – try exporting it again', { timeout: 60_000 });
  await expect(page.locator('figure[data-painted]'), 'both photos are there').toHaveCount(2, { timeout: 60_000 });
  await show(page, 'album-failed');

  // What the server says of a file does not change by asking again; what was damaged may be read once more.
  await expect(page.getByRole('button', { name: 'Try again: huge.jpg' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove huge.jpg' }).click();
  await expect(tile('huge.jpg')).toHaveCount(0);
  await tile('half.jpg')
    .getByRole('button', { name: /^Photo/ })
    .click();
  const damaged = page.getByRole('dialog', { name: 'half.jpg' });
  await expect(damaged.getByRole('alert')).toHaveText('This file is damaged – try exporting it again');
  const asked = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/rpc/media/retry');
  await damaged.getByRole('button', { name: 'Try again' }).click();
  expect((await asked).ok()).toBe(true);
  await expect(damaged.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 60_000 });
  await damaged.getByRole('button', { name: 'Delete' }).click();
  await expect(tile('half.jpg')).toHaveCount(0);
});

test('a phone: the picker says that files are prepared, the camera gives one, a refused one is tried again', async ({
  page,
  app,
  browser,
}) => {
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Taken');
  const phone = await browser.newContext({ ...phoneLook, storageState: await page.context().storageState() });
  const small = await phone.newPage();
  await small.goto(page.url());

  const chooser = await choose(small, 'Add photos or videos');
  expect(chooser.isMultiple()).toBe(true);
  await expect(small.getByRole('status').filter({ hasText: 'Your phone is preparing the items…' })).toBeVisible();
  await chooser.setFiles(drawn.slice(0, 2));
  await expect(small.getByText('Your phone is preparing the items…')).toBeHidden();
  await expect(photosOf(small)).toHaveCount(2, { timeout: 60_000 });

  const camera = await choose(small, 'Camera');
  expect(await camera.element().getAttribute('capture'), 'the camera on the back').toBe('environment');
  expect([camera.isMultiple(), await camera.element().getAttribute('accept')]).toEqual([false, 'image/*']);
  await camera.setFiles(drawn[2] ?? '');
  await expect(photosOf(small)).toHaveCount(3, { timeout: 60_000 });

  // The "+" above every page opens the same picker while she is in an album, from any of its tabs.
  await small.getByRole('link', { name: 'Settings' }).click();
  await expect(small.getByText('Visible mark').first()).toBeVisible();
  const [picker] = await Promise.all([
    small.waitForEvent('filechooser'),
    small.getByRole('link', { name: 'Upload' }).click(),
  ]);
  expect(picker.isMultiple()).toBe(true);
  await expect(small).toHaveURL(/\/albums\/[0-9a-f-]+$/);
  await picker.setFiles([]);

  // Signed out elsewhere in the middle: the file waits with its reason, and goes in once she is back.
  await small.route('**/files', async (route) => {
    const sent = route.request();
    const headers = Object.entries(sent.headers()).filter(([name]) =>
      /^(upload|tus|origin|content-type|x-)/.test(name),
    );
    const refused = await fetch(sent.url(), {
      method: 'POST',
      headers,
      body: sent.postDataBuffer()?.toString('latin1') ?? null,
    });
    expect(refused.status, 'without her cookie').toBe(401);
    await route.fulfill({ status: 401, contentType: 'application/json', body: await refused.text() });
  });
  await small.getByLabel('Photos to upload').setInputFiles(drawn[3] ?? '');
  const last = path.basename(drawn[3] ?? '');
  const again = small.getByRole('button', { name: `Try again: ${last}` });
  await expect(again).toBeVisible({ timeout: 30_000 });
  await expect(small.getByRole('listitem', { name: `${last}: Please sign in.` })).toBeVisible();
  await small.unroute('**/files');
  await again.click();
  await expect(photosOf(small)).toHaveCount(4, { timeout: 60_000 });
  await phone.close();
});

const encode = (content: string | Buffer = '') => Buffer.from(content).toString('base64');

/** What the browser tells a page when files come from another window. */
async function drag(zone: Locator, kind: 'dragover' | 'dragleave' | 'drop', files: readonly Dropped[]): Promise<void> {
  await zone.evaluate(
    (element, { type, dropped }) => {
      const dataTransfer = new DataTransfer();
      for (const { name, type, content, sizeBytes = 0 } of dropped) {
        const begun = Uint8Array.from(atob(content ?? ''), (letter) => letter.charCodeAt(0));
        const bytes = new Uint8Array(Math.max(sizeBytes, begun.length));
        bytes.set(begun);
        dataTransfer.items.add(new File([bytes], name, { type }));
      }
      element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    },
    { type: kind, dropped: [...files] },
  );
}

/** Opens a picker by its button; the page has the focus again before the files are there. */
async function choose(page: Page, name: string) {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name, exact: true }).tap(),
  ]);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  return chooser;
}
