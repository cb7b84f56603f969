import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards, printProof } from '../counts.ts';
import { whileBroken } from '../crashes/break-installation.ts';
import { findBuiltSql, listBuilders, mayBuild } from '../viewers/sql-text.ts';
import { plantRow } from '../viewers/wall-rows.ts';
import { openWorld, type World } from './world.ts';

guards('db/migrations/**', 'src/engines/database/**');

let app: TestApp;
let world: World;
/** What Berta tried. */
let asked = 0;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openWorld(app, { hasActors: false });
});
afterAll(() => app.close());

interface Table {
  name: string;
  is_walled: boolean;
  is_forced: boolean;
  /** The column that names the creator, when there is one. */
  owner: string | null;
  /** Rights of `app_user`, for example `SELECT`. */
  rights: string[];
  policies: number;
}

/** Every table of the product, out of the catalogue: a new one is in the test by itself. */
async function listTables(): Promise<Table[]> {
  return app.engines.database.work({ kind: 'system' }, async ({ client }) => {
    const { rows } = await client.query<Table>(`
      select c.relname as name, c.relrowsecurity as is_walled, c.relforcerowsecurity as is_forced,
        (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attname in ('user_id', 'creator_id') and not a.attisdropped limit 1) as owner,
        array(select r from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) r where has_table_privilege('app_user', c.oid, r)) as rights,
        (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations' order by 1`);
    return rows;
  });
}

const unwalled = (tables: readonly Table[]): string[] =>
  tables.filter((table) => !table.is_walled || !table.is_forced || table.policies === 0).map(({ name }) => name);

test('every table is walled, for its owner too, and has a policy', async () => {
  const tables = await listTables();
  expect(tables.length).toBeGreaterThan(30);
  expect(unwalled(tables)).toEqual([]);
});

test('the roles can do nothing but read and write rows', async () => {
  const { rows } = await app.engines.database.work({ kind: 'system' }, ({ client }) =>
    client.query(
      `select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb from pg_roles where rolname in ('app_user', 'app_system')`,
    ),
  );
  expect(rows).toHaveLength(2);
  for (const { rolname, ...rights } of rows)
    expect([rolname, Object.values(rights)]).toEqual([rolname, [false, false, false, false, false]]);
  const anna = { kind: 'user', userId: world.a.person.userId } as const;
  for (const statement of [
    'create table mine (id int)',
    'alter table albums disable row level security',
    'drop policy own on albums',
    'truncate albums',
    'create policy all_mine on albums for all to app_user using (true)',
  ])
    await expect(
      app.engines.database.work(anna, ({ client }) => client.query(statement)),
      statement,
    ).rejects.toThrow(/permission denied|must be owner/);
});

/** Anna has a row in every table that somebody may read, so that no wall stands before nothing. */
async function fillTables(tables: readonly Table[]): Promise<void> {
  const userId = world.a.person.userId;
  for (const { name: table, owner, rights } of tables) {
    if (owner === null || !rights.includes('SELECT')) continue;
    await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
      const { rows } = await client.query(`select 1 from ${table} where ${owner} = $1 limit 1`, [userId]);
      if (rows.length === 0) await plantRow(client, { table, owner, userId });
    });
  }
}

