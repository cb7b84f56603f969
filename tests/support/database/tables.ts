import { readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';

/** Every table of the product, out of the catalogue: a new one is there by itself. */
export const listTables = async (app: TestApp): Promise<string[]> =>
  (
    await readRows(
      app,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not relispartition and relname <> 'schema_migrations' order by 1`,
    )
  ).map(({ name }) => String(name));

/** Returns how many rows each table has: what was written anywhere shows. */
export async function countRows(app: TestApp): Promise<Record<string, number>> {
  const counts = (await listTables(app)).map((name) => `select '${name}' as name, count(*)::int as n from ${name}`);
  return Object.fromEntries((await readRows(app, counts.join(' union all '))).map(({ name, n }) => [name, n]));
}

/**
 * Every table with a hash of its rows: what was changed anywhere shows.
 * @param naming only rows that name one of these ids
 * @param only these tables
 * @param visits that may change
 */
export async function hashTables(
  app: TestApp,
  {
    naming,
    only,
    visits = [],
  }: { naming?: readonly string[]; only?: readonly string[]; visits?: readonly string[] } = {},
): Promise<Record<string, string>> {
  const hashes = (only ?? (await listTables(app))).map((name) => {
    const conditions = [
      ...(naming === undefined ? [] : ['t::text like any($1)']),
      ...(name === 'viewer_sessions' ? ['id <> all($2::uuid[])'] : []),
    ];
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    return `select '${name}' as name, coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as hash
      from ${name} t ${where}`;
  });
  // Each value is named once at least, whichever tables are asked for.
  const all = `${hashes.join(' union all ')} union all select '', '' where $1::text[] is null and $2::uuid[] is null`;
  const rows = await readRows(app, all, [naming?.map((id) => `%${id}%`) ?? [], visits]);
  return Object.fromEntries(rows.map(({ name, hash }) => [String(name), String(hash)]));
}
