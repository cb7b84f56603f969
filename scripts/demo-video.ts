/**
 * Records the product itself for the home page: `npm run demo-video`. Two real screens side by side, from the upload to the trace,
 * with captions in the picture; encoded by the ffmpeg of this machine into `public/`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { builtInVideo } from '#features/marketing/demo-video.ts';
import { findBrowser } from '#tests/support/browser.ts';
import { developerHeaders } from '#tests/support/developer.ts';
import { bootProduct, type Product } from '../bench/support/product.ts';
import { phoneAgent } from '../bench/support/viewer.ts';
import { drawCaptions, phone as phonePlace, recordedAt, studio as studioPlace, videoSize } from './demo-video/frame.ts';
import { type Cut, listPictures, placeOf, roll } from './demo-video/record.ts';
import { notifyStory } from './demo-video/story.ts';

const publicFolder = path.join(import.meta.dirname, '../public');
const mostBytes = 4_000_000;
const framesPerSecond = 20;
/** The moment of the poster, in seconds. */
const posterAt = 27;

/** The headless browser's own name is a robot's, and robots are not counted. */
const personAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

const recordedSize = ({ width, height }: { width: number; height: number }) => ({
  width: Math.round(width * recordedAt),
  height: Math.round(height * recordedAt),
});

/** The two screens of the video: a creator who is signed in, and somebody else's phone. */
async function openScreens(browser: Browser, { url, dataDir }: Product) {
  const place = { locale: 'en-GB', timezoneId: 'Europe/Berlin', userAgent: personAgent };
  const desk = await browser.newContext({
    ...place,
    viewport: recordedSize(studioPlace),
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { cookie, origin } = developerHeaders({ url, dataDir });
  await desk.request.post(`${url}/dev/become`, {
    form: { email: 'creator@example.com' },
    headers: { cookie, origin },
    maxRedirects: 0,
  });
  const hand = await browser.newContext({
    ...place,
    viewport: recordedSize(phonePlace),
    isMobile: true,
    hasTouch: true,
    colorScheme: 'dark',
    userAgent: phoneAgent,
  });
  const [studio, phone] = [await desk.newPage(), await hand.newPage()];
  await studio.goto(`${url}/albums?new=1`);
  await studio.getByLabel('Name').waitFor();
  await phone.setContent('<body style="margin:0;height:100vh;background:#1d131c">');
  return { studio, phone };
}

/** Plays the story and takes it down. @returns lists of pictures for ffmpeg, and how long they last */
async function record(browser: Browser, product: Product, folder: string) {
  const { studio, phone } = await openScreens(browser, product);
  const rolls = {
    studio: await roll(studio, path.join(folder, 'studio')),
    phone: await roll(phone, path.join(folder, 'phone')),
  };
  const began = Date.now();
  const [cuts, captions]: [Cut[], { text: string; at: number }[]] = [[], []];
  await notifyStory({
    url: product.url,
    studio,
    phone,
    folder,
    say: (text) => captions.push({ text, at: Date.now() }),
    cut: async (work) => {
      const from = Date.now();
      const done = await work();
      cuts.push({ from, to: Date.now() });
      return done;
    },
  });
  const endMs = placeOf(Date.now(), began, cuts);
  for (const each of Object.values(rolls)) await each.stop();
  const drawn = captions.map(({ text, at }, n) => ({
    text,
    ms: placeOf(at, began, cuts),
    file: path.join(folder, `caption-${n}.png`),
  }));
  await drawCaptions(browser, product.url, drawn);
  const write = (name: string, shown: { file: string; ms: number }[]) => {
    const file = path.join(folder, `${name}.txt`);
    writeFileSync(file, listPictures(shown, endMs));
    return file;
  };
  const timed = (name: 'studio' | 'phone') =>
    write(
      name,
      rolls[name].frames.map(({ file, at }) => ({ file, ms: placeOf(at, began, cuts) })),
    );
  return { lists: [timed('studio'), timed('phone')], captions: drawn, endMs };
}

function runFfmpeg(words: readonly string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-y', '-loglevel', 'error', ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
}

interface Caption {
  file: string;
  ms: number;
}

/** Lays the screens under their captions. A caption is an input of its own: ffmpeg's lists lose pictures that stand for seconds. */
function encode(lists: readonly string[], captions: readonly Caption[], endMs: number): void {
  const place = (input: number, { width, height }: { width: number; height: number }) =>
    `[${input}]fps=${framesPerSecond},scale=${width}:${height}:flags=lanczos,setsar=1[v${input}]`;
  const graph = [
    place(0, studioPlace),
    place(1, phonePlace),
    `${captions.map((_, n) => `[${lists.length + n}]`).join('')}concat=n=${captions.length},format=rgba[captions]`,
    `color=0x150c14:s=${videoSize.width}x${videoSize.height}:r=${framesPerSecond}[ground]`,
    `[ground][v0]overlay=${studioPlace.x}:${studioPlace.y}[a]`,
    `[a][v1]overlay=${phonePlace.x}:${phonePlace.y}[b]`,
    '[b][captions]overlay=0:0,format=yuv420p[out]',
  ].join(';');
  const target = path.join(publicFolder, builtInVideo.src);
  mkdirSync(publicFolder, { recursive: true });
  runFfmpeg([
    ...lists.flatMap((list) => ['-f', 'concat', '-safe', '0', '-i', list]),
    ...captions.flatMap(({ file, ms }, n) => {
      const seconds = ((captions[n + 1]?.ms ?? endMs) - (n === 0 ? 0 : ms)) / 1000;
      return ['-loop', '1', '-framerate', String(framesPerSecond), '-t', seconds.toFixed(3), '-i', file];
    }),
    ...['-filter_complex', graph, '-map', '[out]', '-t', (endMs / 1000).toFixed(2)],
    ...['-c:v', 'libx264', '-preset', 'slow', '-crf', '23', '-tune', 'animation', '-g', '100', '-pix_fmt', 'yuv420p'],
    ...['-movflags', '+faststart', '-map_metadata', '-1', target],
  ]);
  runFfmpeg([
    '-ss',
    String(posterAt),
    '-i',
    target,
    '-frames:v',
    '1',
    '-q:v',
    '4',
    path.join(publicFolder, builtInVideo.poster),
  ]);
  const { size } = statSync(target);
  if (size > mostBytes) throw new Error(`The video has ${size} bytes, more than ${mostBytes}.`);
  console.log(`${(endMs / 1000).toFixed(1)} s, ${size} bytes: ${target}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'pf-demo-video-'));
const found = await findBrowser();
const browser = await chromium.launch({
  executablePath: found.executablePath,
  args: found.args,
  env: { ...process.env, ...found.env },
});
const product = await bootProduct();
try {
  await product.demo();
  await product.untilIdle();
  const { lists, captions, endMs } = await record(browser, product, folder);
  encode(lists, captions, endMs);
} finally {
  await browser.close();
  await product.remove();
  if (process.env.KEEP_FRAMES === undefined) rmSync(folder, { recursive: true, force: true });
}
