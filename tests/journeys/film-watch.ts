import { type BrowserContext, expect, type Page, type Request } from '@playwright/test';

/*
 * What a film does in a browser, noted from outside: by the events of its element and by what goes over the line, never by
 * the player's own word.
 */

interface Noted {
  tapAt?: number;
  firstFrameAt?: number;
  /** How often it waited in the middle of playing: a machine with other work makes it wait as well as a late line. */
  waits: number;
  /** Where it waited before a hole: what comes behind it was there already, so no line and no machine is to blame. */
  holes: number[];
  /** Heights of what was shown, in order. */
  heights: number[];
}

/** Notes from now on what every film of this phone's pages does. */
export const noteFilms = (phone: BrowserContext): Promise<unknown> =>
  phone.addInitScript(() => {
    const noted: Noted = { waits: 0, holes: [], heights: [] };
    Object.assign(window, { noted });
    let [hasPlayed, isSeeking] = [false, false];
    const on = (kind: string, note: (film: HTMLVideoElement) => void) =>
      document.addEventListener(kind, ({ target }) => target instanceof HTMLVideoElement && note(target), true);
    addEventListener('click', () => (noted.tapAt ??= performance.now()), true);
    on('loadstart', (film) => film.requestVideoFrameCallback((now) => (noted.firstFrameAt ??= now)));
    on('seeking', () => {
      isSeeking = true;
    });
    on('playing', () => {
      [hasPlayed, isSeeking] = [true, false];
    });
    on('waiting', ({ buffered, currentTime }) => {
      if (!hasPlayed || isSeeking) return;
      noted.waits++;
      const starts = Array.from({ length: buffered.length }, (_, n) => buffered.start(n));
      if (starts.some((start) => start > currentTime)) noted.holes.push(currentTime);
    });
    on('timeupdate', ({ videoHeight }) => {
      if (videoHeight > 0 && noted.heights.at(-1) !== videoHeight) noted.heights.push(videoHeight);
    });
  });

export const readNoted = (viewer: Page): Promise<Noted> =>
  viewer.evaluate(() => (window as unknown as { noted: Noted }).noted);

/** From now on the tap is awaited that is counted as the one on "Play". */
export const forgetTaps = (viewer: Page): Promise<unknown> =>
  viewer.evaluate(() => {
    delete (window as unknown as { noted: Noted }).noted.tapAt;
  });

interface Traffic {
  keyCalls: Request[];
  /** Which file of which rendition bytes were asked of: `<pack>/<part>`. */
  bytes: string[];
}

/** Notes what a page asks of films. */
export function noteFilmTraffic(viewer: Page): Traffic {
  const traffic: Traffic = { keyCalls: [], bytes: [] };
  viewer.on('request', (request) => {
    if (request.url().endsWith('/view/film-keys')) traffic.keyCalls.push(request);
    const [, place] = /\/m\/s\/([^/]+\/[^/]+)$/.exec(new URL(request.url()).pathname) ?? [];
    if (place !== undefined) traffic.bytes.push(place);
  });
  return traffic;
}

/** Waits until the page has told the server what it played until now. */
export async function untilTold(viewer: Page): Promise<void> {
  const isRenewal = (request: Request) => request.url().endsWith('/view/renew');
  const renewal = await viewer.waitForRequest(isRenewal);
  expect((await renewal.response())?.status()).toBe(200);
}

/** How many of these calls were answered with keys. */
export async function countGiven(calls: readonly Request[]): Promise<number> {
  const answers = await Promise.all(calls.map((call) => call.response().catch(() => null)));
  return answers.filter((answer) => answer?.status() === 200).length;
}
