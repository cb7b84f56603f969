import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { makeWorld, type World } from './matrix-world.ts';

let house: HouseInTest;
let world: World;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  world = await makeWorld(house);
}, 120_000);
afterAll(() => house.close());

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
  return house.engines.database.work({ kind: 'system' }, async ({ client }) => {
    const { rows } = await client.query<Table>(`
      select c.relname as name, c.relrowsecurity as is_walled, c.relforcerowsecurity as is_forced,
        (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attname in ('user_id', 'creator_id') and not a.attisdropped limit 1) as owner,
        array(select r from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) r where has_table_privilege('app_user', c.oid, r)) as rights,
        (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations' order by 1`);
    return rows;
  });
}

test('R12: every table is walled, for its owner too, and has a policy', async () => {
  const tables = await listTables();
  expect(tables.length).toBeGreaterThan(30);
  expect(
    tables.filter((table) => !table.is_walled || !table.is_forced || table.policies === 0).map(({ name }) => name),
  ).toEqual([]);
});

test('R12: the roles can do nothing but read and write rows', async () => {
  const { rows } = await house.engines.database.work({ kind: 'system' }, ({ client }) =>
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
      house.engines.database.work(anna, ({ client }) => client.query(statement)),
      statement,
    ).rejects.toThrow(/permission denied|must be owner/);
});

test('R12: in no table does one creator see, change, delete or forge a row of another', async () => {
  const [anna, berta] = [world.a.person.userId, world.b.person.userId];
  const asBerta = { kind: 'user', userId: berta } as const;
  const touched: string[] = [];
  for (const { name, owner, rights } of await listTables()) {
    const column = name === 'users' ? 'id' : owner;
    const count = (runner: Parameters<typeof house.engines.database.work>[0], text: string) =>
      house.engines.database.work(runner, async ({ client }) => (await client.query(text, [anna])).rowCount ?? 0);
    if (!rights.includes('SELECT')) {
      await expect(
        house.engines.database.work(asBerta, ({ client }) => client.query(`select 1 from ${name} limit 1`)),
        name,
      ).rejects.toThrow(/permission denied/);
      continue;
    }
    if (column === null) continue;
    if ((await count({ kind: 'system' }, `select 1 from ${name} where ${column} = $1`)) > 0) touched.push(name);
    expect(await count(asBerta, `select 1 from ${name} where ${column} = $1`), `${name}: read`).toBe(0);
    if (rights.includes('DELETE'))
      expect(await count(asBerta, `delete from ${name} where ${column} = $1`), `${name}: delete`).toBe(0);
    if (rights.includes('UPDATE'))
      expect(
        await count(asBerta, `update ${name} set ${column} = ${column} where ${column} = $1`),
        `${name}: update`,
      ).toBe(0);
    if (rights.includes('INSERT'))
      await expect(
        house.engines.database
          .work(
            { kind: 'system' },
            async ({ client }) =>
              (await client.query(`select * from ${name} where ${column} = $1 limit 1`, [anna])).rows[0],
          )
          .then((row) =>
            row === undefined
              ? Promise.reject(new Error('row-level security: no row to forge'))
              : house.engines.database.work(asBerta, ({ client }) =>
                  client.query(
                    `insert into ${name} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
                      .map((_, n) => `$${n + 1}`)
                      .join(', ')})`,
                    Object.values(row).map((value) =>
                      value !== null && typeof value === 'object' && !(value instanceof Date) && !Buffer.isBuffer(value)
                        ? JSON.stringify(value)
                        : value,
                    ),
                  ),
                ),
          ),
        `${name}: forge`,
      ).rejects.toThrow(/row-level security|permission denied/);
  }
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

test('R12: the owner of the tables without a role sees nothing, and what is only ever added to cannot be changed', async () => {
  const seen = await house.engines.database.work({ kind: 'system' }, async ({ client }) => {
    await client.query('reset role');
    const { rows } = await client.query(
      'select (select count(*)::int from albums) as albums, (select count(*)::int from magic_links) as links, (select count(*)::int from users) as users',
    );
    return rows[0];
  });
  expect(seen).toEqual({ albums: 0, links: 0, users: 0 });
  for (const table of ['codeword_log', 'codeword_seals', 'trace_log', 'audit_log'])
    for (const statement of [`delete from ${table}`, `update ${table} set at = at`, `truncate ${table}`])
      await expect(
        house.engines.database.work({ kind: 'system' }, ({ client }) => client.query(statement)),
        statement,
      ).rejects.toThrow(/permission denied|append-only/);
});
