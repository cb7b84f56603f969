import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { openFairLane } from '#kit/fair-lane.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';

/** An address at which more wrong passwords of strangers came in an hour is being guessed at: each network has one try then. */
const strangersTries = { limit: 30, windowSeconds: 3600 };

/** Few are signed in at once; networks take turns, and who is known goes first. */
const lane = openFairLane({ atOnce: 3, mostWaitingOfOne: 40, mostWaiting: 100 });

/** Whose tries are counted together. */
export interface Trying {
  email: string;
  /** See `knownBrowserOf`. */
  browser: string | undefined;
}

/** What is tried at one address is counted by network, and apart from that by each browser that is known there. */
export const tryKeyOf = (
  { engines, caller }: Pick<Context, 'engines' | 'caller'>,
  { email, browser }: Trying,
): string =>
  browser === undefined
    ? hashKey(engines.keys, 'sign_in', `${email} ${networkOf(caller.address)}`)
    : hashKey(engines.keys, 'sign_in_known', `${email} ${browser}`);

/** Returns whether strangers are guessing at an address, wherever each of them is. Known and unknown addresses are counted alike. */
export async function isGuessedAt({ engines, now, asSystem }: Context, { email, browser }: Trying): Promise<boolean> {
  if (browser !== undefined) return false;
  const key = hashKey(engines.keys, 'sign_in_strangers', email);
  return (await asSystem((tx) => takeRate(tx, { key, now, ...strangersTries }))).isOver;
}

/**
 * Does the work of signing in when it is this caller's turn; before that nothing is asked of the database.
 * @throws UNAVAILABLE when too many are waiting
 */
export async function inTurn<T extends object>(
  { caller }: Pick<Context, 'caller'>,
  { browser }: Trying,
  work: () => Promise<T>,
): Promise<T> {
  const done = await lane.run({ key: browser ?? networkOf(caller.address), isKnown: browser !== undefined }, work);
  if (done !== undefined) return done;
  throw refuse('UNAVAILABLE', { retryAfter: 1, message: "We're very busy right now. Please try again." });
}
