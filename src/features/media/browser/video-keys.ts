import type { VideoLeases, VideoTrack, WantedSegments } from '../contract.ts';

/** What the server says to a call for keys. */
export type KeysAnswer<No> =
  | VideoLeases
  /** There will be none any more, for a reason that whoever asked has words for. */
  | { no: No }
  /** The line is broken, or the server is busy. */
  | { waitMs: number };

export interface VideoKeysSettings<No> {
  ask(tracks: WantedSegments): Promise<KeysAnswer<No>>;
  /** A monotonic clock, ms. */
  now(): number;
  wait(ms: number): Promise<void>;
  onOver(no: No): void;
}

/** The keys of a video in this browser, asked for a few seconds at a time. */
export interface VideoKeys {
  /**
   * The key of one segment; waits for it, however long the line is broken. A request whose signal is aborted before its turn
   * is not asked for. @throws when the video or the request is over
   */
  keyOf(track: VideoTrack, n: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** The right to fetch the bytes of a rendition around this segment, good at this moment. @throws as `keyOf` */
  tokenOf(track: VideoTrack, n: number, signal: AbortSignal): Promise<string>;
  /** Forgets everything; what waits fails. */
  close(): void;
}

const secondsAtOnce = 10;
const soundSeconds = 4;
const soundAtOnce = 3;
/** A token is not used so shortly before its end: the request has to arrive. */
const spareMs = 3000;

/** Returns where a second of video lies in a rendition. */
export const placeOf = (track: VideoTrack, second: number) =>
  track === 'audio' ? Math.floor(second / soundSeconds) : second;

/** What a player has already. */
interface Held {
  isFresh(track: VideoTrack): boolean;
  has(track: VideoTrack, n: number): boolean;
}

/**
 * The next keys of a track that are missing, in one piece: keys that are here already are not asked for behind it. A new token
 * comes with any key, so for a token alone one that is here is asked for again.
 */
function partOf(track: VideoTrack, second: number, { isFresh, has }: Held): WantedSegments {
  const [first, last] = [placeOf(track, second), placeOf(track, second + secondsAtOnce - 1)];
  const isMissing = (n: number) => n <= last && !has(track, n);
  let from = first;
  while (isFresh(track) && from <= last && !isMissing(from)) from++;
  if (from > last) return [];
  const most = track === 'audio' ? soundAtOnce : secondsAtOnce;
  let count = 1;
  while (count < most && isMissing(from + count)) count++;
  return [{ track, from, count }];
}

/** Keys and tokens in memory. @param now a monotonic clock, ms */
function createHeldKeys(now: () => number) {
  const keys = new Map<string, Uint8Array<ArrayBuffer>>();
  const tokens = new Map<VideoTrack, { token: string; until: number }>();
  return {
    isFresh: (track: VideoTrack) => (tokens.get(track)?.until ?? 0) > now(),
    has: (track: VideoTrack, n: number) => keys.has(`${track}/${n}`),
    keyOf: (track: VideoTrack, n: number) => keys.get(`${track}/${n}`),
    tokenOf: (track: VideoTrack) => tokens.get(track)?.token ?? '',
    take({ leases, expiresInMs }: VideoLeases): void {
      for (const { track, token, from, keys: packed } of leases) {
        tokens.set(track, { token, until: now() + expiresInMs - spareMs });
        const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
        for (let i = 0; 16 * i < bytes.length; i++) keys.set(`${track}/${from + i}`, bytes.slice(16 * i, 16 * i + 16));
      }
    },
    forget(): void {
      for (const key of keys.values()) key.fill(0);
      keys.clear();
      tokens.clear();
    },
  };
}

export function createVideoKeys<No>(settings: VideoKeysSettings<No>): VideoKeys {
  const held = createHeldKeys(settings.now);
  const { isFresh } = held;
  const over = new AbortController();
  let rung: VideoTrack = 'v480';
  /** One call at a time: the next one sees what this one brought. */
  let line: Promise<void> = Promise.resolve();

  const isHere = (track: VideoTrack, n: number) => held.has(track, n) && isFresh(track);
  /** The next seconds from here on of both picture and sound; of a video without sound none come. */
  const partsFrom = (second: number): WantedSegments =>
    ([rung, 'audio'] as const).flatMap((track) => partOf(track, second, held));
  /** @returns how long to wait before it is asked again */
  const receive = (answer: KeysAnswer<No>): number | undefined => {
    if ('waitMs' in answer) return answer.waitMs;
    if ('leases' in answer) held.take(answer);
    else {
      settings.onOver(answer.no);
      over.abort();
    }
    return undefined;
  };
  const fetchFrom = async (second: number, signal: AbortSignal) => {
    while (!over.signal.aborted && !signal.aborted) {
      const answer = await settings.ask(partsFrom(second));
      const waitMs = over.signal.aborted ? undefined : receive(answer);
      if (waitMs === undefined) return;
      await settings.wait(waitMs);
    }
  };
  const need = async (track: VideoTrack, n: number, signal: AbortSignal) => {
    if (track !== 'audio') rung = track;
    const second = track === 'audio' ? n * soundSeconds : n;
    const run = line.then(async () => {
      if (!isHere(track, n)) await fetchFrom(second, signal);
    });
    line = run.catch(() => undefined);
    await run;
    if (over.signal.aborted) throw new Error('the video is over');
    signal.throwIfAborted();
  };
  return {
    async keyOf(track, n, signal) {
      await need(track, n, signal);
      const key = held.keyOf(track, n);
      if (key === undefined) throw new Error(`no key of ${track}/${n}`);
      return key;
    },
    async tokenOf(track, n, signal) {
      if (!isFresh(track)) await need(track, n, signal);
      return held.tokenOf(track);
    },
    close() {
      over.abort();
      held.forget();
    },
  };
}

/** How a call for keys ends, and how a refusal is read: its status, and what was said with it. */
interface Asking<No> {
  until: AbortSignal;
  readNo(status: number, data: object | undefined): No;
}

/** Asks the server for keys. @param request what this address wants to know */
export async function askVideoKeys<No>(
  address: string,
  request: object,
  { until, readNo }: Asking<No>,
): Promise<KeysAnswer<No>> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
      body: JSON.stringify(request),
      signal: until,
    });
    const { status } = answer;
    const said = (await answer.json()) as VideoLeases & { data?: { retryAfter?: number } };
    if (status === 200) return said;
    if (status === 429 || status >= 500) return { waitMs: Math.max(retryMs, 1000 * (said.data?.retryAfter ?? 0)) };
    return { no: readNo(status, said.data) };
  } catch {
    return { waitMs: retryMs }; // the line: it may come back
  }
}

const retryMs = 2000;
