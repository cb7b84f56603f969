import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertErrorLog } from '#features/audit/store.ts';
import { takeFold } from './folding/fold-store.ts';
import {
  type Astray,
  type Difference,
  findAstray,
  findDifferences,
  listCreatorsWithLinks,
  rebuildSums,
  repairCounters,
} from './folding/recount-store.ts';
import { eventsKeptSince } from './rules.ts';

type Needs = Pick<Engines, 'database' | 'clock' | 'linkClock'>;
const system = { kind: 'system' } as const;

/** What is not as the stream says: a link's counters or sums, or a creator's table of sums. */
export type Wrong = Difference | Astray;

/** A difference in words, for the operator. */
export function describeDifference(wrong: Wrong): string {
  if ('table' in wrong) return `creator ${wrong.creatorId}: ${wrong.rows} sums of ${wrong.table}`;
  const { linkId, ...counts } = wrong;
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return `link ${linkId}: ${parts.join(', ')}`;
}

/** Everything of a creator that is not as the stream says. */
async function findWrong(tx: Tx, creatorId: string, keptSince: Date) {
  return {
    links: await findDifferences(tx, creatorId, keptSince),
    sums: await findAstray(tx, creatorId, keptSince),
  };
}

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

/** Counters of links and sums that are not what the stream says. */
export async function compareViews({ database, linkClock }: Pick<Needs, 'database' | 'linkClock'>): Promise<Wrong[]> {
  const keptSince = eventsKeptSince(new Date(linkClock()));
  const wrong: Wrong[] = [];
  for await (const creatorId of listCreators({ database })) {
    const { links, sums } = await database.work(system, (tx) => findWrong(tx, creatorId, keptSince));
    wrong.push(...links, ...sums);
  }
  return wrong;
}

/**
 * Compares counters and sums with the stream and writes down each difference; it repairs nothing, since a difference is a bug to
 * be found.
 * @returns how many differ
 */
export async function recountViews(needs: Needs): Promise<number> {
  const { database, clock } = needs;
  const wrong = await compareViews(needs);
  await database.work(system, async (tx) => {
    for (const each of wrong) {
      const about = { component: 'insights.recount', message: describeDifference(each), severity: 'warning' } as const;
      await insertErrorLog(tx, about, new Date(clock()));
    }
  });
  return wrong.length;
}

/**
 * Makes counters and sums what the stream says, where they differ; only when an operator asks for it.
 * @returns what was different
 */
export async function repairViews({ database, linkClock }: Pick<Needs, 'database' | 'linkClock'>): Promise<Wrong[]> {
  const keptSince = eventsKeptSince(new Date(linkClock()));
  const repaired: Wrong[] = [];
  for await (const creatorId of listCreators({ database })) {
    const { links, sums } = await database.work(system, (tx) => findWrong(tx, creatorId, keptSince));
    if (links.length + sums.length > 0)
      repaired.push(...(await holdFold({ database }, (tx) => repair(tx, creatorId, keptSince))));
  }
  return repaired;
}

async function repair(tx: Tx, creatorId: string, keptSince: Date): Promise<Wrong[]> {
  const { links, sums } = await findWrong(tx, creatorId, keptSince);
  await repairCounters(tx, links);
  await rebuildSums(tx, creatorId, keptSince);
  return [...links, ...sums];
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
