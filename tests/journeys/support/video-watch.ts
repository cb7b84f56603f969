import { type Browser, type BrowserContext, expect, type Page, type Request, test } from '@playwright/test';
import { warnNoPlayer } from '../../support/media/clips.ts';

/*
 * What a video does in a browser, noted from outside: by the events of its element and by what goes over the line, never by
 * the player's own word.
 */

/** Returns whether this browser plays what videos are coded as. */
export const playsVideos = (page: Page): Promise<boolean> =>
  page.evaluate(() => MediaSource.isTypeSupported('video/mp4; codecs="avc1.64001f,mp4a.40.2"'));

/** Leaves a test out where videos cannot be played, and says so. @throws where nobody reads along */
export async function needPlayer(page: Page, browser: Browser): Promise<void> {
  const canPlay = await playsVideos(page);
  if (!canPlay) warnNoPlayer(browser.version());
  test.skip(!canPlay, 'This browser plays no H.264.');
}

/** The video's own element, as the page's scripts see it. */
export const video = (viewer: Page) => viewer.locator('video.video');
/** The second at which it is. */
export const playhead = (viewer: Page) => video(viewer).evaluate(({ currentTime }: HTMLVideoElement) => currentTime);

/** A wait in the middle of playing. Times are the video's own seconds. */
interface Wait {
  at: number;
  /** So much of what comes was there in one piece; a decoder on a machine with other work may wait all the same. */
  ahead: number;
  /** There was more behind a hole: no line and no machine is to blame for that. */
  isBeforeHole: boolean;
}

/** A second and more in which a video that was to go on stood still. */
interface Freeze {
  at: number;
  forMs: number;
}

interface Noted {
  tapAt?: number;
  firstFrameAt?: number;
  waits: Wait[];
  freezes: Freeze[];
  /** How long it was to go on, and how far it went. While the page itself was held up, hardly any time goes by. */
  wallMs: number;
  videoMs: number;
  /** The short sides of what was shown, in order, and since which second of the video. */
  rungs: { height: number; from: number }[];
}

/** Notes from now on what every video of this phone's pages does. */
export const noteVideos = (phone: BrowserContext): Promise<unknown> =>
  phone.addInitScript(() => {
    const noted: Noted = { waits: [], freezes: [], wallMs: 0, videoMs: 0, rungs: [] };
    Object.assign(window, { noted });
    let [hasPlayed, isSeeking] = [false, false];
    let playing: HTMLVideoElement | undefined;
    const on = (kind: string, note: (video: HTMLVideoElement) => void) =>
      document.addEventListener(kind, ({ target }) => target instanceof HTMLVideoElement && note(target), true);
    addEventListener('click', () => (noted.tapAt ??= performance.now()), true);
    on('loadstart', (video) => video.requestVideoFrameCallback((now) => (noted.firstFrameAt ??= now)));
    on('seeking', () => {
      isSeeking = true;
    });
    on('playing', (video) => {
      [hasPlayed, isSeeking, playing] = [true, false, video];
    });
    on('waiting', ({ buffered, currentTime }) => {
      if (!hasPlayed || isSeeking) return;
      const pieces = Array.from({ length: buffered.length }, (_, n) => [buffered.start(n), buffered.end(n)] as const);
      const [, end = currentTime] = pieces.find(([from, to]) => from <= currentTime && to >= currentTime) ?? [];
      const isBeforeHole = pieces.some(([from]) => from > currentTime);
      noted.waits.push({ at: currentTime, ahead: end - currentTime, isBeforeHole });
    });
    on('timeupdate', ({ videoWidth, videoHeight, currentTime }) => {
      const height = Math.min(videoWidth, videoHeight);
      if (height > 0 && noted.rungs.at(-1)?.height !== height) noted.rungs.push({ height, from: currentTime });
    });

    const [lookMs, heldUpMs, freezeMs] = [100, 300, 1000];
    let [before, at, stoodMs] = [performance.now(), 0, 0];
    const isToGoOn = () => playing?.isConnected && !playing.paused && !playing.ended && !isSeeking;
    const noteFreeze = () => {
      if (stoodMs < freezeMs) return;
      if (noted.freezes.at(-1)?.at === at) noted.freezes.pop();
      noted.freezes.push({ at, forMs: stoodMs });
    };
    const noteGoing = (from: number, tookMs: number) => {
      // Whoever had no turn for so long cannot tell whether the video had one.
      const lookedMs = Math.min(tookMs, heldUpMs);
      noted.wallMs += lookedMs;
      noted.videoMs += 1000 * Math.max(0, at - from);
      stoodMs = at === from ? stoodMs + lookedMs : 0;
      noteFreeze();
    };
    setInterval(() => {
      const [now, from] = [performance.now(), at];
      const tookMs = now - before;
      [before, at] = [now, playing?.currentTime ?? 0];
      if (isToGoOn()) noteGoing(from, tookMs);
      else stoodMs = 0;
    }, lookMs);
  });