/** Everything that Berta could do with Anna's rows, table by table; and the tables in which Anna has rows at all. */
async function climbWalls(tables: readonly Table[]): Promise<{ touched: string[]; climbed: string[] }> {
  const [anna, berta] = [world.a.person.userId, world.b.person.userId];
  const ask = (runner: Runner, text: string, values: unknown[]) =>
    app.engines.database.work(runner, ({ client }) => client.query(text, values));
  const asBerta: Ask = (text, values) => {
    asked++;
    return ask({ kind: 'user', userId: berta }, text, values);
  };
  const touched: string[] = [];
  const climbed: string[] = [];
  for (const { name, owner, rights } of tables) {
    const column = name === 'users' ? 'id' : owner;
    if (!rights.includes('SELECT')) {
      const answer = await answerOf(asBerta(`select 1 from ${name} limit 1`, []));
      if (!answer.includes('permission denied')) climbed.push(`${name}: read without the right`);
    } else if (column !== null) {
      const { rows } = await ask({ kind: 'system' }, `select * from ${name} where ${column} = $1 limit 1`, [anna]);
      if (rows.length > 0) touched.push(name);
      climbed.push(...(await climbWall(asBerta, { name, column, rights, row: rows[0] })));
    }
  }
  return { touched, climbed };

  /** One table: what is Anna's must not be reached, and not be written in her name. */
  async function climbWall(by: Ask, { name, column, rights, row }: Wall): Promise<string[]> {
    const acts = [
      { act: 'read', right: 'SELECT', text: `select 1 from ${name} where ${column} = $1` },
      { act: 'delete', right: 'DELETE', text: `delete from ${name} where ${column} = $1` },
      { act: 'change', right: 'UPDATE', text: `update ${name} set ${column} = ${column} where ${column} = $1` },
    ].filter(({ right }) => rights.includes(right));
    const reached: string[] = [];
    for (const { act, text } of acts) {
      if ((await answerOf(by(text, [anna]))) !== '0 rows') reached.push(`${name}: ${act}`);
    }
    if (row === undefined || !rights.includes('INSERT')) return reached;
    const answer = await answerOf(forge(by, name, row));
    return /row-level security|permission denied/.test(answer) ? reached : [...reached, `${name}: forge`];
  }
}

/** A walled table with a row of its owner. */
interface Wall extends Pick<Table, 'name' | 'rights'> {
  column: string;
  row: Record<string, unknown> | undefined;
}

type Runner = Parameters<typeof app.engines.database.work>[0];
type Ask = (text: string, values: unknown[]) => Promise<{ rowCount: number | null }>;

/** Returns how many rows a statement reached, or what it was refused with. */
const answerOf = (answer: ReturnType<Ask>): Promise<string> =>
  answer.then(
    ({ rowCount }) => `${rowCount} rows`,
    ({ message }: Error) => message,
  );

