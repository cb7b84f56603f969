import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { readConfig } from '#app/config.ts';
import { openEngines } from '#app/engines.ts';
import { openLog } from '#app/log.ts';
import type { Engines } from '#engines/engines.ts';
import { takeFold } from '#features/insights/folding/fold-store.ts';
import { findAstray, findDifferences, rebuildSums } from '#features/insights/folding/recount-store.ts';
import { describeDifference } from '#features/insights/recount.ts';
import { eventsKeptSince } from '#features/insights/rules.ts';
import { dayMs } from '#kit/time.ts';
import { say } from './options.ts';

const root = path.resolve(import.meta.dirname, '../..');
const system = { kind: 'system' } as const;
/** How many creators the recount compares with the stream. */
const sampleSize = 20;

/** Opens the engines of the product on the folder of a running copy. */
async function attached<T>(dataDir: string, run: (engines: Engines) => Promise<T>): Promise<T> {
  const engines = await openEngines(readConfig({ DATA_DIR: dataDir, PF_ROLE: 'web' }), openLog('warn'), root);
  try {
    return await run(engines);
  } finally {
    await engines.database.close();
  }
}

/** Adds the stream of these creators up by what `pf recount` repairs with, then lets the database learn how many rows there are. */
export async function sumUp(dataDir: string, client: pg.Client, creatorIds: readonly string[]): Promise<void> {
  const began = performance.now();
  await client.query('analyze');
  const since = new Date(Date.now() - 400 * dayMs);
  await attached(dataDir, async ({ database }) => {
    for (const creatorId of creatorIds)
      await database.work(system, async (tx) => {
        while (!(await takeFold(tx))) await wait(200);
        await rebuildSums(tx, creatorId, since);
      });
  });
  await client.query('vacuum analyze');
  say(`sums of ${creatorIds.length} creators: ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** Everything that the nightly recount finds wrong with the sums of a sample of these creators, the first one among them. */
export const countDifferences = (dataDir: string, creatorIds: readonly string[]): Promise<number> =>
  attached(dataDir, async ({ database }) => {
    const since = eventsKeptSince(new Date());
    const step = Math.max(1, Math.floor(creatorIds.length / sampleSize));
    let wrong = 0;
    for (const creatorId of creatorIds.filter((_, n) => n % step === 0))
      wrong += await database.work(system, async (tx) => {
        const found = [...(await findDifferences(tx, creatorId, since)), ...(await findAstray(tx, creatorId, since))];
        for (const each of found) say(`wrong: ${describeDifference(each)}`);
        return found.length;
      });
    return wrong;
  });
