import { type Browser, type BrowserContext, expect, type Page, type Request, test } from '@playwright/test';
import { tellNoPlayer } from '../support/clips.ts';

/*
 * What a film does in a browser, noted from outside: by the events of its element and by what goes over the line, never by
 * the player's own word.
 */

/** Whether this browser plays what films are coded as. */
export const playsFilms = (page: Page): Promise<boolean> =>
  page.evaluate(() => MediaSource.isTypeSupported('video/mp4; codecs="avc1.64001f,mp4a.40.2"'));

/** Leaves a test out where films cannot be played, and says so. @throws where nobody reads along */
export async function needPlayer(page: Page, browser: Browser): Promise<void> {
  const canPlay = await playsFilms(page);
  if (!canPlay) tellNoPlayer(browser.version());
  test.skip(!canPlay, 'This browser plays no H.264.');
}

/** The film's own element, as the page's scripts see it. */
export const film = (viewer: Page) => viewer.locator('video.film');
/** The second at which it is. */
export const playhead = (viewer: Page) => film(viewer).evaluate(({ currentTime }: HTMLVideoElement) => currentTime);

/** A wait in the middle of playing. Times are the film's own seconds. */
interface Wait {
  at: number;
  /** So much of what comes was there in one piece; a decoder on a machine with other work may wait all the same. */
  ahead: number;
  /** There was more behind a hole: no line and no machine is to blame for that. */
  isBeforeHole: boolean;
}

interface Noted {
  tapAt?: number;
  firstFrameAt?: number;
  waits: Wait[];
  /** The short sides of what was shown, in order. */
  heights: number[];
}

/** Notes from now on what every film of this phone's pages does. */
export const noteFilms = (phone: BrowserContext): Promise<unknown> =>
  phone.addInitScript(() => {
    const noted: Noted = { waits: [], heights: [] };
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
      const pieces = Array.from({ length: buffered.length }, (_, n) => [buffered.start(n), buffered.end(n)] as const);
      const [, end = currentTime] = pieces.find(([from, to]) => from <= currentTime && to >= currentTime) ?? [];
      const isBeforeHole = pieces.some(([from]) => from > currentTime);
      noted.waits.push({ at: currentTime, ahead: end - currentTime, isBeforeHole });
    });
    on('timeupdate', ({ videoWidth, videoHeight }) => {
      const height = Math.min(videoWidth, videoHeight);
      if (height > 0 && noted.heights.at(-1) !== height) noted.heights.push(height);
    });
  });

export const readNoted = (viewer: Page): Promise<Noted> =>
  viewer.evaluate(() => (window as unknown as { noted: Noted }).noted);

/**
 * Nothing was late: keys, bytes and both variants were there before they were to be shown, with half a second to spare, and
 * without a hole. A wait of the decoder alone, with the film lying ready, is the machine's.
 */
export const expectNoStall = (waits: readonly Wait[]): void =>
  expect(
    waits.filter(({ ahead, isBeforeHole }) => isBeforeHole || ahead < 0.5),
    'what is played never ran dry',
  ).toEqual([]);

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

/** What was fetched so far whose address has a word in it, by its last part. */
export const fetched = (viewer: Page, word: string): Promise<string[]> =>
  viewer.evaluate(
    (wanted) =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((name) => name.includes(wanted))
        .map((name) => name.split('/').at(-1) ?? ''),
    word,
  );
