import type { Engines } from '#engines/engines.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { takeFilled, takeTrialEnds } from './notifying-store.ts';

const system = { kind: 'system' } as const;

/** Tells people whose storage is filling up and whose trial ends, each once. */
export async function notifyAccounts(engines: Engines): Promise<void> {
  const { database, clock } = engines;
  const settings = await settingsOf(engines);
  const limits = { plan: settings['limits.storageBytes'], trial: settings['limits.trialStorageBytes'] };
  const now = new Date(clock());
  await database.work(system, async (tx) => {
    for (const { userId, percent } of await takeFilled(tx, limits, now))
      if (percent > 0) await noteNotice(tx, { userId, notice: { event: 'storage', percent }, now });
    for (const { userId, stage, at } of await takeTrialEnds(tx, now))
      await noteNotice(tx, { userId, notice: { event: 'trial', stage, at: at.toISOString() }, now });
  });
}
