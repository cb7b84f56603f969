import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertErrorLog } from '#features/audit/store.ts';
import { takeFold } from './fold-store.ts';
import {
  type Difference,
  findDifferences,
  listCreatorsWithLinks,
  rebuildSums,
  repairCounters,
} from './recount-store.ts';
import { eventsKeptSince } from './rules.ts';

type Needs = Pick<Engines, 'database' | 'clock' | 'linkClock'>;
const system = { kind: 'system' } as const;

/** A difference in words, for the operator. */
export const tellDifference = ({ linkId, ...counts }: Difference): string =>
  `link ${linkId}: ${Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}`;

/** Every creator who has links, a few at a time. */
async function* listCreators({ database }: Pick<Engines, 'database'>): AsyncGenerator<string> {
  let last: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (last !== undefined) {
    const after: string = last;
    const ids = await database.work(system, (tx) => listCreatorsWithLinks(tx, after));
    yield* ids;
    last = ids.at(-1);
  }
}

/** Links whose counters or sums are not what the stream says. */
export async function compareViews({
  database,
  linkClock,
}: Pick<Needs, 'database' | 'linkClock'>): Promise<Difference[]> {
  const keptSince = eventsKeptSince(new Date(linkClock()));
  const differing: Difference[] = [];
  for await (const creatorId of listCreators({ database }))
    differing.push(...(await database.work(system, (tx) => findDifferences(tx, creatorId, keptSince))));
  return differing;
}

/**
 * Compares every link's counters and sums with the stream and writes down each difference; it repairs nothing, since a
 * difference is a bug to be found.
 * @returns how many links differ
 */
export async function recountViews(needs: Needs): Promise<number> {
  const { database, clock } = needs;
  const differing = await compareViews(needs);
  await database.work(system, async (tx) => {
    for (const difference of differing) {
      const about = {
        component: 'insights.recount',
        message: tellDifference(difference),
        severity: 'warning',
      } as const;
      await insertErrorLog(tx, about, new Date(clock()));
    }
  });
  return differing.length;
}

/**
 * Makes counters and sums what the stream says, where they differ; only when an operator asks for it.
 * @returns what was different
 */
export async function repairViews({
  database,
  linkClock,
}: Pick<Needs, 'database' | 'linkClock'>): Promise<Difference[]> {
  const keptSince = eventsKeptSince(new Date(linkClock()));
  const repaired: Difference[] = [];
  for await (const creatorId of listCreators({ database })) {
    const found = await database.work(system, (tx) => findDifferences(tx, creatorId, keptSince));
    if (found.length > 0) repaired.push(...(await holdFold({ database }, (tx) => repair(tx, creatorId, keptSince))));
  }
  return repaired;
}

async function repair(tx: Tx, creatorId: string, keptSince: Date): Promise<Difference[]> {
  const found = await findDifferences(tx, creatorId, keptSince);
  await repairCounters(tx, found);
  await rebuildSums(tx, creatorId, keptSince);
  return found;
}

/** Waits until nobody else folds. A fold takes milliseconds, after a long standstill minutes. */
async function holdFold<T>({ database }: Pick<Engines, 'database'>, run: (tx: Tx) => Promise<T>): Promise<T> {
  for (;;) {
    const done = await database.work(system, async (tx) =>
      (await takeFold(tx)) ? { result: await run(tx) } : undefined,
    );
    if (done !== undefined) return done.result;
    await pause(200);
  }
}
