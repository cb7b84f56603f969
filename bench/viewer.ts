import type { Figure } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { openPhone, type Phone, type PhonePage } from './support/phone.ts';
import { findPhotos } from './support/photos.ts';
import { servePlainPage } from './support/plain-page.ts';
import { bootProduct, type Product } from './support/product.ts';
import { readSlowdown, slowDown, slowdownText } from './support/slow-processor.ts';
import { enterStudio } from './support/studio.ts';
import { type AskedVisit, figuresOfViewer, type Measured, type OurVisit, type PlainVisit } from './viewer-figures.ts';

/** Rounds of cold visits: medians of five. */
const fewestRounds = 5;

type Line = 'slow 4G' | 'loopback';

/** What goes on beside a visit: before the link is followed, behind the door, and when its first photo stands in full. */
interface Watch {
  onOpened?(visit: PhonePage): Promise<void> | void;
  onTapped?(visit: PhonePage): Promise<void>;
  onFull?(visit: PhonePage): Promise<void>;
}

/** From the link to a full photo: door, tap as soon as it can be tapped, first sharp photo, then a photo in full. */
export async function visitOurs(
  phone: Phone,
  url: string,
  line: Line,
  { onOpened, onTapped, onFull }: Watch = {},
): Promise<OurVisit> {
  const visit = await phone.openPage(line);
  await onOpened?.(visit);
  const { page } = visit;
  try {
    await page.goto(url, { waitUntil: 'commit' });
    const ready = await visit.mark('ready');
    const { firstPaintMs } = await visit.vitals();
    await page.locator('#open').tap();
    await onTapped?.(visit);
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

/** Notes when the question stands on the screen, and the tap on its Yes. */
const noteQuestion = `
  new MutationObserver(() => {
    if (document.getElementById('gate')?.hidden === false && performance.getEntriesByName('question').length === 0)
      requestAnimationFrame(() => performance.mark('question'));
  }).observe(document, { subtree: true, attributeFilter: ['hidden'] });
  addEventListener('click', ({ target }) => { if (target.closest?.('#ways .primary')) performance.mark('yes'); }, true);`;

/** Answers the age question as soon as it is there. */
export const tapYes = ({ page }: PhonePage): Promise<void> => page.locator('#ways .primary').tap();

/** From a default link to its first sharp photo: door, age question, each tapped as soon as it can be. */
async function visitAsked(phone: Phone, url: string, onOpened: () => void): Promise<AskedVisit> {
  const visit = await phone.openPage('slow 4G');
  onOpened();
  const { page } = visit;
  try {
    await page.addInitScript(noteQuestion);
    await page.goto(url, { waitUntil: 'commit' });
    const ready = await visit.mark('ready');
    const { firstPaintMs } = await visit.vitals();
    await page.locator('#open').tap();
    const question = await visit.mark('question');
    await tapYes(visit);
    const sharp = await firstSharp(visit);
    const [tap, yes] = [await visit.mark('tap'), await visit.mark('yes')];
    return { tappableMs: Math.max(ready, firstPaintMs || 0), questionMs: question - tap, sharpMs: sharp - yes };
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

/** Links to these photos and videos, all of them ready: one that asks for nothing, and one as it is made by default. */
export async function makeGallery(
  product: Product,
  files: readonly string[],
): Promise<{ url: string; asking: string }> {
  const studio = await enterStudio(product, await product.demo());
  const albumId = await studio.makeAlbum('Bench');
  for (const file of files) await studio.untilReady((await studio.upload(albumId, file)).mediaId, 600);
  const [slug, asking] = [await studio.makeLink([albumId]), await studio.makeLink([albumId], {})];
  studio.close();
  return { url: `${product.url}/view/${slug}`, asking: `${product.url}/view/${asking}` };
}

/** P1 to P3: what somebody with a slow phone sees, and when. */
export async function measure({ rounds, photos, photoCount, isProfiled }: BenchOptions): Promise<Figure[]> {
  const files = await findPhotos(photos, photoCount);
  const product = await bootProduct({ isProfiled });
  const plain = await servePlainPage(files);
  const phone = await openPhone();
  try {
    const { url: gallery, asking } = await makeGallery(product, files);
    const slowdown = await readSlowdown(phone);
    say(`a fixed loop: ${slowdownText(slowdown)}`);
    const measured: Measured = { slow: [], near: [], slowdown };
    await visitPlain(phone, plain.url, 'loopback');
    await visitOurs(phone, gallery, 'loopback');
    for (let round = 0; round < Math.max(rounds, fewestRounds); round++) {
      const slowing = slowDown(phone.pid);
      try {
        const ours = await visitOurs(phone, gallery, 'slow 4G', { onOpened: slowing.look });
        const asked = await visitAsked(phone, asking, slowing.look);
        measured.slow.push({ ours, asked, plain: await visitPlain(phone, plain.url, 'slow 4G', slowing.look) });
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
