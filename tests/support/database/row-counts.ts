import pg from 'pg';

/** What a database holds, table by table: how many rows, and a hash over all their values; a column that is new and empty changes none. */
export type Contents = Record<string, { rows: number; hash: string }>;

const tablesOf = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  and relpersistence = 'p' and relname <> 'schema_migrations' order by 1`;

/** What is compared of tables that say the same in fewer bytes since a migration; of all others it is every value. */
const saidBy: Readonly<Record<string, string>> = {
  // The epoch follows from the transaction, and what is no viewer's first was false before.
  view_events: `to_jsonb(t) - 'epoch' || jsonb_build_object('first_of_viewer', t.first_of_viewer or null)`,
};

/** Reads every table of a running embedded database beside whoever works on it, at one moment. */
export async function readContents(connection: pg.PoolConfig): Promise<Contents> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    await client.query(`begin isolation level repeatable read; set local timezone = 'UTC'; set local role app_system`);
    const tables = (await client.query<{ name: string }>(tablesOf)).rows;
    const contents: Contents = {};
    for (const { name } of tables) {
      const summed = `select count(*)::int as rows, coalesce(md5(string_agg(words, '|' order by words collate "C")), '') as hash
        from ${name} t cross join lateral (select jsonb_strip_nulls(${saidBy[name] ?? 'to_jsonb(t)'})::text as words) w`;
      const [row] = (await client.query<Contents[string]>(summed)).rows;
      if (row !== undefined) contents[name] = row;
    }
    return contents;
  } finally {
    await client.end();
  }
}
