import pg from 'pg';

/** What a database holds, table by table: how many rows, and a hash over all their values; a column that is new and empty changes none. */
export type Contents = Record<string, { rows: number; hash: string }>;

const tablesOf = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  and relpersistence = 'p' and relname <> 'schema_migrations' order by 1`;

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
        from ${name} t cross join lateral (select jsonb_strip_nulls(to_jsonb(t))::text as words) w`;
      const [row] = (await client.query<Contents[string]>(summed)).rows;
      if (row !== undefined) contents[name] = row;
    }
    return contents;
  } finally {
    await client.end();
  }
}
