import type { Sample } from './contract.ts';

/** Stands in samples for the gallery itself: its thumbnails are seen side by side, so their times would not add up. */
export const galleryId = '00000000-0000-0000-0000-000000000000';

/** A visit goes on when the gap is shorter than this (product, "how we count"). */
export const visitGapMs = 10 * 60_000;
/** A look of this length makes a visit a view. */
const viewAfterMs = 2000;

/** A visit as its row knows it at the last beat. Times are milliseconds since 1970. */
export interface Watching {
  lastBeatAt: number;
  /** It was counted as a view already. */
  isCounted: boolean;
  /** The look that goes on; undefined is the gallery. */
  currentMediaId: string | undefined;
  lookMs: number;
}

/** What a browser says was seen since then. */
export interface Beat {
  now: number;
  samples: readonly Sample[];
  lookingAt: string | undefined;
  /** Since the last touch, key or movement. */
  idleMs: number;
}

/** One item that was looked at, or the gallery, and for how long. */
export interface Look {
  mediaId: string | undefined;
  ms: number;
}

export interface Credit {
  /** Watch time of this beat. */
  creditMs: number;
  /** Looks that are over. */
  closed: Look[];
  /** The look that goes on. */
  current: { mediaId: string | undefined; lookMs: number };
  /** With this beat the visit becomes a view. */
  becomesView: boolean;
}

const itemOf = ({ mediaId }: Sample) => (mediaId === galleryId ? undefined : mediaId);

/**
 * Watch time by the product's definition: what was visible, at most the time since the last beat by the server's clock, and
 * nothing after `idleLimitMs` without input. The look that was under way goes on first, then come those in between, last the
 * one that goes on.
 */
export function creditBeat(watching: Watching, { now, samples, lookingAt, idleMs }: Beat, idleLimitMs: number): Credit {
  const sinceBeat = Math.max(0, now - watching.lastBeatAt);
  const awakeMs = now - idleMs + idleLimitMs - watching.lastBeatAt;
  const allowedMs = Math.max(0, Math.min(sinceBeat, awakeMs));
  const before = watching.currentMediaId;
  const rankOf = (item: string | undefined) => (item === before ? 0 : item === lookingAt ? 2 : 1);
  let left = allowedMs;
  const looks = new Map<string | undefined, number>([[before, watching.lookMs]]);
  for (const sample of samples.toSorted((one, other) => rankOf(itemOf(one)) - rankOf(itemOf(other)))) {
    const ms = Math.min(sample.visibleMs, left);
    looks.set(itemOf(sample), (looks.get(itemOf(sample)) ?? 0) + ms);
    left -= ms;
  }
  const current = { mediaId: lookingAt, lookMs: looks.get(lookingAt) ?? 0 };
  const closed = [...looks].flatMap(([mediaId, ms]) => (mediaId !== lookingAt && ms > 0 ? [{ mediaId, ms }] : []));
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