/** Writes a row once more, in the name of its owner. */
const forge = (ask: Ask, table: string, row: Record<string, unknown>): ReturnType<Ask> => {
  const columns = Object.keys(row);
  const places = columns.map((_, n) => `$${n + 1}`);
  const text = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`;
  return ask(text, Object.values(row).map(asParameter));
};

/** A value as it was read, ready to be written: numbers in a row are an array of the database's own, what else is composed is JSON. */
const asParameter = (value: unknown): unknown => {
  const isOwn =
    value instanceof Date || Buffer.isBuffer(value) || (Array.isArray(value) && value.every(Number.isInteger));
  return value !== null && typeof value === 'object' && !isOwn ? JSON.stringify(value) : value;
};

test('in no table does one creator see, change, delete or forge a row of another', async () => {
  const tables = await listTables();
  await fillTables(tables);
  asked = 0;
  const { touched, climbed } = await climbWalls(tables);
  const untouched = tables.filter(({ name, owner, rights }) => {
    return owner !== null && rights.includes('SELECT') && !touched.includes(name);
  });
  expect(untouched, 'a wall before nothing').toEqual([]);
  printProof('walls', asked, { tables: tables.length, 'with rows': touched.length, climbed: climbed.length });
  expect(climbed).toEqual([]);
  expect(touched).toEqual(
    expect.arrayContaining([
      'albums',
      'album_items',
      'media',
      'packs',
      'magic_links',
      'link_albums',
      'link_viewers',
      'viewer_sessions',
      'grants',
      'codeword_log',
      'users',
      'uploads',
      'traces',
      'trace_log',
    ]),
  );
});

test('planted: a table without its wall, and one whose policy lets everybody in, are found', async () => {
  const breach = {
    plant: `alter table albums no force row level security; alter table packs disable row level security;
      create policy planted on magic_links for all to app_user using (true) with check (true);
      create policy planted on item_days for select to app_user using (true)`,
    mend: `drop policy planted on magic_links; drop policy planted on item_days;
      alter table packs enable row level security; alter table albums force row level security`,
  };
  await whileBroken(app, breach, async () => {
    const tables = await listTables();
    expect(unwalled(tables)).toEqual(['albums', 'packs']);
    const { climbed } = await climbWalls(
      tables.filter(({ name }) => ['item_days', 'magic_links', 'media', 'packs'].includes(name)),
    );
    expect(climbed.toSorted()).toEqual(['item_days: read', 'magic_links: forge', 'magic_links: read', 'packs: read']);
  });
  expect(unwalled(await listTables())).toEqual([]);
});

test('the owner of the tables without a role sees nothing, and what is only ever added to cannot be changed', async () => {
  const seen = await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
    await client.query('reset role');
    const { rows } = await client.query(
      'select (select count(*)::int from albums) as albums, (select count(*)::int from magic_links) as links, (select count(*)::int from users) as users',
    );
    return rows[0];
  });
  expect(seen).toEqual({ albums: 0, links: 0, users: 0 });
  const grown = await listGrown();
  expect(grown.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...['audit_log', 'codeword_log', 'codeword_seals', 'custom_request_events'],
      ...['ledger_accounts', 'ledger_entries', 'ledger_transactions', 'trace_log'],
    ]),
  );
  expect(await changeGrown(grown)).toEqual([]);
});

/** Every table that is only ever added to, with a column of it, out of the catalogue: a new one is tried by itself. */
const listGrown = () =>
  app.engines.database.work({ kind: 'system' }, async ({ client }) => {
    const { rows } = await client.query<{ name: string; column: string }>(`
      select c.relname as name, (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity = '' order by a.attnum limit 1) as column
      from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'append_only' order by 1`);
    return rows;
  });

/** @returns what could be changed all the same */
async function changeGrown(grown: Awaited<ReturnType<typeof listGrown>>): Promise<string[]> {
  const changed: string[] = [];
  for (const { name, column } of grown)
    for (const statement of [`delete from ${name}`, `update ${name} set ${column} = ${column}`, `truncate ${name}`]) {
      const answer = await answerOf(
        app.engines.database.work({ kind: 'system' }, ({ client }) => client.query(statement)),
      );
      if (!/permission denied|append-only/.test(answer)) changed.push(`${statement}: ${answer}`);
    }
  return changed;
}

test('planted: a table whose rows can be changed although it is only ever added to is found', async () => {
  const breach = {
    plant: `grant update, delete on custom_request_events to app_system;
      alter table custom_request_events disable trigger append_only`,
    mend: `alter table custom_request_events enable trigger append_only;
      revoke update, delete on custom_request_events from app_system`,
  };
  await whileBroken(app, breach, async () => {
    expect(await changeGrown(await listGrown())).toEqual([
      expect.stringMatching(/^delete from custom_request_events: \d+ rows$/),
      expect.stringMatching(/^update custom_request_events set \w+ = \w+: \d+ rows$/),
    ]);
  });
  expect(await changeGrown(await listGrown())).toEqual([]);
});

test('no text of SQL is put together out of what somebody said, and one that is would be found', () => {
  expect(listBuilders().filter((file) => mayBuild[file] === undefined)).toEqual([]);
  const hole = ['$', '{said}'].join('');
  for (const [text, way] of [
    ['await sql`order by x`.append(sql.raw(said));', 'a text that is taken for SQL'],
    [`await client.query(\`select * from albums where name = '${hole}'\`);`, 'a text with values in it'],
    ["await client.query('select * from albums order by ' + said);", 'a text out of pieces'],
    ['await client.query(buildSearch(said));', 'a text from elsewhere'],
    [`  const one = statement('one', \`order by ${hole}\`);`, 'a statement that is made again by a function'],
  ] as const)
    expect([text, findBuiltSql(text)]).toEqual([text, [way]]);
  for (const text of [
    "const one = statement('one', 'select 1');",
    "await client.query('select 1');",
    `sql\`where id = ${hole}\``,
  ])
    expect([text, findBuiltSql(text)]).toEqual([text, []]);
});
