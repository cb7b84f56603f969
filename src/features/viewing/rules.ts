import type { Sample } from './contract.ts';

/** A visit goes on when the gap is shorter than this (product, "how we count"). */
export const visitGapMs = 10 * 60_000;
/** A look of this length makes a visit a view. */
const viewAfterMs = 2000;

/** A visit as its row knows it at the last beat. Times are milliseconds since 1970. */
export interface Watching {
  lastBeatAt: number;
  /** It was counted as a view already. */
  isCounted: boolean;
  /** The look that goes on. */
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

/** One item that was looked at, and for how long. */
export interface Look {
  mediaId: string;
  ms: number;
}

export interface Credit {
  /** Watch time of this beat. */
  creditMs: number;
  /** Looks that are over, in order. */
  closed: Look[];
  /** The look that goes on. */
  current: { mediaId: string | undefined; lookMs: number };
  /** With this beat the visit becomes a view. */
  becomesView: boolean;
}

/**
 * Watch time by the product's definition: what was visible, at most the time since the last beat by the server's clock, and
 * nothing after `idleLimitMs` without input.
 */
export function creditBeat(watching: Watching, { now, samples, lookingAt, idleMs }: Beat, idleLimitMs: number): Credit {
  const sinceBeat = Math.max(0, now - watching.lastBeatAt);
  const awake = now - idleMs + idleLimitMs - watching.lastBeatAt;
  let left = Math.max(0, Math.min(sinceBeat, awake));
  const closed: Look[] = [];
  let current = { mediaId: watching.currentMediaId, lookMs: watching.lookMs };
  const moveTo = (mediaId: string | undefined) => {
    if (current.mediaId === mediaId) return;
    if (current.mediaId !== undefined && current.lookMs > 0)
      closed.push({ mediaId: current.mediaId, ms: current.lookMs });
    current = { mediaId, lookMs: 0 };
  };
  const before = left;
  for (const { mediaId, visibleMs } of samples) {
    const ms = Math.min(visibleMs, left);
    moveTo(mediaId);
    current.lookMs += ms;
    left -= ms;
  }
  moveTo(lookingAt);
  const isLongEnough = current.lookMs >= viewAfterMs || closed.some(({ ms }) => ms >= viewAfterMs);
  return { creditMs: before - left, closed, current, becomesView: !watching.isCounted && isLongEnough };
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
