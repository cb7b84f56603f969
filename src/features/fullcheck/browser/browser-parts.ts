import { canPlayVideos } from '#features/media/browser/video-support.ts';
import { secondMs } from '#kit/time.ts';

/** One thing that a browser can do, or not, and what it said. */
export interface BrowserPart {
  title: string;
  look(): Promise<string> | string;
}

/** A device whose clock is wrong by more tells untrue times. */
const mostAheadMs = 5 * secondMs;

/** @throws a sentence where the browser keeps no cookie */
export function keepCookie(): string {
  const name = 'pf_check';
  // biome-ignore lint/suspicious/noDocumentCookie: whether a cookie is kept is what is looked at
  document.cookie = `${name}=1; path=/; samesite=lax; max-age=60`;
  const isKept = document.cookie.split('; ').includes(`${name}=1`);
  // biome-ignore lint/suspicious/noDocumentCookie: it goes again
  document.cookie = `${name}=; path=/; max-age=0`;
  if (!isKept) throw new Error('It keeps no cookie: a link could not know whoever comes back.');
  return 'It keeps a cookie and gives it back.';
}

function store(): string {
  for (const place of [localStorage, sessionStorage]) {
    place.setItem('pf-check', '1');
    const kept = place.getItem('pf-check');
    place.removeItem('pf-check');
    if (kept !== '1') throw new Error('What was stored was not there.');
  }
  return 'It stores and forgets.';
}

async function draw(): Promise<string> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [2, 2];
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('It gives no canvas to draw on.');
  context.fillStyle = 'rgb(74, 30, 58)';
  context.fillRect(0, 0, 2, 2);
  const [red, green, blue] = context.getImageData(1, 1, 1, 1).data;
  if (red !== 74 || green !== 30 || blue !== 58) throw new Error('What it drew reads as another colour.');
  if (!('OffscreenCanvas' in window)) return 'It draws; a worker of its own cannot, so the page does.';
  return 'It draws, and a worker of its own can.';
}

async function decrypt(): Promise<string> {
  if (crypto.subtle === undefined)
    throw new Error('It decrypts nothing here: the page must come by https, or from localhost.');
  const iv = new Uint8Array(12);
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new Uint8Array([7]));
  const [opened] = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed));
  if (opened !== 7) throw new Error('What it decrypted is something else.');
  return 'It encrypts and decrypts with AES-GCM.';
}

function play(): string {
  const { ManagedMediaSource, MediaSource } = window as unknown as Parameters<typeof canPlayVideos>[0];
  if (!canPlayVideos({ ...(ManagedMediaSource && { ManagedMediaSource }), ...(MediaSource && { MediaSource }) }))
    throw new Error('It plays no H.264 with AAC piece by piece: photos are shown, videos are not.');
  return 'It plays H.264 with AAC.';
}

async function showWebp(): Promise<string> {
  const image = new Image();
  image.src = 'data:image/webp;base64,UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA';
  await image.decode();
  return 'It shows WebP.';
}

/** Compares this device's clock with the server's. @param serverNow as an answer that has just come says */
function compareClock(serverNow: Date): string {
  const aheadMs = Date.now() - serverNow.getTime();
  const words = `${Math.abs(aheadMs / secondMs).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead'}`;
  if (Math.abs(aheadMs) > mostAheadMs) throw new Error(`It is ${words} of the server. Pages go by the server's.`);
  return `It is ${words}.`;
}

/** What a viewer's browser must be able to do. @param askNow asks the server what time it is */
export const accessParts = (askNow: () => Promise<Date>): readonly BrowserPart[] => [
  { title: 'Cookie', look: keepCookie },
  { title: 'Storage', look: store },
  { title: 'Canvas', look: draw },
  { title: 'Crypto', look: decrypt },
  { title: 'Pictures', look: showWebp },
  { title: 'Videos', look: play },
  { title: 'Clock', look: async () => compareClock(await askNow()) },
];
