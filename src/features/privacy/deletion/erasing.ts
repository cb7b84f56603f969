import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Engines } from '#engines/engines.ts';
import { changeAvatar } from '#features/accounts/saving-avatars.ts';
import { stagingOf } from '#features/albums/uploads-store.ts';
import { insertAudit } from '#features/audit/store.ts';
import { payNow } from '#features/money/paying-out.ts';
import { accountErasedEmail } from '#features/notices/account-state-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { eraseRows } from '../retention/erasing-rows.ts';
import { erasedAddress, mayDestroyKeys } from '../rules.ts';
import { certify } from './certificate.ts';
import {
  type Deletion,
  destroyKeys,
  emptyAccount,
  eraseWordsOf,
  findDeletion,
  isMoneyOnItsWay,
  listDueDeletions,
  listStagedUploads,
  listStoredPlaces,
  markDone,
  noteFilesRemoved,
  noteKeysDestroyed,
  takeDeletion,
} from './deletions-store.ts';
import { findEffects } from './effects-store.ts';
import { stopPlan } from './stopping-plan.ts';

const system = { kind: 'system' } as const;

/** Erases the accounts whose grace is over. What cannot be done to one now is tried again by the next round. */
export async function eraseDueAccounts(engines: Engines): Promise<void> {
  const { database, clock, log } = engines;
  for (const id of await database.work(system, (tx) => listDueDeletions(tx, new Date(clock()))))
    try {
      await eraseAccount(engines, id);
    } catch (error) {
      log.error({ area: 'privacy', deletionId: id, err: error }, 'an account could not be erased yet');
    }
}

/**
 * Takes the erasure of an account as far as it goes now: nobody signs in any more, its money goes its ways, its keys are destroyed
 * – all or none –, its files removed, its rows deleted or emptied, and its certificate mailed. Each step is written down when it is
 * done and may be repeated, so that a process that is killed at any line loses nothing.
 */
export async function eraseAccount(engines: Engines, id: string): Promise<void> {
  const { database, clock } = engines;
  const find = () => database.work(system, (tx) => findDeletion(tx, id));
  await database.work(system, (tx) => takeDeletion(tx, id, new Date(clock())));
  const deletion = await find();
  if (deletion?.state !== 'erasing') return;
  if (deletion.keysDestroyedAt === null && !(await destroyKeysOf(engines, deletion))) return;
  if (deletion.filesRemovedAt === null) await removeFiles(engines, deletion);
  await eraseRows(database, 'creator', deletion.userId);
  if (deletion.email !== null) await eraseRows(database, 'address', deletion.email);
  const certified = await find();
  if (certified !== undefined) await finish(engines, certified);
}

/** @returns false while money is on its way for which they are waited for */
async function destroyKeysOf(engines: Engines, { id, userId, askedAt, erasingSince }: Deletion): Promise<boolean> {
  const { database, clock } = engines;
  const now = new Date(clock());
  const isMoneyOpen = await settleMoney(engines, userId, askedAt);
  if (!mayDestroyKeys({ erasingSince: erasingSince ?? now, isMoneyOpen }, now)) return false;
  const { 'privacy.backupDays': keptDays } = await settingsOf(engines);
  await database.work(system, async (tx) => {
    const keys = await destroyKeys(tx, id);
    await noteKeysDestroyed(tx, id, now, certify(keys, { askedAt, now, keptDays }));
  });
  return true;
}

/**
 * Ends the plan, and pays out what is left once every buyer has their money back. Refunds and the ends of subscriptions are asked
 * for by their own rounds (`money.refunds`, `money.settleFans`).
 * @returns whether something is on its way still
 */
async function settleMoney(engines: Engines, userId: string, askedAt: Date): Promise<boolean> {
  const { database, payments } = engines;
  if (payments.isOff) return false;
  await stopPlan(engines, userId);
  const isOpen = () =>
    database.work(system, async (tx) => {
      const about = { userId, now: askedAt, currency: 'usd' };
      const { refundCents } = await findEffects(tx, payments.realm, about);
      return refundCents > 0 || (await isMoneyOnItsWay(tx, userId));
    });
  if (await isOpen()) return true;
  await payNow(engines, userId);
  return isOpen();
}

async function removeFiles({ database, storage, jobs, installation, clock }: Engines, { id, userId }: Deletion) {
  const { places, uploads } = await database.work(system, async (tx) => {
    await changeAvatar(tx, jobs, userId, { avatar: undefined });
    return { places: await listStoredPlaces(tx, userId), uploads: await listStagedUploads(tx, userId) };
  });
  let files = 0;
  for (const place of places)
    for await (const file of storage.list(place)) {
      await storage.remove(file);
      files++;
    }
  for (const upload of uploads)
    for (const name of [upload, `${upload}.json`])
      await rm(path.join(stagingOf(installation.dataDir), name), { force: true });
  await database.work(system, (tx) => noteFilesRemoved(tx, id, new Date(clock()), files));
}

/** Empties the row of the account and mails the certificate; the address goes with the same transaction. */
async function finish({ database, jobs, clock }: Engines, { id, userId, email, certificate }: Deletion): Promise<void> {
  const now = new Date(clock());
  await database.work(system, async (tx) => {
    if (!(await markDone(tx, id, now))) return;
    await eraseWordsOf(tx, userId);
    await emptyAccount(tx, userId, erasedAddress(userId));
    await insertAudit(tx, {
      actor: { type: 'system' },
      action: 'account.erased',
      target: { type: 'user', id: userId },
      details: { deletionId: id, keys: certificate?.keys.length ?? 0, keyHash: certificate?.keyHash ?? '' },
    });
    if (email === null || certificate === null) return;
    const { keys, keyHash, backupsExpireOn, files = 0 } = certificate;
    const masterKeys = [...new Set(keys.map(({ masterKey }) => masterKey))];
    const words = accountErasedEmail({
      number: id,
      day: now.toISOString().slice(0, 10),
      keys: keys.length,
      files,
      keyHash,
      masterKeys,
      backupDay: backupsExpireOn,
    });
    await queueEmail(tx, jobs, { to: email, now, ...words });
  });
}
