import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Tx } from '#engines/database/work.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { listVisits } from '../store.ts';
import { deleteOldEvents, foldBatch, isFoldHeld } from './fold-store.ts';

let database: Database;
const system = { kind: 'system' } as const;
const creatorId = '01a1fdfa-0000-7000-8000-000000000001';
const now = new Date('2026-11-21T12:00:00Z');
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** How the database reads for a statement once a table is large, as whoever asks for it. */
async function planOf(
  name: string,
  values: string,
  run: (tx: Tx) => Promise<unknown>,
  actor: Parameters<Database['work']>[0] = system,
): Promise<string> {
  return database.work(actor, async (tx) => {
    for (const way of ['seqscan', 'bitmapscan']) await tx.client.query(`set local enable_${way} = off`);
    await run(tx);
    const { rows } = await tx.client.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute ${name}(${values})`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** The conditions by which the rows of a table are found, each time it is read; undefined where all of them are read. */
const conditionsOn = (plan: string, table: string): (string | undefined)[] =>
  [...plan.matchAll(new RegExp(` on ${table}\\b[^\\n]*\\n(?: +Index Cond: \\((.+)\\))?`, 'g'))].map(
    ([, found]) => found,
  );

it('a fold finds new events by their epochs, behind row-level security too', async () => {
  const plan = await planOf('fold_views', 'now()', (tx) => foldBatch(tx, now));
  const conditions = conditionsOn(plan, 'view_events');
  expect(conditions.length).toBeGreaterThanOrEqual(2);
  for (const condition of conditions) expect(condition).toMatch(/epoch >= /);
});

it('what holds the fold back, and what is forgotten, are found by their epochs', async () => {
  const held = await planOf('fold_is_held', 'now()', (tx) => isFoldHeld(tx, now));
  expect(conditionsOn(held, 'view_events')).toEqual([expect.stringContaining('epoch >= ')]);
  const old = await planOf('old_events_deleted', 'now()', (tx) => deleteOldEvents(tx, now));
  expect(conditionsOn(old, 'view_events').slice(-2)).toEqual([
    expect.stringContaining('epoch >= '),
    expect.stringMatching(/epoch >= .+ AND .+epoch <= /),
  ]);
});

it('a page of visits is cut out of their index, and their disputes are found by the viewer', async () => {
  const names = { people: 'visits_of_people', notCounted: 'visits_not_counted', all: 'visits_all' } as const;
  for (const which of ['people', 'notCounted', 'all'] as const) {
    const list = (tx: Tx) => listVisits(tx, which, { creatorId, after: undefined, limit: 51, now, days: 365 });
    const actor = { kind: 'user', userId: creatorId } as const;
    const plan = await planOf(names[which], `'${creatorId}', null, null, 51, now(), 365`, list, actor);
    expect(plan, which).toMatch(/Index (?:Only )?Scan using viewer_sessions_creator on viewer_sessions/);
    expect(conditionsOn(plan, 'disputes')).toEqual([expect.stringContaining('viewer_id = ')]);
    const [set] = await database.work(actor, async (tx) => {
      await list(tx);
      return (await tx.client.query<{ enable_sort: string }>('show enable_sort')).rows;
    });
    expect(set, 'or all visits of a span are read and sorted, where there are many').toEqual({ enable_sort: 'off' });
  }
});
