import type { Engines } from '#engines/engines.ts';
import { deleteEmailsOf } from '#features/notices/store.ts';
import { dayMs } from '#kit/time.ts';
import { declareAvatarSweep, sweepAvatars } from './avatars/avatar-sweep.ts';
import { eraseAccount, forgetEnded, holdToErase, listAccountsToErase } from './closing-store.ts';
import { notifyAccounts } from './notifying/notifying.ts';
import { changeAvatar, declareAvatarJobs } from './saving-avatars.ts';

const batch = 100;
const unconfirmedDays = 7;

/**
 * What the room does by itself: full storage and ending trials are told; every hour closed and never confirmed accounts are
 * erased, ended secrets and pictures that nobody shows are forgotten.
 */
export function declareAccountJobs(engines: Engines): void {
  declareAvatarJobs(engines);
  declareAvatarSweep(engines);
  engines.jobs.every('*/10 * * * *', 'accounts.tell', () => notifyAccounts(engines));
  engines.jobs.every('23 * * * *', 'accounts.sweep', async () => {
    await sweepAccounts(engines);
    await sweepAvatars(engines);
  });
}

/** Erases the accounts whose time has come; safe to run twice. */
export async function sweepAccounts({
  database,
  jobs,
  clock,
}: Pick<Engines, 'database' | 'jobs' | 'clock'>): Promise<void> {
  const now = new Date(clock());
  const unconfirmedBefore = new Date(now.getTime() - unconfirmedDays * dayMs);
  const system = { kind: 'system' } as const;
  const ids = await database.work(system, (tx) => listAccountsToErase(tx, { now, unconfirmedBefore, limit: batch }));
  for (const id of ids)
    await database.work(system, async (tx) => {
      if (!(await holdToErase(tx, id, { now, unconfirmedBefore }))) return;
      await deleteEmailsOf(tx, id);
      // A picture that was still being made when the account was closed.
      await changeAvatar(tx, jobs, id, { avatar: undefined });
      await eraseAccount(tx, id);
    });
  await database.work(system, (tx) => forgetEnded(tx, now));
}
