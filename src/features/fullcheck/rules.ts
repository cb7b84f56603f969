import { dayMs, minuteMs } from '#kit/time.ts';
import type { CheckResult, CheckStep } from './contract.ts';

/** A run says this often that it is alive. */
export const aliveEveryMs = 2000;

/** A run that has said nothing for so long has lost its process; nobody has taken one up that waits for longer. */
const longestSilenceMs = 2 * minuteMs;

/** Runs are kept for so long. */
export const keptMs = 30 * dayMs;

/** Returns whether a run that has not ended will not go on. */
export const isDead = ({ startedAt, seenAt }: { startedAt: Date; seenAt: Date | null }, now: Date): boolean =>
  now.getTime() - (seenAt ?? startedAt).getTime() >= longestSilenceMs;

/** Returns how a run ends that came to its end: a step that cannot be made here is no failure. */
export function resultOf(steps: readonly Pick<CheckStep, 'state'>[], isCancelled: boolean): CheckResult {
  if (steps.some(({ state }) => state === 'failed')) return 'red';
  if (isCancelled) return 'cancelled';
  return steps.every(({ state }) => state === 'passed' || state === 'not_run') ? 'green' : 'red';
}

interface Who {
  user: { email: string; hasPassword: boolean } | null;
  isLocked: boolean;
  isStopped: boolean;
  isAdmin: boolean;
  adminScopes: readonly string[];
  needsSecondFactor: boolean;
  hasAccess: boolean;
  setupStep: string;
}

/** Returns who is signed in. @throws a sentence where nobody is, or the session is closed */
export function describeSession({ user, isLocked, isStopped }: Pick<Who, 'user' | 'isLocked' | 'isStopped'>): string {
  if (isLocked) throw new Error('The app lock has closed this session. Enter the PIN.');
  if (user === null) throw new Error('Nobody is signed in in this browser.');
  if (isStopped) throw new Error(`${user.email} is signed in, and suspended or leaving.`);
  return `${user.email} is signed in.`;
}

/** Returns what whoever is signed in may do. @throws a sentence where that is nothing */
export function describeRole(who: Omit<Who, 'isLocked' | 'isStopped'>): string {
  if (who.user === null) throw new Error('A visitor: nobody is signed in.');
  if (who.needsSecondFactor) throw new Error('An administrator without a second factor has none of the rights.');
  if (who.isAdmin) return `An administrator: ${who.adminScopes.join(', ')}.`;
  if (who.setupStep !== 'done') throw new Error('A creator whose account is not set up yet.');
  if (!who.hasAccess) throw new Error('A creator without a plan.');
  return 'A creator with access.';
}
