import type { Reason } from '#features/access/contract.ts';
import type { Decision } from '#features/access/rules.ts';
import { dayMs, hourMs } from '#kit/time.ts';

/** What may come back: a revocation is undone, a plan renewed, a report rejected. */
const shut: readonly Reason[] = ['REVOKED', 'TAKEN_DOWN', 'CREATOR_PAUSED', 'ALBUM_UNAVAILABLE', 'ON_HOLD'];

/** What opens to this viewer no more. */
const over: readonly Reason[] = [
  'NOT_FOUND',
  'VIEWER_BLOCKED',
  'EXPIRED',
  'PAYMENT_RETURNED',
  'VIEWERS_FULL',
  'VISITS_USED',
  'TIMED_OUT',
  'TIME_USED',
];

/** How long after its link was to open a reminder is kept while that is shut. */
const keptMs = 7 * dayMs;

/** What becomes of a reminder. Times are milliseconds since 1970. */
export type Fate =
  | { do: 'mail' }
  | { do: 'forget' }
  /** `opensAt` only where the link begins at another time than was thought. */
  | { do: 'wait'; lookAt: number; opensAt?: number };

/** Decides it by what the door would say at this moment: a gate or a price is no reason to say nothing. */
export function fateOf(decision: Decision, { opensAt, now }: { opensAt: number; now: number }): Fate {
  if (decision.ok) return { do: 'mail' };
  const { reason, until = now + hourMs } = decision;
  if (reason === 'NOT_YET') return { do: 'wait', lookAt: until, opensAt: until };
  if (over.includes(reason)) return { do: 'forget' };
  if (!shut.includes(reason)) return { do: 'mail' };
  return now >= opensAt + keptMs ? { do: 'forget' } : { do: 'wait', lookAt: now + hourMs };
}
