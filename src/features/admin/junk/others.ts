import type { Engines } from '#engines/engines.ts';
import { eraseAccount, holdUnconfirmed } from '#features/accounts/closing-store.ts';
import { changeAvatar } from '#features/accounts/saving-avatars.ts';
import { deleteEmailsOf } from '#features/notices/store.ts';
import { dayMs } from '#kit/time.ts';
import { mostListed, type Rubbish } from './kind.ts';
import { listLeftChecks, listUnconfirmed } from './others-store.ts';

const system = { kind: 'system' } as const;
const unconfirmedDays = 7;

/** Jobs that failed too often, two weeks after they were laid aside: until then they can be tried again. */
export const deadJobs: Rubbish = {
  async look({ jobs }) {
    const ids = await jobs.deadLetters(mostListed);
    return { count: ids.length, sizeBytes: null, ids };
  },
  clean: ({ jobs }, ids) => jobs.removeDead(ids),
};

const confirmBy = ({ clock }: Engines) => new Date(clock() - unconfirmedDays * dayMs);

/** Accounts whose address was never confirmed, a week after they were made. */
export const unconfirmedAccounts: Rubbish = {
  async look(engines) {
    const ids = await engines.database.work(system, (tx) => listUnconfirmed(tx, confirmBy(engines), mostListed));
    return { count: ids.length, sizeBytes: null, ids };
  },
  async clean(engines, ids) {
    const { database, jobs } = engines;
    let cleaned = 0;
    for (const id of ids)
      await database.work(system, async (tx) => {
        // Held until it is erased: nobody confirms it meanwhile.
        if (!(await holdUnconfirmed(tx, id))) return;
        await deleteEmailsOf(tx, id);
        await changeAvatar(tx, jobs, id, { avatar: undefined });
        await eraseAccount(tx, id);
        cleaned++;
      });
    return cleaned;
  },
};

/** People whom full checks have made up and that are not removed yet. @param remove removes what runs have left */
export const testPeople = (remove: (engines: Engines, ids: readonly string[]) => Promise<void>): Rubbish => ({
  async look({ database }) {
    const ids = await database.work(system, listLeftChecks);
    return { count: ids.length, sizeBytes: null, ids };
  },
  async clean(engines, ids) {
    const wanted = new Set(ids);
    const list = async () => (await engines.database.work(system, listLeftChecks)).filter((id) => wanted.has(id));
    const before = await list();
    if (before.length > 0) await remove(engines, before);
    return before.length - (await list()).length;
  },
});
