import type { CDPSession, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, test } from '../support/app.ts';
import { gatherDemoPhotos, listItems, untilItemsReady, upload } from '../support/calls.ts';
import { becomeDemo, makeLink, openDoor } from '../support/steps.ts';

/*
 * Memory stays flat over 200 photos: what is drawn, what is kept of keys and ciphertext, and what the page remembers are
 * bounded by the screen and by a number of bytes, never by the length of the album. Twelve photos are the demo's large
 * ones; the others are noise, small and heavy.
 */
const photos = 200;
const opened = 45;
const megabyte = 2 ** 20;

/** Two screens of thumbnails in three columns, and a row that is cut at each end. */
const mostThumbs = 3 * (Math.ceil((2 * 844) / 130) + 2);
/** The open photo and one on each side: each its full picture over a copy of its thumbnail. */
const mostFull = 3;
const mostPixels = mostThumbs * 512 * 512 + mostFull * (2048 * 2048 + 512 * 512);
/** What the drawer may keep of ciphertext, and the keys of it. The whole album weighs a third more. */
const mostPackBytes = (24 + 2) * megabyte;

test('two walks through 200 photos leave no more behind than one', async ({ page, app, browser }) => {
  test.setTimeout(900_000);
  await becomeDemo(page, app);
  const albumId = await makeLongAlbum(page, app.url);
  const link = await makeLink(page, app.url, { albumIds: [albumId] });
  const { phone, viewer } = await openDoor(browser, 'about:blank');
  await viewer.addInitScript(noteCanvases);
  const memory = await openScales(viewer);
  await viewer.goto(link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await viewer.waitForFunction(isScreenSharp, undefined, { timeout: 30_000 });
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();

  await scrollThrough(viewer);
  await openSome(viewer);
  const first = await memory.weigh();
  await scrollThrough(viewer);
  await openSome(viewer);
  const second = await memory.weigh();
  process.stdout.write(`    first walk ${JSON.stringify(first)}\n    second walk ${JSON.stringify(second)}\n`);

  expect(second.packBytes, 'ciphertext and keys that the drawer keeps').toBeLessThan(mostPackBytes);
  expect(second.packBytes, 'the album fills that').toBeGreaterThan(20 * megabyte);
  expect(second.canvases, 'canvases that are still somewhere').toBeLessThanOrEqual(photos + mostThumbs + 3 * mostFull);
  expect(second.pageBytes, 'the page itself').toBeLessThan(1.15 * first.pageBytes);
  expect(second.workerBytes, 'the drawer itself').toBeLessThan(1.15 * first.workerBytes + 1000 * photos);
  await phone.close();
});

/** An album of 200 ready photos; uploaded by calls, because the page would draw each of them too. */
async function makeLongAlbum(page: Page, url: string): Promise<string> {
  const albumId = await gatherDemoPhotos(page, url, 'Two hundred', photos);
  const there = (await listItems(page, url, albumId)).length;
  const missing = Array.from({ length: photos - there }, (_, n) => `noise-${n}.jpg`);
  const sendNext = async (): Promise<void> => {
    const name = missing.shift();
    if (name === undefined) return;
    await upload(page, url, { albumId, name, bytes: await drawNoise() });
    return sendNext();
  };
  await Promise.all([sendNext(), sendNext(), sendNext()]);
  await untilItemsReady(page, url, albumId, photos);
  return albumId;
}

/** Noise hardly compresses: it weighs several times what a photograph does. */
const drawNoise = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 720,
      height: 540,
      channels: 3,
      background: 'gray',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();

/** From the top to the end, a half screen at a time; each stop shows sharp pictures only. */
async function scrollThrough(viewer: Page): Promise<void> {
  const end = await viewer.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  for (let y = 0; y < end + 600; y += 600) {
    await viewer.evaluate((top) => scrollTo(0, top), Math.min(y, end));
    await viewer.waitForFunction(isScreenSharp, undefined, { timeout: 30_000 });
    await expectFewPixels(viewer);
  }
  await viewer.evaluate(() => scrollTo(0, 0));
  await viewer.waitForFunction(isScreenSharp, undefined, { timeout: 30_000 });
}

/** Runs in the page: whether every thumbnail that is to be seen is drawn. */
function isScreenSharp(): boolean {
  const cells = [...document.querySelectorAll('#grid .cell')].filter((cell) => {
    const { top, bottom } = cell.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  return cells.length > 0 && cells.every((cell) => cell.querySelector('.sharp[data-painted]') !== null);
}

async function openSome(viewer: Page): Promise<void> {
  await viewer.getByRole('button', { name: `Photo 1 of ${photos}`, exact: true }).click();
  for (let n = 1; n <= opened; n++) {
    await expect(viewer.getByRole('status').filter({ hasText: `Photo ${n} of ${photos}` })).toBeAttached();
    await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
    await expectFewPixels(viewer);
    if (n < opened) await viewer.keyboard.press('ArrowRight');
  }
  await viewer.keyboard.press('Escape');
  await expect(viewer.getByRole('dialog')).toBeHidden();
}

/** What is drawn is what is on the screen and next to it. */
async function expectFewPixels(viewer: Page): Promise<void> {
  const { drawn, pixels } = await viewer.evaluate(() => {
    const all = [...document.querySelectorAll('canvas')].map(({ width, height }) => width * height);
    return { drawn: all.filter((area) => area > 16 * 16).length, pixels: all.reduce((sum, area) => sum + area, 0) };
  });
  expect(drawn, 'canvases that hold a picture').toBeLessThanOrEqual(mostThumbs + 2 * mostFull);
  expect(pixels, 'pixels of all canvases').toBeLessThanOrEqual(mostPixels);
}

/** Runs in the page before anything else: remembers every canvas weakly, so that those can be counted which never go. */
function noteCanvases(): void {
  const noted: WeakRef<Element>[] = [];
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (name === 'canvas') noted.push(new WeakRef(element));
    return element;
  };
  Object.assign(window, { countCanvases: () => noted.filter((canvas) => canvas.deref() !== undefined).length });
}

interface Weight {
  /** JavaScript's own, of the page and of the drawer's worker. */
  pageBytes: number;
  workerBytes: number;
  /** Buffers of the worker: packs and keys. */
  packBytes: number;
  /** Canvases that were not given back. */
  canvases: number;
}

/** Weighs the page and its worker, each after its garbage was collected. */
async function openScales(viewer: Page): Promise<{ weigh(): Promise<Weight> }> {
  const line = await viewer.context().newCDPSession(viewer);
  const worker = await attachWorker(line);
  await line.send('HeapProfiler.enable');
  return {
    async weigh() {
      for (let round = 0; round < 2; round++) {
        await line.send('HeapProfiler.collectGarbage');
        await worker('HeapProfiler.collectGarbage');
      }
      const [page, drawer] = [await line.send('Runtime.getHeapUsage'), await worker('Runtime.getHeapUsage')];
      const canvases = await viewer.evaluate(() => (window as unknown as { countCanvases(): number }).countCanvases());
      const { usedSize, backingStorageSize } = drawer as { usedSize: number; backingStorageSize: number };
      return { pageBytes: page.usedSize, workerBytes: usedSize, packBytes: backingStorageSize, canvases };
    },
  };
}

/** The browser's own view of the worker that draws. @returns sends it one command */
async function attachWorker(line: CDPSession): Promise<(method: string) => Promise<unknown>> {
  const attached = Promise.withResolvers<string>();
  const waiting = new Map<number, (result: unknown) => void>();
  line.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') attached.resolve(sessionId);
  });
  line.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await line.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  let commands = 0;
  return async (method) => {
    const sessionId = await attached.promise;
    const id = ++commands;
    const answered = new Promise((answer) => waiting.set(id, answer));
    await line.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    return answered;
  };
}
