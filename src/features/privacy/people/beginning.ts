import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { erasureBegunEmail } from '#features/notices/account-state-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { changeFanEnd } from '#features/orders/changing-fans.ts';
import { isRunning } from '#features/orders/fan-rules.ts';
import { findFan } from '#features/orders/fans-store.ts';
import { newId } from '#kit/ids.ts';
import { graceMs } from '../rules.ts';
import { findErasure, findErasureOf, insertErasure, listRunning } from './erasures-store.ts';
import { findPerson, type KnownPerson } from './person-store.ts';

/** Lets what somebody pays for every month run out, as soon as their erasure was asked for. */
export const stopRenewalsQueue = 'privacy.stopRenewals';

/**
 * Begins the erasure of somebody without an account in a transaction of the system. Nothing is renewed from now on; everything else
 * stays as it is until its day, so that it can be called off.
 * @returns when it is; undefined when it was asked for before
 */
export async function beginErasure(
  { jobs, installation }: Engines,
  tx: Tx,
  person: KnownPerson,
  { askedBy, now }: { askedBy: 'viewer' | 'operator'; now: Date },
): Promise<Date | undefined> {
  const { email, viewerIds } = person;
  if ((await findErasureOf(tx, person)) !== undefined) return undefined;
  const id = newId<'person erasure'>(now.getTime());
  const eraseAt = new Date(now.getTime() + graceMs);
  const viewerId = viewerIds[0] ?? null;
  if (!(await insertErasure(tx, { id, email, viewerId, askedBy, askedAt: now, eraseAt }))) return undefined;
  await jobs.send(tx, stopRenewalsQueue, { erasureId: id });
  await insertAudit(tx, {
    actor: { type: askedBy === 'viewer' ? 'viewer' : 'system' },
    action: 'person.erasure_begun',
    target: { type: 'person_erasure', id },
  });
  if (email === null) return eraseAt;
  const words = erasureBegunEmail({
    day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(eraseAt),
    asked: askedBy === 'viewer' ? 'here' : 'by_letter',
    page: `${installation.publicUrl}/my/data`,
    findPage: `${installation.publicUrl}/find-my-purchases`,
  });
  await queueEmail(tx, jobs, { to: email, now, ...words });
  return eraseAt;
}

/** Lets the subscriptions of somebody who is to be erased run out. Safe to repeat. */
export async function stopRenewals(engines: Engines, erasureId: string): Promise<void> {
  const { database, payments, clock } = engines;
  if (payments.isOff) return;
  const ids = await database.work({ kind: 'system' }, async (tx) => {
    const erasure = await findErasure(tx, erasureId);
    return erasure?.state === 'waiting' ? listRunning(tx, await findPerson(tx, erasure)) : [];
  });
  for (const id of ids) {
    const fan = await findFan(database, id);
    if (fan !== undefined && isRunning(fan, new Date(clock()))) await changeFanEnd(engines, fan, true);
  }
}
