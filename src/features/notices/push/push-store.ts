import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import type { WrappedKey } from '#engines/keys/wrapped-key.ts';
import { newId } from '#kit/ids.ts';

/** Queue whose jobs send pushes. */
export const pushQueue = 'notices.push';

/** Browsers of one person that take pushes; a further one takes the place of the oldest. */
const mostDevices = 20;

export interface PushJob {
  subscriptionId: string;
  noticeIds: string[];
}

/** Sends a push when the caller's transaction commits. */
export const queuePush = (tx: Tx, jobs: Jobs, job: PushJob): Promise<void> =>
  tx.asSystem((system) => jobs.send(system, pushQueue, job));

/** Browsers of a person that take pushes. */
export async function listDevices(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(mostDevices)
    .execute();
  return rows.map(({ id }) => id);
}

export interface Subscription {
  id: string;
  userId: string;
  endpoint: string;
  p256dh: string;
  auth: string;
}

export async function findSubscription(tx: Tx, id: string): Promise<Subscription | undefined> {
  return tx.db
    .selectFrom('push_subscriptions')
    .select(['id', 'user_id as userId', 'endpoint', 'p256dh', 'auth'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export interface NewSubscription extends Omit<Subscription, 'id'> {
  sessionId: string;
  now: Date;
}

/** A browser takes pushes, in the name of whoever is signed in there now. */
export async function saveSubscription(tx: Tx, subscription: NewSubscription): Promise<void> {
  const { userId, sessionId, endpoint, p256dh, auth, now } = subscription;
  const row = { user_id: userId, session_id: sessionId, p256dh, auth };
  await tx.db
    .insertInto('push_subscriptions')
    .values({ id: newId<'push'>(now.getTime()), endpoint, created_at: now, ...row })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row))
    .execute();
  const kept = await listDevices(tx, userId);
  await tx.db.deleteFrom('push_subscriptions').where('user_id', '=', userId).where('id', 'not in', kept).execute();
}

/** Holds a person for the caller's transaction: only one at a time counts their browsers. */
export async function holdPerson(tx: Tx, userId: string): Promise<void> {
  await tx.db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/** A push service knows the browser no more. If it is somebody else's by now, it stays. */
export async function deleteSubscription(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<void> {
  await tx.db.deleteFrom('push_subscriptions').where('id', '=', id).where('user_id', '=', userId).execute();
}

/** A browser of the asking person takes no more pushes. */
export async function deleteOwnSubscription(tx: Tx, userId: string, endpoint: string): Promise<void> {
  await tx.db.deleteFrom('push_subscriptions').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute();
}

/** The row of the key pair; there is one. */
export const pushKeysId = '00000000-0000-0000-0000-000000000001';

export interface StoredPushKeys extends WrappedKey {
  publicKey: Buffer;
}

/** The installation's key pair; undefined before it was first asked for. */
export async function findPushKeys(tx: Tx): Promise<StoredPushKeys | undefined> {
  return tx.db
    .selectFrom('push_keys')
    .select(['public_key as publicKey', 'key_id as keyId', 'wrapped'])
    .executeTakeFirst();
}

/** Stores a pair unless another process was first. */
export async function insertPushKeys(tx: Tx, { publicKey, keyId, wrapped }: StoredPushKeys, now: Date): Promise<void> {
  await tx.db
    .insertInto('push_keys')
    .values({ id: pushKeysId, public_key: publicKey, key_id: keyId, wrapped, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Puts a pair in the place of one that nobody can open, unless another process was first. */
export async function replacePushKeys(
  tx: Tx,
  lost: StoredPushKeys,
  { publicKey, keyId, wrapped }: StoredPushKeys,
  now: Date,
): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('push_keys')
    .set({ public_key: publicKey, key_id: keyId, wrapped, created_at: now })
    .where('public_key', '=', lost.publicKey)
    .executeTakeFirst();
  // A browser takes pushes of the pair with which it subscribed, and of no other.
  if (numUpdatedRows > 0n) await tx.db.deleteFrom('push_subscriptions').execute();
}