export const readNoted = (viewer: Page): Promise<Noted> =>
  viewer.evaluate(() => (window as unknown as { noted: Noted }).noted);

/** A video that goes on may take so many times its own length, by the clock of a page that is not held up. */
const mostSlower = 1.5;

/**
 * Nothing was late: keys, bytes and both variants were there before they were to be shown, with half a second to spare, and
 * without a hole. With the video lying ready, a decoder may wait for a moment on a machine with other work; but it stands still
 * for no second, and is hardly slower than time.
 */
export function expectNoStall({ waits, freezes, wallMs, videoMs }: Noted): void {
  const isDry = ({ ahead, isBeforeHole }: Wait) => isBeforeHole || ahead < 0.5;
  expect(waits.filter(isDry), 'what is played never ran dry').toEqual([]);
  expect(freezes, 'it never stood still').toEqual([]);
  expect(wallMs, `as quick as time, nearly: ${videoMs} ms of video`).toBeLessThanOrEqual(mostSlower * videoMs);
}

/** From now on the tap is awaited that is counted as the one on "Play". */
export const forgetTaps = (viewer: Page): Promise<unknown> =>
  viewer.evaluate(() => {
    delete (window as unknown as { noted: Noted }).noted.tapAt;
  });

/**
 * Lets this page have what of a video comes first: one answer with keys, and of each rendition its beginning and one piece. All
 * else is held back.
 */
export async function holdAfterFirst(viewer: Page): Promise<{ letCome(): void }> {
  const [had, mayCome] = [new Set<string>(), Promise.withResolvers<void>()];
  await viewer.route(/\/view\/video-keys$|\/m\/s\//, async (route) => {
    const [, packId = 'keys', part] = /\/m\/s\/([^/]+)\/([^/]+)$/.exec(route.request().url()) ?? [];
    const what = `${packId} ${part === 'init' ? part : 'piece'}`;
    if (had.has(what)) await mayCome.promise;
    had.add(what);
    await route.continue();
  });
  return { letCome: mayCome.resolve };
}

/** Of each second of a rung the variant that this page's link was given, and where its pieces are. */
export async function readVariants(viewer: Page, track: string): Promise<{ packId: string; slots: number[] }> {
  const addresses = await viewer.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const list = addresses.find((address) => address.endsWith(`/${track}.m3u8`));
  if (list === undefined) throw new Error(`${track} was never asked for.`);
  const pieces = [...(await (await viewer.request.get(list)).text()).matchAll(/^\/m\/s\/([^/]+)\/(\d)$/gm)];
  return { packId: pieces[0]?.[1] ?? '', slots: pieces.map(([, , slot]) => Number(slot)) };
}

interface Traffic {
  keyCalls: Request[];
  /** Which file of which rendition bytes were asked of: `<pack>/<part>`. */
  bytes: string[];
}

/** Notes what a page asks of videos. */
export function noteVideoTraffic(viewer: Page): Traffic {
  const traffic: Traffic = { keyCalls: [], bytes: [] };
  viewer.on('request', (request) => {
    if (request.url().endsWith('/view/video-keys')) traffic.keyCalls.push(request);
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

/** Returns how many of these calls were answered with keys. */
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
