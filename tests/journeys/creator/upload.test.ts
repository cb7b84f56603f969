import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page, Request } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { call, openNewAlbum } from '../support/calls.ts';
import { drawLine, drawNoise, slowDown } from '../support/noise.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show } from '../support/showing.ts';
import { becomeDemo, photosOf } from '../support/steps.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-noise-'));
const many = pictureFiles('dunes', 'lamp', 'linen', 'evening', 'petals');
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
test.setTimeout(300_000);

const megabyte = 1_000_000;
/** The line once it has been seen that an upload goes on. */
const fast = { offline: false, bytesPerSecond: 30 * megabyte };

test('an upload whose server is killed in the middle goes on by itself, and the original is byte-identical', async ({
  page,
  ownApp,
}) => {
  const { file, sent, line } = await beginUpload(page, ownApp, 'Killed');
  await expectSent(page, 9 * megabyte);
  await ownApp.killAndRestart();
  await drawLine(line, fast);
  await expect(photosOf(page)).toHaveCount(1, { timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, ownApp, file);
});

test('a reload in the middle asks first, brings the list back and goes on', { tag: '@main' }, async ({ page, app }) => {
  const { file, sent, line } = await beginUpload(page, app, 'Reloaded');
  await expectSent(page, 9 * megabyte);
  let asked = '';
  page.on('dialog', (dialog) => {
    asked = dialog.type();
    return dialog.accept();
  });
  await page.reload();
  expect(asked).toBe('beforeunload');
  await expect(page.getByText('Keep this page open while uploading.', { exact: false })).toBeVisible({
    timeout: 30_000,
  });
  await drawLine(line, fast);
  await expect(photosOf(page)).toHaveCount(1, { timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, app, file);
});

test('an upload whose file this browser lost asks to choose it again, and goes on with that file only', async ({
  page,
  app,
}) => {
  const { file, sent, line } = await beginUpload(page, app, 'Lost');
  await expectSent(page, 9 * megabyte);
  await loseFiles(page, app, line);
  await show(page, 'upload-choose-again');
  const other = path.join(folder, 'Other.png');
  drawNoise(other);
  const bugs: Error[] = [];
  page.on('pageerror', (bug) => bugs.push(bug));
  const choose = page.getByLabel('The file Lost.png');
  await choose.dispatchEvent('change');
  await expect(
    page.getByText(/MB uploaded\. Choose it again/),
    'a picker that was closed without a choice',
  ).toBeVisible();
  await choose.setInputFiles(other);
  await expect(page.getByText("That's a different file. Choose Lost.png again.")).toBeVisible();
  // Taken away, or on a drive that is gone, since it was chosen.
  await page.evaluate(() => {
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async () => {
      Blob.prototype.arrayBuffer = read;
      throw new DOMException('It could not be read', 'NotReadableError');
    };
  });
  await choose.setInputFiles(file);
  await expect(page.getByText("That file can't be read. Choose Lost.png again.")).toBeVisible();
  expect(bugs).toEqual([]);
  await page.getByLabel('The file Lost.png').setInputFiles(file);
  await expect(photosOf(page)).toHaveCount(1, { timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, app, file);
});

test('a file too large for the memory of a phone goes up in pieces, and is known again by some of them', async ({
  page,
  app,
}) => {
  await page.addInitScript((mostBytes) => {
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = function (this: Blob) {
      // What browsers say of a file of some gigabytes.
      if (this.size > mostBytes) return Promise.reject(new DOMException('It could not be read', 'NotReadableError'));
      return read.call(this);
    };
  }, 16 * megabyte);
  // No video, but it begins like one: whether it can be played is asked when all of it is here.
  const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1');
  const [whole, other] = ['Large.mp4', 'Other.mp4'].map((name) => {
    const file = path.join(folder, name);
    writeFileSync(file, Buffer.concat([head, randomBytes(70 * megabyte)]));
    return file;
  });
  if (whole === undefined || other === undefined) throw new Error('two files were written');
  const { sent, line } = await sendSlowly(page, app, whole, 6 * megabyte);
  await expectSent(page, 9 * megabyte);
  await loseFiles(page, app, line);
  const choose = page.getByLabel('The file Large.mp4');
  expect(await choose.getAttribute('accept'), 'a phone offers videos').toContain('video/*');
  await choose.setInputFiles(other);
  await expect(page.getByText("That's a different file. Choose Large.mp4 again.")).toBeVisible();
  await choose.setInputFiles(whole);
  await expect(page.getByRole('button', { name: /^Video 1 of 1/ })).toBeVisible({ timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, app, whole);
});

test('an upload outlives a lost network', async ({ page, app }) => {
  const { file, sent, line } = await beginUpload(page, app, 'Offline');
  await expectSent(page, 9 * megabyte);
  const failed: Request[] = [];
  page.on('requestfailed', (request) => failed.push(request));
  await drawLine(line, { offline: true });
  // No upload is given up when tries fail.
  await expect.poll(() => failed.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  await expect(page.getByRole('listitem', { name: /MB of/ })).toBeVisible();
  await drawLine(line, fast);
  await expect(photosOf(page)).toHaveCount(1, { timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, app, file);
});

test('a pause stops the bytes, and the screen may sleep; going on sends the rest', async ({ page, app }) => {
  await page.context().grantPermissions(['screen-wake-lock']);
  await recordScreenLocks(page);
  const { file, sent } = await beginUpload(page, app, 'Paused', 1200);
  await expectSent(page, 3 * megabyte);
  expect(await locksOf(page), 'the screen stays on while bytes are sent').toEqual(['screen']);
  await page.getByRole('button', { name: 'Pause Paused.png' }).click();
  const tile = page.getByRole('listitem', { name: /^Paused.png: Paused at/ });
  await expect(tile).toBeVisible();
  await expect.poll(() => locksOf(page)).toEqual(['screen', 'released']);
  const pausedAt = await tile.getAttribute('aria-label');
  const requests = sent.length;
  await page.waitForTimeout(1500);
  expect(await tile.getAttribute('aria-label'), 'no byte more').toBe(pausedAt);
  expect(sent.length, 'nor a request').toBe(requests);
  await page.getByRole('button', { name: 'Resume Paused.png' }).click();
  await expect.poll(() => locksOf(page)).toEqual(['screen', 'released', 'screen']);
  await expect(photosOf(page)).toHaveCount(1, { timeout: 60_000 });
  await expect.poll(() => locksOf(page)).toEqual(['screen', 'released', 'screen', 'released']);
  await expectContinued(sent);
  await expectSameOriginal(page, app, file);
});

test('many photos at once: each has one place in the grid from the choice to the end', async ({ page, app }) => {
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Many');
  const { most, hasSaid, stop } = await watchPlaces(page);
  const pick = async () => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add photos or videos' }).click(),
    ]);
    // The window has the focus again before the files are there.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    return chooser;
  };
  const [first = '', ...others] = many;
  await (await pick()).setFiles(first);
  await expect(page.getByRole('list', { name: 'Items' }).getByRole('listitem')).toHaveCount(1);
  expect(await hasSaid(), 'nothing flashes up where the files come at once').toBe(false);
  const slow = await pick();
  await expect(page.getByText('Fetching the items…')).toBeVisible();
  await slow.setFiles(others);
  await expect(page.getByText('Fetching the items…')).toBeHidden();
  await expect(photosOf(page)).toHaveCount(many.length, { timeout: 60_000 });
  await stop();
  expect(await most(), 'never one photo in two places').toBe(many.length);
});

/** Writes down when the page asks the browser to keep the screen on, and when that ends; the browser's own answer counts. */
const recordScreenLocks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const reported: string[] = [];
    Object.assign(window, { told: reported });
    const request = WakeLock.prototype.request;
    WakeLock.prototype.request = async function (this: WakeLock, type) {
      const lock = await request.call(this, type);
      reported.push(lock.type);
      lock.addEventListener('release', () => reported.push('released'));
      return lock;
    };
  });

const locksOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { reported: string[] }).reported);

