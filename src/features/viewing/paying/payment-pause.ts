import type { Pause } from '#features/orders/card-tests.ts';
import { formatDuration } from '#kit/text.ts';
import { secondMs } from '#kit/time.ts';

const scopes = { link: 'for this link', request: 'for this request', page: 'on this page' } as const;

/**
 * Describes a pause of payments for a RATE_LIMITED refusal. The message never says how many declines are allowed: that would help
 * people who test stolen cards.
 */
export function describePause({ who, until }: Pause, now: Date): { retryAfter: number; message: string } {
  const ms = until.getTime() - now.getTime();
  const wait = formatDuration(ms);
  return {
    retryAfter: Math.ceil(ms / secondMs),
    message:
      who === 'browser'
        ? `Too many cards were declined. You can try again in ${wait}.`
        : `Payments ${scopes[who]} are paused because too many were declined. Please try again in ${wait}.`,
  };
}
