import { setTimeout as pause } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import type { Question } from '#features/access/store.ts';
import { hashKey, type Rate, type RateAnswer, takeRate } from '#features/audit/store.ts';
import { isLinkPassword } from '#features/links/link-password.ts';
import { type FairLane, openFairLane, type Queuer } from '#kit/fair-lane.ts';
import { createSemaphore } from '#kit/semaphore.ts';
import { noteWrongPassword } from './password-alerts.ts';
import { spendProof } from './password-proof-store.ts';
import { forgivePasswordTurn, takePasswordTurn } from './password-store.ts';

/** Wrong passwords and codes of one browser on one link, in a quarter of an hour. */
const triesPerDevice = { limit: 5, windowSeconds: 900 };
/** A network that guesses is slowed: one more that waits would wait for longer than this. */
const comeAgainSeconds = 15;
/** Seconds until there is room for one more, when very many networks are waiting. */
const roomAgainSeconds = 3;

const hashSlots = createSemaphore(2);
/** Strangers try the password of one link one at a time, and their networks take turns. */
const lanes = new Map<string, FairLane>();
const laneLimits = { atOnce: 1, mostWaitingOfOne: 3, mostWaiting: 100 };

/** Too many tries: the call is answered 429. */
export interface TooMany {
  retryAfterSeconds: number;
}

/** A wrong one; none are left for `waitMs`. */
export interface Wrong {
  triesLeft: number;
  waitMs?: number;
}

/** Whose try it is. */
export interface Trier {
  secretHash: Buffer;
  /** See `networkOf`. */
  network: string;
  now: Date;
  /** Said before a wait, which must hold no place that others need. */
  waitOutside(): void;
}

type Tried = Pick<Trier, 'secretHash' | 'now'> & { about: string };

/** One more try of this browser on this link. @param cost 0 only looks, -1 takes one back */
export async function takeTry(
  { database, keys }: Pick<Engines, 'database' | 'keys'>,
  what: 'password' | 'code',
  { about, secretHash, now }: Tried,
  cost: NonNullable<Rate['cost']> = 1,
): Promise<RateAnswer & { triesLeft: number }> {
  const key = hashKey(keys, `viewing.${what}`, `${about} ${secretHash.toString('base64url')}`);
  const rate = await database.work({ kind: 'system' }, (tx) => takeRate(tx, { key, now, cost, ...triesPerDevice }));
  return { ...rate, triesLeft: Math.max(0, triesPerDevice.limit - rate.count) };
}

/** Returns whether this browser has used up its tries at a link's password, and for how long. */
export async function findLock(engines: Engines, about: string, trier: Trier): Promise<Wrong | undefined> {
  const { isOver, retryAfterSeconds } = await takeTry(engines, 'password', { about, ...trier }, 0);
  return isOver ? { triesLeft: 0, waitMs: retryAfterSeconds * 1000 } : undefined;
}

/**
 * Tries a password. Strangers wait for strangers of their own network only, as long as they have not guessed; who was let in by
 * this link before waits for no stranger at all.
 */
export async function tryPassword(
  engines: Engines,
  question: Question & { password: NonNullable<Question['password']> },
  typed: string,
  trier: Trier,
): Promise<{ right: true } | Wrong | TooMany> {
  const { linkId, creatorId, password } = question;
  const { now, waitOutside } = trier;
  const own = { about: linkId, ...trier };
  const taken = await takeTry(engines, 'password', own);
  if (taken.isOver) return { retryAfterSeconds: taken.retryAfterSeconds };
  waitOutside();
  const isRight = await (question.grantId === undefined ? tryAsStranger : tryAsKnown)(engines, question, typed, trier);
  if (typeof isRight === 'object') {
    await takeTry(engines, 'password', own, -1);
    return isRight;
  }
  if (isRight) return { right: true };
  await noteWrongPassword(engines, { linkId, creatorId, version: password.version, now });
  const { triesLeft, retryAfterSeconds } = taken;
  return { triesLeft, ...(triesLeft === 0 && { waitMs: retryAfterSeconds * 1000 }) };
}

/** A network at one link, as it is counted. */
export const networkKeyOf = ({ keys }: Pick<Engines, 'keys'>, linkId: string, network: string): string =>
  hashKey(keys, 'viewing.network', `${linkId} ${network}`);

type Try = (...tried: Parameters<typeof tryPassword>) => Promise<boolean | TooMany>;

const tryAsKnown: Try = async (_engines, { linkId, viewer, password }, typed) =>
  (await inLane(linkId, { key: viewer?.viewerId ?? '', isKnown: true }, () =>
    isLinkPassword(typed, password.hash),
  )) ?? {
    retryAfterSeconds: roomAgainSeconds,
  };

const tryAsStranger: Try = async (engines, { linkId, password }, typed, { secretHash, network, now }) => {
  const { database } = engines;
  const { version, hash } = password;
  const tries = { linkId, network: networkKeyOf(engines, linkId, network), version };
  const at = await takePasswordTurn(database, tries, now);
  if (at === undefined) return { retryAfterSeconds: comeAgainSeconds };
  await pause(Math.max(0, at.getTime() - now.getTime()));
  const isRight = await inLane(linkId, { key: network, isKnown: false }, () => isLinkPassword(typed, hash));
  if (isRight === false) await spendProof(database, { linkId, secretHash });
  else await forgivePasswordTurn(database, tries);
  return isRight ?? { retryAfterSeconds: roomAgainSeconds };
};

/** In the lane of the link's password, which lasts as long as somebody is in it. */
async function inLane(linkId: string, who: Queuer, work: () => Promise<boolean>): Promise<boolean | undefined> {
  const lane = lanes.get(linkId) ?? openFairLane(laneLimits);
  lanes.set(linkId, lane);
  try {
    return await lane.run(who, () => hashSlots.run(work));
  } finally {
    if (lane.isFree()) lanes.delete(linkId);
  }
}
