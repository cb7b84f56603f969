import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Statement, Tx } from '#engines/database/work.ts';
import { bySlug, ofVisit } from '#features/access/facts-store.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { findOpenVisits } from '../reporting/reporting-store.ts';
import { continueVisit, endVisit, findOtherScreens, insertVisit, type VisitStart } from '../visits-store.ts';
import { type MovingHeartbeat, saveHeartbeat, saveMovingHeartbeat } from './renewals-store.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const id = '01a1fdfa-0000-7000-8000-000000000001';
const now = new Date('2026-11-21T12:00:00Z');
const start = { visitId: id, grantId: id, deviceId: id, place: {}, now } as VisitStart;
const beat = { visitId: id, now, closed: [], current: {}, gone: [] } as unknown as MovingHeartbeat;

/** Everything that asks for visits by their ids or their admissions, and minds which of them are open. */
const asking: Record<string, (tx: Tx) => Promise<unknown>> = {
  facts_by_slug: (tx) => tx.query(bySlug, []),
  facts_of_visit: (tx) => tx.query(ofVisit, []),
  visit_begun: (tx) => insertVisit(tx, start),
  visit_goes_on: (tx) => continueVisit(tx, start),
  visit_ended: (tx) => endVisit(tx, { visitId: id, state: 'closed', reason: 'left', now, closesScreen: false }),
  other_screens: (tx) => findOtherScreens(tx, id, id),
  open_visits_of_admission: (tx) => findOpenVisits(tx, id),
  visit_beat: (tx) => saveHeartbeat(tx, beat),
  visit_beat_moved: (tx) => saveMovingHeartbeat(tx, beat),
};

/** Returns the statement that a call sends. */
async function sentBy(call: (tx: Tx) => Promise<unknown>): Promise<Statement<object>> {
  let sent: Statement<object> = { name: '', text: '' };
  const query = async (statement: Statement<object>) => {
    sent = statement;
    return [];
  };
  await call({ query } as unknown as Tx);
  return sent;
}

it.each(Object.entries(asking))('%s finds visits without looking through all that are open', async (name, call) => {
  const sent = await sentBy(call);
  expect(sent.name).toBe(name);
  const plan = await database.work({ kind: 'system' }, async ({ client }) => {
    await client.query('set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${sent.text}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/ on viewer_sessions/);
  expect(plan).not.toMatch(/ viewer_sessions_open/);
});

it('a renewal is planned once, whatever it brings, and what sweeps is not', async () => {
  const mode = { name: 'plan_cache_mode_shown', text: `select current_setting('plan_cache_mode') as mode` };
  const ask = (isPlannedOnce: boolean) =>
    database.query<{ mode: string }>({ ...mode, ...(isPlannedOnce && { isPlannedOnce }) }, []);
  expect([await ask(true), await ask(false)]).toEqual([[{ mode: 'force_generic_plan' }], [{ mode: 'auto' }]]);
  for (const name of ['facts_by_slug', 'facts_of_visit', 'visit_beat', 'visit_beat_moved'])
    expect((await sentBy(asking[name] ?? (async () => undefined))).isPlannedOnce, name).toBe(true);
});
