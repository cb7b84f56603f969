import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const asOwner = async (...texts: string[]) => {
  const client = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
};

/** Has every insert into a table fail while this runs. @param when a row is there already, or its transaction ends */
async function whileFailing<T>(table: string, when: 'row' | 'end', run: () => Promise<T>): Promise<T> {
  const kind = when === 'row' ? 'trigger planted after insert' : 'constraint trigger planted after insert';
  const late = when === 'row' ? '' : 'deferrable initially deferred';
  await asOwner(
    `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`,
    `create ${kind} on ${table} ${late} for each row execute function planted()`,
  );
  const said = vi.spyOn(app.engines.log, 'error').mockImplementation(() => undefined);
  try {
    const answer = await run();
    // It was reached: nothing else is wrong here.
    expect(JSON.stringify(said.mock.calls)).toContain('planted');
    return answer;
  } finally {
    said.mockRestore();
    await asOwner(`drop trigger planted on ${table}`, 'drop function planted');
  }
}

/** What stands of grants, links and their codewords. */
async function countThem(): Promise<Record<string, number>> {
  const tables = [
    'grants',
    'link_viewers',
    'codeword_log',
    'magic_links',
    'key_leases',
    'deliveries',
    'viewer_sessions',
  ];
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = Number((await readRows(app, `select count(*) as n from ${table}`))[0]?.n);
  return counts;
}
const withoutCodeword = () =>
  readRows(
    app,
    `select id from grants g where not exists (select from codeword_log c where c.grant_id = g.id)
     union all select id from magic_links l where not exists (select from codeword_log c where c.link_id = l.id)
     union all select grant_id from codeword_log c where grant_id is not null and not exists (select from grants g where g.id = c.grant_id)`,
  );

const thumb = () => [{ mediaId: shared.photos[0]?.mediaId, rendition: 'thumb512' }];

/** Everything that makes a codeword: what is done, and what it writes beside it in the same transaction. */
const acts: Record<string, { beside: string[]; act(slug: string): Promise<{ status: number; said: unknown }> }> = {
  'a viewer is let in': {
    beside: ['grants', 'link_viewers', 'viewer_sessions'],
    async act(slug) {
      const { status, head, pictures } = await shared.viewerApi.tap(slug, {}, newBrowser());
      return { status, said: head ?? pictures[0] };
    },
  },
  'a link is made': {
    beside: ['magic_links', 'link_policy_log'],
    async act() {
      const input = { albumIds: [shared.albumId], rules: { ageGate: false }, isLaxConfirmed: true };
      const { status, body } = await app.call('links.create', input, shared.creator.browser);
      return { status, said: body.slug };
    },
  },
  'a creator looks at her own album for the first time': {
    beside: ['grants'],
    async act() {
      const { status, head } = await shared.viewerApi.preview(thumb(), shared.creator.browser);
      return { status, said: head };
    },
  },
};

describe('a codeword is committed in the transaction that needs it', () => {
  const cases = Object.entries(acts).flatMap(([what, { beside }]) =>
    ['codeword_log', ...beside].flatMap((table) =>
      (['row', 'end'] as const).map((when) => [what, table, when] as const),
    ),
  );

  it.each(cases)('%s: when %s fails (%s), nothing of both is left and no key has left', async (what, table, when) => {
    const { slug } = await shared.makeLink();
    const before = await countThem();
    const answer = await whileFailing(table, when, async () => acts[what]?.act(slug));
    expect([answer?.status, answer?.said]).toEqual([500, undefined]);
    expect(await countThem()).toEqual(before);
    expect(await withoutCodeword()).toEqual([]);
  });

  it.each(Object.entries(acts))('%s: both are there when nothing fails', async (_, { beside, act }) => {
    const { slug } = await shared.makeLink();
    const before = await countThem();
    const answer = await act(slug);
    expect([answer.status, answer.said === undefined]).toEqual([200, false]);
    const after = await countThem();
    for (const table of ['codeword_log', ...beside].filter((name) => name in before))
      expect([table, after[table]]).toEqual([table, (before[table] ?? 0) + 1]);
    expect(await withoutCodeword()).toEqual([]);
  });
});
