import { type Figure, median } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { openPhone, type Phone, type PhonePage, type Vitals } from './support/phone.ts';
import { findPhotos } from './support/photos.ts';
import { servePlainPage } from './support/plain-page.ts';
import { bootProduct, type Product } from './support/product.ts';
import { loopInPage, type Slowed, slowDown, soundSlowdown } from './support/slow-processor.ts';
import { enterStudio } from './support/studio.ts';
import { figuresOfViewer } from './viewer-figures.ts';

/** Rounds of cold visits: medians of five. */
const fewestRounds = 5;

/** One visit to our own page; milliseconds, bytes. */
export interface OurVisit extends Vitals {
  tappableMs: number;
  previewMs: number;
  sharpMs: number;
  rowsMs: number;
  fullMs: number;
  doorBytes: number;
  sharpBytes: number;
}

/** One visit to the plain page. */
export interface PlainVisit {
  firstPaintMs: number;
  sharpMs: number;
  fullMs: number;
}

export interface Slowdown {
  page: number;
  worker: number;
  isSound: boolean;
}

export interface Measured {
  slow: { ours: OurVisit; plain: PlainVisit }[];
  near: { ours: OurVisit; plain: PlainVisit }[];
  slowdown: Slowdown;
}

type Line = 'slow 4G' | 'loopback';

/** What goes on beside a visit: before the link is followed, and when its first photo stands in full. */
interface Watch {
  onOpened?(visit: PhonePage): Promise<void> | void;
  onFull?(visit: PhonePage): Promise<void>;
}

/** From the link to a full photo: door, tap as soon as it can be tapped, first sharp photo, then a photo in full. */
export async function visitOurs(
  phone: Phone,
  url: string,
  line: Line,
  { onOpened, onFull }: Watch = {},
): Promise<OurVisit> {
  const visit = await phone.openPage(line);
  await onOpened?.(visit);
  const { page } = visit;
  try {
    await page.goto(url, { waitUntil: 'commit' });
    const ready = await visit.mark('ready');
    const { firstPaintMs } = await visit.vitals();
    await page.locator('#open').tap();
    const sharp = await firstSharp(visit);
    const [tap, preview] = [await visit.mark('tap'), await visit.mark('preview')];
    // The frame must stand before a photo can be opened; then its first photo is opened.
    await visit.until(`document.querySelector('#tools')?.childElementCount > 0`);
    await page.locator('.cell').first().tap();
    const [pick, rows, full] = [await visit.mark('pick'), await visit.mark('rows-0'), await visit.mark('full-0')];
    await onFull?.(visit);
    return {
      ...(await visit.vitals()),
      tappableMs: Math.max(ready, firstPaintMs || 0),
      previewMs: preview - tap,
      sharpMs: sharp - tap,
      rowsMs: rows - pick,
      fullMs: full - pick,
      doorBytes: await visit.receivedBytes(ready),
      sharpBytes: await visit.receivedBytes(sharp),
    };
  } finally {
    await visit.close();
  }
}

/** When the first photo of the grid, whichever it was, became sharp. */
const firstSharp = (visit: PhonePage) =>
  visit.until<number>(
    `((times) => times.length > 0 && Math.min(...times))(performance.getEntriesByType('mark')
      .filter(({ name }) => name.startsWith('sharp-')).map(({ startTime }) => startTime))`,
  );

async function visitPlain(phone: Phone, url: string, line: Line, onOpened?: () => void): Promise<PlainVisit> {
  const visit = await phone.openPage(line);
  onOpened?.();
  try {
    await visit.page.goto(url, { waitUntil: 'commit' });
    const sharpMs = await firstSharp(visit);
    const { firstPaintMs } = await visit.vitals();
    await visit.page.waitForLoadState('load', { timeout: 60_000 });
    await visit.page.locator('img').first().tap();
    const [pick, full] = [await visit.mark('pick'), await visit.mark('full-0')];
    return { firstPaintMs, sharpMs, fullMs: full - pick };
  } finally {
    await visit.close();
  }
}

/** How much slower a fixed loop becomes, in the main thread and in a worker. */
async function readSlowdown(phone: Phone): Promise<Slowdown> {
  const run = async (slowing?: Slowed) => {
    const visit = await phone.openPage('loopback');
    slowing?.look();
    const times = await visit.page.evaluate<{ page: number; worker: number }>(loopInPage);
    await visit.close();
    return times;
  };
  const quick = [await run(), await run(), await run()];
  const slowing = slowDown(phone.pid);
  const slow = [await run(slowing), await run(slowing), await run(slowing)];
  slowing.stop();
  const factor = (of: 'page' | 'worker') => median(slow.map((run) => run[of])) / median(quick.map((run) => run[of]));
  const [page, worker] = [factor('page'), factor('worker')];
  const isSound = [page, worker].every((value) => value >= soundSlowdown.least && value <= soundSlowdown.most);
  return { page, worker, isSound };
}

/** A link to these photos and films, all of them ready. @returns its address */
export async function makeGallery(product: Product, files: readonly string[]): Promise<string> {
  const studio = await enterStudio(product, await product.demo());
  const albumId = await studio.makeAlbum('Bench');
  for (const file of files) await studio.untilReady((await studio.upload(albumId, file)).mediaId, 600);
  const slug = await studio.makeLink([albumId]);
  studio.close();
  return `${product.url}/view/${slug}`;
}

/** P1 to P3: what somebody with a slow phone sees, and when. */
export async function measure({ rounds, photos, photoCount, isProfiled }: BenchOptions): Promise<Figure[]> {
  const files = await findPhotos(photos, photoCount);
  const product = await bootProduct({ isProfiled });
  const plain = await servePlainPage(files);
  const phone = await openPhone();
  try {
    const gallery = await makeGallery(product, files);
    const slowdown = await readSlowdown(phone);
    say(`a fixed loop is ${slowdown.page.toFixed(1)}x slower in the page, ${slowdown.worker.toFixed(1)}x in a worker`);
    const measured: Measured = { slow: [], near: [], slowdown };
    await visitPlain(phone, plain.url, 'loopback');
    await visitOurs(phone, gallery, 'loopback');
    for (let round = 0; round < Math.max(rounds, fewestRounds); round++) {
      const slowing = slowDown(phone.pid);
      try {
        const ours = await visitOurs(phone, gallery, 'slow 4G', { onOpened: slowing.look });
        measured.slow.push({ ours, plain: await visitPlain(phone, plain.url, 'slow 4G', slowing.look) });
      } finally {
        slowing.stop();
      }
      const ours = await visitOurs(phone, gallery, 'loopback');
      measured.near.push({ ours, plain: await visitPlain(phone, plain.url, 'loopback') });
      const { tappableMs, sharpMs } = measured.slow.at(-1)?.ours ?? ours;
      say(
        `round ${round + 1}: tappable ${Math.round(tappableMs)} ms, tap to sharp ${Math.round(sharpMs)} ms, on loopback ${Math.round(ours.sharpMs)} ms`,
      );
    }
    return figuresOfViewer(measured);
  } finally {
    await phone.close();
    plain.close();
    await product.remove();
  }
}
