import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { type Grant, makePersonalGrant } from '../codewords.ts';
import { findPersonalGrant } from '../leases-store.ts';

/** What a creator's look at their own media begins with. */
export interface OwnLook<T> {
  /** At least one. */
  found: readonly T[];
  /** A grant of their own kind, made with their first look at anything that is theirs. */
  grant: Grant;
}

/**
 * Reads a creator's own media and their grant as themselves in one transaction; with their first look the grant is made in another.
 * @param find what is looked at; nothing is made for somebody who finds nothing
 */
export async function lookAtOwn<T>(
  engines: Engines,
  creatorId: string,
  find: (tx: Tx) => Promise<T[]>,
  now: Date,
): Promise<OwnLook<T> | undefined> {
  const whose = { kind: 'owner', creatorId, userId: creatorId } as const;
  const { found, known } = await engines.database.work({ kind: 'user', userId: creatorId }, async (tx) => ({
    found: await find(tx),
    known: await findPersonalGrant(tx, whose),
  }));
  if (found.length === 0) return undefined;
  const grantId = known ?? (await makePersonalGrant(engines, whose, now));
  return { found, grant: { grantId, creatorId, linkId: undefined } };
}

/** What a creator asks for of their own, by the setting that bounds it. */
interface OwnParams {
  setting: 'viewing.fullPhotosPerMinute' | 'viewing.filmSecondsPerMinute';
  cost: number;
}

/**
 * Nobody is lent more in a minute than a visit, of their own neither: a stolen session does not empty the archive in one go.
 * @returns the seconds until more may be asked for, when it was too much
 */
export async function takeOwnRate(
  engines: Engines,
  creatorId: string,
  { setting, cost }: OwnParams,
  now: Date,
): Promise<number | undefined> {
  if (cost === 0) return undefined;
  const limit = (await settingsOf(engines))[setting];
  const rate = { key: hashKey(engines.keys, setting, creatorId), limit, windowSeconds: 60, now, cost };
  const { isOver, retryAfterSeconds } = await engines.database.work({ kind: 'system' }, (tx) => takeRate(tx, rate));
  return isOver ? retryAfterSeconds : undefined;
}
