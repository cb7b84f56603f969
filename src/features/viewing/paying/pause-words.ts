import type { Pause } from '#features/orders/card-tests.ts';
import { formatDuration } from '#kit/text.ts';
import { secondMs } from '#kit/time.ts';

const places = { link: 'for this link', request: 'for this request', page: 'on this page' } as const;

/** Whoever tries out cards is not told how many of them may be declined. */
export function pausedFor({ who, until }: Pause, now: Date): { retryAfter: number; message: string } {
  const ms = until.getTime() - now.getTime();
  const span = formatDuration(ms);
  return {
    retryAfter: Math.ceil(ms / secondMs),
    message:
      who === 'browser'
        ? `Too many cards were declined. You can try again in ${span}.`
        : `Payments ${places[who]} are paused because many were declined. Please try again in ${span}.`,
  };
}
