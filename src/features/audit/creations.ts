import type { Tx } from '#engines/database/work.ts';
import { isUuid } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { creationHeader } from '#wire/promise.ts';
import { refuse } from '#wire/refusals.ts';
import { type Creation, claimCreation, findCreation, forgetCreations } from './creations-store.ts';
import { hashKey } from './store.ts';

/** How long a key is remembered: longer than anybody tries again. */
const keptMs = dayMs;

/**
 * The key that a creating call carries, and what it wishes for; undefined when it carries none.
 * @param what the call, as "albums.create"
 * @throws VALIDATION for a key that is no UUID
 */
export function creationOf(
  { caller, engines, now }: Pick<Context, 'caller' | 'engines' | 'now'>,
  userId: string,
  what: string,
  input: unknown,
): Creation | undefined {
  const header = caller.headers[creationHeader];
  if (header === undefined) return undefined;
  const key = String(header).toLowerCase();
  if (!isUuid(key)) throw refuse('VALIDATION', { message: 'The Idempotency-Key header takes a UUID.' });
  // The input of a link may hold a password: what is kept of it opens nothing without the installation's own key.
  return { userId, key, wish: hashKey(engines.keys, what, JSON.stringify(input)), now };
}

/**
 * Makes something at most once for a key, in the transaction that makes it: a refusal takes the claim back with it.
 * Claim before anything is locked: a second caller then waits with empty hands.
 * @param make makes the thing `id`
 * @returns the id of what this key has made, now or before
 * @throws CONFLICT when the key was given for another wish
 */
export async function makeOnce(
  tx: Tx,
  creation: Creation | undefined,
  id: string,
  make: () => Promise<void>,
): Promise<string> {
  if (creation !== undefined && !(await claimCreation(tx, creation, id))) {
    const made = await findMade(tx, creation);
    if (made !== undefined) return made;
  }
  await make();
  return id;
}

/** What this key has made before; undefined for a new one. @throws CONFLICT when it was given for another wish */
export async function findMade(tx: Tx, creation: Creation): Promise<string | undefined> {
  const made = await findCreation(tx, creation);
  if (made !== undefined && made.wish !== creation.wish)
    throw refuse('CONFLICT', { message: 'This Idempotency-Key was used for something else.' });
  return made?.madeId;
}

/** Forgets the keys whose day is over. */
export const sweepCreations = (tx: Tx, now: Date): Promise<number> =>
  forgetCreations(tx, new Date(now.getTime() - keptMs));