/** Counts the places of the grid after each change of it, and whether the page said that it waits for files. */
async function watchPlaces(page: Page) {
  await page.evaluate(() => {
    const counted = { most: 0, hasSaid: false };
    const count = () => {
      const places = document.querySelectorAll('ul[aria-label="Items"] > li').length;
      counted.most = Math.max(counted.most, places);
      counted.hasSaid ||= document.body.textContent.includes('Fetching the items');
    };
    const watch = new MutationObserver(count);
    watch.observe(document.body, { childList: true, subtree: true });
    Object.assign(window, { counted, watch });
  });
  type Watched = { counted: { most: number; hasSaid: boolean }; watch: MutationObserver };
  return {
    most: () => page.evaluate(() => (window as unknown as Watched).counted.most),
    hasSaid: () => page.evaluate(() => (window as unknown as Watched).counted.hasSaid),
    stop: () => page.evaluate(() => (window as unknown as Watched).watch.disconnect()),
  };
}

/** An album of its own, and a large picture that goes up slowly enough to be caught in the middle. */
async function beginUpload(page: Page, app: JourneyApp, name: string, height?: number) {
  const file = path.join(folder, `${name}.png`);
  drawNoise(file, height);
  return { file, ...(await sendSlowly(page, app, file, 2.5 * megabyte)) };
}

