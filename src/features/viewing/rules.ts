import type { Sample } from './contract.ts';

/** Stands in samples for the gallery itself: its thumbnails are seen side by side, so their times would not add up. */
export const galleryId = '00000000-0000-0000-0000-000000000000';

/** The code in a visible mark: it names a grant to its creator, in letters that anybody could write too. */
export const markCodeOf = (grantId: string): string => grantId.slice(-8).toUpperCase();

/** How long an emailed link works that proves a buyer's address. */
export const proofMinutes = 30;

/** How long the code works that has to be entered before a password may be typed again. */
export const proofCodeMinutes = 10;

/** A look of this length makes a visit a view. */
const viewAfterMs = 2000;

/** A visit as its row knows it at the last beat. Times are milliseconds since 1970. */
export interface Watching {
  lastHeartbeatAt: number;
  /** It was counted as a view already. */
  isCounted: boolean;
  /** The look that goes on; undefined is the gallery. */
  currentMediaId: string | undefined;
  lookMs: number;
}

/** What a browser says was seen since then. */
export interface Heartbeat {
  now: number;
  samples: readonly Sample[];
  lookingAt: string | undefined;
  /** Since the last touch, key or movement. */
  idleMs: number;
}

/** Seconds of a video, from the first to the one behind the last. */
export type Stretch = readonly [from: number, to: number];

/** One item that was looked at, or the gallery, and for how long. */
export interface Look {
  mediaId: string | undefined;
  ms: number;
  /** What of a video was played in this beat. */
  played?: readonly Stretch[];
}

export interface Credit {
  /** Watch time of this beat. */
  creditMs: number;
  /** Looks that are over. */
  closed: Look[];
  /** The look that goes on. */
  current: { mediaId: string | undefined; lookMs: number; played?: readonly Stretch[] };
  /** With this beat the visit becomes a view. */
  becomesView: boolean;
}

const itemOf = ({ mediaId }: Sample) => (mediaId === galleryId ? undefined : mediaId);

/** The highest speed of our player; a second may have begun before the beat and another one end after it. */
const fastestPlay = 2;
const spareSeconds = 2;

/** No more of a video than can have been played since the last beat: what comes later in the list is left out. */
function playedWithin(played: readonly Stretch[], allowedMs: number): Stretch[] {
  let left = Math.floor((fastestPlay * allowedMs) / 1000) + spareSeconds;
  return played.flatMap(([from, to]) => {
    const end = Math.min(to, from + left);
    left -= Math.max(0, end - from);
    return end > from ? [[from, end] as const] : [];
  });
}

/** Returns what of each video was played, as far as time allows. */
function playsOf(samples: readonly Sample[], allowedMs: number): Map<string, readonly Stretch[]> {
  const plays = new Map<string, readonly Stretch[]>();
  if (allowedMs === 0) return plays;
  const all = samples.flatMap(({ mediaId, played = [] }) => played.map((stretch) => ({ mediaId, stretch })));
  const within = playedWithin(
    all.map(({ stretch }) => stretch),
    allowedMs,
  );
  for (const [i, stretch] of within.entries()) {
    const mediaId = all[i]?.mediaId ?? '';
    plays.set(mediaId, [...(plays.get(mediaId) ?? []), stretch]);
  }
  return plays;
}

/**
 * Watch time by the product's definition: what was visible, at most the time since the last beat by the server's clock, and
 * nothing after `idleLimitMs` without input. The look that was under way goes on first, then come those in between, last the
 * one that goes on.
 */
export function creditHeartbeat(
  watching: Watching,
  { now, samples, lookingAt, idleMs }: Heartbeat,
  idleLimitMs: number,
): Credit {
  const sinceHeartbeat = Math.max(0, now - watching.lastHeartbeatAt);
  const awakeMs = now - idleMs + idleLimitMs - watching.lastHeartbeatAt;
  const allowedMs = Math.max(0, Math.min(sinceHeartbeat, awakeMs));
  const before = watching.currentMediaId;
  const rankOf = (item: string | undefined) => (item === before ? 0 : item === lookingAt ? 2 : 1);
  let left = allowedMs;
  const looks = new Map<string | undefined, number>([[before, watching.lookMs]]);
  for (const sample of [...samples].sort((one, other) => rankOf(itemOf(one)) - rankOf(itemOf(other)))) {
    const ms = Math.min(sample.visibleMs, left);
    looks.set(itemOf(sample), (looks.get(itemOf(sample)) ?? 0) + ms);
    left -= ms;
  }
  const plays = playsOf(samples, allowedMs);
  const playedColumnsSql = (mediaId: string | undefined) => {
    const played = plays.get(mediaId ?? galleryId);
    return played && { played };
  };
  const current = { mediaId: lookingAt, lookMs: looks.get(lookingAt) ?? 0, ...playedColumnsSql(lookingAt) };
  const closed = [...looks].flatMap(([mediaId, ms]) =>
    mediaId !== lookingAt && ms > 0 ? [{ mediaId, ms, ...playedColumnsSql(mediaId) }] : [],
  );
  const isLongEnough = [...looks.values()].some((ms) => ms >= viewAfterMs);
  return { creditMs: allowedMs - left, closed, current, becomesView: !watching.isCounted && isLongEnough };
}

/** Crockford's base 32 without letters that are mistaken for others: 10 characters hold 50 bits. */
const codeLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const resumeCodeLength = 10;

/** A code to come back with. @param bytes 10 random ones */
export function resumeCodeOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => codeLetters[byte & 31]).join('');
}

/** A code as it was typed, in the form in which it is hashed; undefined when it cannot be one. */
export function readResumeCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return code.length === resumeCodeLength && [...code].every((letter) => codeLetters.includes(letter))
    ? code
    : undefined;
}
