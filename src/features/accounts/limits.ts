import type { Tx } from '#engines/database/work.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, type RateAnswer, takeRate } from '#features/audit/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { formatCount } from '#kit/text.ts';
import type { Context } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import { foldMailbox, judgeTry, waitAfterMany } from './rules.ts';
import { forgetTries, holdTries, writeTries } from './security-store.ts';

const hourSeconds = 3600;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Lets a network that tries very often wait, and never more than that: hundreds of people may share it.
 * @param freeTries of an hour; those of signing in when left out
 */
export async function slowNetwork(context: Context, what: string, freeTries?: number): Promise<void> {
  const waitMs = await countNetworkTry(context, what, freeTries);
  if (waitMs > 0) await pause(waitMs);
}

/** Counts a try of a network. @returns how long it waits for what its network has tried before */
export async function countNetworkTry(
  { engines, caller, now, asSystem }: Context,
  what: string,
  freeTries?: number,
): Promise<number> {
  const free = freeTries ?? (await settingsOf(engines))['accounts.triesPerNetwork'];
  const key = hashKey(engines.keys, what, networkOf(caller.address));
  const { count } = await asSystem((tx) => takeRate(tx, { key, limit: free + 20, windowSeconds: hourSeconds, now }));
  return waitAfterMany(count, free);
}

/** What is needed for an email about an address, whether somebody asks for it just now or a job sends it. */
export type Mailing = Pick<Context, 'engines' | 'now' | 'asSystem'>;

/**
 * Counts one mail to a mailbox, known or not: one a minute, 5 an hour, 10 a day. A try that comes too soon after the last mail
 * is told so, and uses up nothing.
 * @param soonSeconds between two mails, where it is not what the setting says
 * @throws RATE_LIMITED
 */
export async function takeMail(
  { engines, now, asSystem }: Mailing,
  what: string,
  email: string,
  soonSeconds?: number,
): Promise<void> {
  const resendSeconds = soonSeconds ?? (await settingsOf(engines))['accounts.resendSeconds'];
  const key = hashKey(engines.keys, what, foldMailbox(email));
  const windows = [
    [1, resendSeconds],
    [5, hourSeconds],
    [10, 24 * hourSeconds],
  ] as const;
  const answers = await asSystem(async (tx) => {
    const taken: RateAnswer[] = [];
    for (const [limit, windowSeconds] of windows) {
      // What one window refuses is not counted in a longer one: asking in vain would block the mailbox for a day.
      const cost = taken.some(({ isOver }) => isOver) ? 0 : 1;
      taken.push(await takeRate(tx, { key: `${key}:${windowSeconds}`, limit, windowSeconds, now, cost }));
      if (taken.length === 1 && taken[0]?.isOver) break;
    }
    return taken;
  });
  const [soon] = answers;
  if (soon?.isOver) throw refuseSoSoon(soon.retryAfterSeconds);
  const over = answers.filter(({ isOver }) => isOver).map(({ retryAfterSeconds }) => retryAfterSeconds);
  if (over.length > 0) throw refuseForNow(Math.max(...over));
}

/** Said of every address alike: an email went there a moment ago, whatever it says. */
function refuseSoSoon(retryAfterSeconds: number) {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return refuse('RATE_LIMITED', {
    reason: 'JUST_SENT',
    retryAfter: seconds,
    message: `We've just sent an email to this address. You can ask for another one in ${formatCount(seconds, 'second')}.`,
  });
}

const stepMs = 200;

/** Ends an answer at a whole step of time, so that what was done for it cannot be read from how long it took. */
export async function settle(beganMs: number): Promise<void> {
  const elapsedMs = performance.now() - beganMs;
  await pause(stepMs - (elapsedMs % stepMs));
}

/**
 * Counts a try as wrong before the password is looked at, so that many at once are many.
 * @param key whose tries are counted
 * @param most how many may follow each other at once; those of the settings when left out
 * @returns how many wrong ones there are then, and how to forget them
 * @throws RATE_LIMITED, for a known and an unknown address alike
 */
export async function takeTry({ engines, now, asSystem }: Context, key: string, most = Number.POSITIVE_INFINITY) {
  const free = Math.min(most, (await settingsOf(engines))['accounts.wrongPasswords']);
  const verdict = await asSystem(async (tx) => {
    const judged = judgeTry(await holdTries(tx, key, now), now, free);
    if ('wrong' in judged) await writeTries(tx, key, { wrong: judged.wrong, lastAt: now });
    return judged;
  });
  if ('waitMs' in verdict) throw refuseForNow(verdict.waitMs / 1000);
  return {
    wrong: verdict.wrong,
    free,
    forget: (tx: Tx) => forgetTries(tx, key),
  };
}
