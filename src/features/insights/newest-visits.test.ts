import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { findLinks, listLinks } from '#features/links/list-store.ts';
import { addPhotos, comeBy } from '#tests/support/looks.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { listVisitsOfLink } from './store.ts';

let app: TestApp;
let mia: Person;
let links: string[];
const noon = '2026-11-21T12:00:00Z';
const now = new Date(noon);
const visits = 3000;
/** A planner may itself read some visits for an answer, some tens of them; an answer that looks at all of a link's reads thousands. */
const few = visits / 30;

beforeAll(async () => {
  app = await openTestApp({ now: noon, workJobs: false });
  mia = await signUpCreator(app);
  const { albumId } = await addPhotos(app, mia.userId, 1);
  links = [];
  for (let n = 0; n < 20; n++)
    links.push((await app.call('links.create', { albumIds: [albumId] }, mia.browser)).body.id);
  // One link is loved, one was opened once before all that, and nobody came by the others.
  for (const [linkId = '', ms] of [
    [links[1], 9_000_000],
    [links[0], 8_000_000],
  ] as const)
    await comeBy(app, { linkId, creatorId: mia.userId, at: new Date(now.getTime() - ms), end: 'left' });
  const columns = (
    await readRows(
      app,
      `select attname::text as name from pg_attribute where attrelid = 'viewer_sessions'::regclass and attnum > 0`,
    )
  ).map(({ name }) => String(name));
  const drawn = (name: string) =>
    name === 'id'
      ? 'gen_random_uuid()'
      : name === 'started_at'
        ? `s.started_at + n * interval '1 second'`
        : `s.${name}`;
  await readRows(
    app,
    `insert into viewer_sessions (${columns.join(', ')}) select ${columns.map(drawn).join(', ')}
      from viewer_sessions s, generate_series(1, ${visits}) n where s.link_id = $1`,
    [links[0]],
  );
});
afterAll(() => app.close());

/** Visits that the table or an index of it gave this connection. */
async function readSoFar({ client }: Tx): Promise<number> {
  const { rows } = await client.query(
    `select sum(pg_stat_get_xact_tuples_returned(oid))::int as read from (
      select 'viewer_sessions'::regclass::oid union all select indexrelid from pg_index where indrelid = 'viewer_sessions'::regclass) r(oid)`,
  );
  return rows[0].read;
}

/** Returns how many visits were read for an answer: the least of three times. */
async function countRead(ask: (tx: Tx) => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let n = 0; n < 3; n++)
    counts.push(
      await app.engines.database.work({ kind: 'user', userId: mia.userId }, async (tx) => {
        const before = await readSoFar(tx);
        await ask(tx);
        return (await readSoFar(tx)) - before;
      }),
    );
  return Math.min(...counts);
}

/** What the planner believes of its tables: nothing, or what it finds there. */
async function believe(what: 'nothing' | 'what is there'): Promise<void> {
  const owner = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await owner.connect();
  if (what === 'what is there') await owner.query('analyze');
  await owner.end();
}

const page = {
  creatorId: '',
  filter: 'all',
  search: '',
  albumId: undefined,
  after: undefined,
  limit: 50,
  now,
} as const;

it.each(['nothing', 'what is there'] as const)(
  "a link's newest visit is found without a look at the others, when %s is known of their number",
  async (known) => {
    await believe(known);
    const mine = { ...page, aliveSince: now, creatorId: mia.userId };
    let list: Awaited<ReturnType<typeof listLinks>> = [];
    expect(
      await countRead(async (tx) => {
        list = await listLinks(tx, mine);
      }),
    ).toBeLessThan(few);
    const starts = new Map(list.map(({ id, visitStartedAt }) => [id, visitStartedAt?.toISOString()]));
    expect(starts.get(links[0] ?? '')).toBe(new Date(now.getTime() - 8_000_000 + visits * 1000).toISOString());
    expect(starts.get(links[1] ?? '')).toBe(new Date(now.getTime() - 9_000_000).toISOString());
    expect(starts.get(links[2] ?? '')).toBeUndefined();
    expect(await countRead((tx) => findLinks(tx, links.slice(0, 3), now))).toBeLessThan(few);
    for (const [n, shown] of [1, 1, 0].entries())
      expect(
        await countRead(async (tx) => {
          const params = { creatorId: mia.userId, linkId: links[n] ?? '', after: undefined, limit: 1 };
          expect(await listVisitsOfLink(tx, params)).toHaveLength(shown);
        }),
      ).toBeLessThan(few);
  },
);
