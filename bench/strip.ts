import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { openFingers } from '#tests/journeys/support/fingers.ts';
import type { Figure } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { openPhone, type PhonePage } from './support/phone.ts';
import { findPhotos } from './support/photos.ts';
import { bootProduct } from './support/product.ts';
import { readSlowdown, type Slowdown, slowDown, slowdownText } from './support/slow-processor.ts';
import { drawVideo } from './support/video.ts';
import { makeGallery, tapYes, visitOurs } from './viewer.ts';

const stepMs = 200;
const folder = path.join(import.meta.dirname, 'results/strip');
/** Of one frame in the strip. */
const [columns, frameWidth, frameHeight, gap, caption] = [10, 160, 320, 8, 22];

interface Shot {
  atMs: number;
  jpeg: Buffer;
}

const videoSeconds = 10;

/** On from a full photo: a swipe to the next one, back to the grid, and the video until it has played for three seconds. */
async function goOn({ page, until, mark }: PhonePage): Promise<void> {
  const fingers = await openFingers(page);
  await fingers.move([
    [
      { x: 350, y: 410 },
      { x: 60, y: 410 },
    ],
  ]);
  await mark('full-1');
  await page.goBack();
  await until(`document.querySelector('.slide[data-current]') === null`);
  await page.locator('.cell').last().tap();
  await until(`document.querySelector('.slide[data-current] canvas.full[data-painted]') !== null`);
  await page.locator('.video-start').tap();
  await until(`document.querySelector('video')?.currentTime > 3`);
}

/** Takes every picture that the phone shows, with the time since the link was followed. */
async function video({ page }: PhonePage, shots: Shot[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  let began: number | undefined;
  session.on('Page.screencastFrame', ({ data, sessionId, metadata: { timestamp = 0 } }) => {
    began ??= timestamp;
    shots.push({ atMs: 1000 * (timestamp - began), jpeg: Buffer.from(data, 'base64') });
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined); // the page may be gone
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 80, maxWidth: 412, maxHeight: 823 });
}

/** Returns what stood on the screen every so often: the last picture until then. */
function everyStep(shots: readonly Shot[]): Shot[] {
  const last = shots.at(-1)?.atMs ?? 0;
  const steps = Math.ceil(last / stepMs) + 1;
  return Array.from({ length: steps }, (_, n) => {
    const atMs = n * stepMs;
    const jpeg = shots.findLast((shot) => shot.atMs <= atMs)?.jpeg ?? (shots[0] as Shot).jpeg;
    return { atMs, jpeg };
  });
}

const wordsOf = (text: string, width: number): Buffer =>
  Buffer.from(
    `<svg width="${width}" height="${caption}"><text x="50%" y="15" font-family="sans-serif" font-size="13" text-anchor="middle">${text}</text></svg>`,
  );

/** All pictures on one sheet, row by row, each with its second under it; on top how much slower the phone was made. */
async function drawSheet(shots: readonly Shot[], slowdown: Slowdown): Promise<string> {
  const [width, height] = [columns * (frameWidth + gap) + gap, frameHeight + caption + gap];
  const top = caption + gap;
  const head = { input: wordsOf(`slow 4G, ${slowdownText(slowdown)}`, width), left: 0, top: gap };
  const pictures = await Promise.all(
    shots.map(async ({ atMs, jpeg }, n) => {
      const [left, down] = [gap + (n % columns) * (frameWidth + gap), top + Math.floor(n / columns) * height];
      const input = await sharp(jpeg)
        .resize(frameWidth, frameHeight, { fit: 'contain', background: '#fff' })
        .toBuffer();
      return [
        { input, left, top: down },
        { input: wordsOf(`${(atMs / 1000).toFixed(1)} s`, frameWidth), left, top: down + frameHeight },
      ];
    }),
  );
  const file = path.join(folder, 'strip.png');
  const rows = Math.ceil(shots.length / columns);
  await sharp({ create: { width, height: top + rows * height, channels: 3, background: '#e8e4e8' } })
    .composite([head, ...pictures.flat()])
    .png()
    .toFile(file);
  return file;
}

/** The whole way of a viewer with a default link on a slow phone, as pictures to look at: no figures. */
export async function measure({ photos, photoCount }: BenchOptions): Promise<Figure[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const product = await bootProduct({ isProfiled: false });
  const phone = await openPhone();
  try {
    const files = await findPhotos(photos, photoCount);
    const { asking } = await makeGallery(product, [...files, await drawVideo(files[0] ?? '', videoSeconds)]);
    const slowdown = await readSlowdown(phone);
    say(`a fixed loop: ${slowdownText(slowdown)}`);
    const shots: Shot[] = [];
    const slowing = slowDown(phone.pid);
    try {
      await visitOurs(phone, asking, 'slow 4G', {
        async onOpened(visit) {
          slowing.look();
          await video(visit, shots);
        },
        onTapped: tapYes,
        onFull: goOn,
      });
    } finally {
      slowing.stop();
    }
    const strip = everyStep(shots);
    for (const { atMs, jpeg } of strip)
      await sharp(jpeg).toFile(path.join(folder, `${String(atMs).padStart(5, '0')}.png`));
    say(`${strip.length} pictures, one every ${stepMs} ms: ${await drawSheet(strip, slowdown)}`);
    return [];
  } finally {
    await phone.close();
    await product.remove();
  }
}