async function sendSlowly(page: Page, app: JourneyApp, file: string, bytesPerSecond: number) {
  await becomeDemo(page, app);
  await openNewAlbum(page, app.url, path.parse(file).name);
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/files')) sent.push(request);
  });
  const line = await slowDown(page, bytesPerSecond);
  await page.getByLabel('Photos to upload').setInputFiles(file);
  return { sent, line };
}

/** Comes back in another browser, as far as files and what was noted of them go, to an album that asks for its file. */
async function loseFiles(page: Page, app: JourneyApp, line: Parameters<typeof drawLine>[0]): Promise<void> {
  page.on('dialog', (dialog) => dialog.accept());
  const address = page.url();
  await page.goto('about:blank');
  // Quick only now: what is left of the file would have gone up meanwhile.
  await drawLine(line, fast);
  await page.goto(`${app.url}/robots.txt`);
  await page.evaluate(async () => {
    localStorage.clear();
    await new Promise((gone) => {
      indexedDB.deleteDatabase('pf-uploads').onsuccess = gone;
    });
  });
  await page.goto(address);
  await expect(page.getByRole('button', { name: 'Choose it again' })).toBeVisible({ timeout: 30_000 });
}

/** Waits until so much of the file is on the server, by the page's own word. */
async function expectSent(page: Page, bytes: number): Promise<void> {
  const tile = page.getByRole('listitem', { name: /MB of/ });
  const read = async () => {
    const [, megabytes = '0'] = /: ([\d.]+) MB of/.exec((await tile.getAttribute('aria-label')) ?? '') ?? [];
    return Number(megabytes) * megabyte;
  };
  await expect.poll(read, { timeout: 60_000, intervals: [100] }).toBeGreaterThan(bytes);
}

/** The file was begun once, and what had arrived was never sent again. */
async function expectContinued(sent: readonly Request[]): Promise<void> {
  expect(sent.filter((request) => request.method() === 'POST')).toHaveLength(1);
  const asked = sent.filter((request) => request.method() === 'HEAD');
  expect(asked.length).toBeGreaterThan(0);
  const answers = await Promise.all(asked.map((request) => request.response().catch(() => null)));
  const offsets = answers.flatMap((answer) => Number(answer?.headers()['upload-offset'] ?? 0));
  expect(Math.max(...offsets)).toBeGreaterThan(0);
}

/** What the owner downloads is what she chose, byte by byte. */
async function expectSameOriginal(page: Page, { url }: JourneyApp, file: string): Promise<void> {
  const albumId = new URL(page.url()).pathname.split('/').at(-1);
  const { items } = await call<{ items: { id: string }[] }>(page, url, 'GET', `/albums/${albumId}`);
  const answer = await page.request.get(`${url}/api/media/${items[0]?.id}/original`);
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(hash(await answer.body())).toBe(hash(readFileSync(file)));
}
