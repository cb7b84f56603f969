import type pg from 'pg';

/** A table as it is moved: every value as the text that PostgreSQL itself reads and writes. */
export interface RowTable {
  /** With its schema, ready to stand in a statement. */
  name: string;
  columns: { name: string; type: string }[];
  /** Columns that count by themselves. */
  counters: string[];
}

/** A foreign key that points to its own table or to a later one: it can only hold when all rows are there. */
export interface LateKey {
  table: string;
  name: string;
}

/** Waiting jobs go along, but not those of the queues' own upkeep; what was begun begins again. */
export const jobTable = 'pgboss.job';
const isWaiting = `state < 'completed' and not starts_with(name, '__')`;
const beginAgain = `case when state = 'active' then 'retry' else state::text end`;

/** The statement that reads a table's rows, in the order of its columns. */
export function readingOf({ name, columns }: RowTable): string {
  const isJobs = name === jobTable;
  const values = columns.map((column) =>
    isJobs && column.name === 'state' ? beginAgain : `${quote(column.name)}::text`,
  );
  return `select array[${values.join(', ')}] as row from ${name}${isJobs ? ` where ${isWaiting}` : ''}`;
}

/** The statement that writes many rows: one array of texts for each column. */
export function writingOf({ name, columns }: RowTable): string {
  const names = columns.map((column) => quote(column.name)).join(', ');
  const values = columns.map(({ type }, n) => `v.c${n}::${type}`).join(', ');
  const arrays = columns.map((_, n) => `$${n + 1}::text[]`).join(', ');
  const aliases = columns.map((_, n) => `c${n}`).join(', ');
  return `insert into ${name} (${names}) overriding system value select ${values} from unnest(${arrays}) as v(${aliases})`;
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

const tablesSql = `
  select c.oid::regclass::text as table, case when n.nspname = 'public' then quote_ident(relname) else n.nspname || '.' || quote_ident(relname) end as name,
    (select jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
     from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    array(select attname::text from pg_attribute where attrelid = c.oid and attidentity <> '' and not attisdropped) as counters
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
    and ((nspname = 'public' and relname <> 'schema_migrations') or c.oid = to_regclass('${jobTable}'))
  order by nspname = 'public' desc, relname`;

const keysSql = `
  select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as target
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 2, 1`;

/**
 * Every table whose rows are moved, those that others point to first. Jobs come last; what is unlogged does not outlive a
 * crash either and stays behind.
 */
export async function listRowTables(client: pg.ClientBase): Promise<{ tables: RowTable[]; lateKeys: LateKey[] }> {
  const found = (await client.query<RowTable & { table: string }>(tablesSql)).rows;
  const keys = (await client.query<LateKey & { target: string }>(keysSql)).rows;
  const targetsOf = new Map(found.map(({ table }) => [table, keys.filter((key) => key.table === table)]));
  const order: string[] = [];
  const entered = new Set<string>();
  const enter = (table: string): void => {
    if (entered.has(table)) return;
    entered.add(table);
    for (const { target } of targetsOf.get(table) ?? []) enter(target);
    order.push(table);
  };
  for (const { table } of found) enter(table);
  const placeOf = (table: string) => order.indexOf(table);
  return {
    tables: found
      .toSorted((a, b) => placeOf(a.table) - placeOf(b.table))
      .map(({ name, columns, counters }) => ({ name, columns, counters })),
    lateKeys: keys.filter(({ table, target }) => placeOf(target) >= placeOf(table)),
  };
}
