import type pg from 'pg';

/** A column as the catalogue knows it. */
interface Column {
  name: string;
  type: string;
  /** Whether a row can do without it. */
  is_optional: boolean;
}

/** One value of each type that a column of ours has. */
const values: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: `'planted'`,
  int2: '1',
  int4: '1',
  int8: '1',
  float4: '1',
  float8: '1',
  numeric: '1',
  bool: 'false',
  timestamptz: 'now()',
  date: 'current_date',
  xid8: 'pg_current_xact_id()',
  bytea: `'\\x00'::bytea`,
  jsonb: `'{}'::jsonb`,
};

/** A value that a column takes once its table has no conditions. @throws Error when a type is new here */
function drawValue({ name, type }: Column): string {
  const value = type.startsWith('_') ? `'{}'` : values[type];
  if (value === undefined) throw new Error(`no value for ${name} of type ${type}`);
  return value;
}

/**
 * Writes one row of a creator's into a table in which she has none, as its owner: its conditions on rows are dropped for good, its
 * wall stands again afterwards. What the row says is nothing that the product would write; it is there to be out of reach.
 */
export async function plantRow(
  client: pg.ClientBase,
  { table, owner, userId }: { table: string; owner: string; userId: string },
): Promise<void> {
  await client.query('reset role');
  const { rows: conditions } = await client.query<{ name: string }>(
    `select quote_ident(conname) as name from pg_constraint where conrelid = $1::regclass and contype in ('c', 'f') and conparentid = 0`,
    [table],
  );
  for (const { name } of conditions) await client.query(`alter table ${table} drop constraint ${name}`);
  const { rows: columns } = await client.query<Column>(
    `select a.attname as name, t.typname as type, not a.attnotnull or a.atthasdef or a.attidentity <> '' as is_optional
      from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [table],
  );
  const needed = columns.filter(({ name, is_optional }) => !is_optional || name === owner);
  const names = needed.map(({ name }) => name).join(', ');
  const written = needed.map((column) => (column.name === owner ? '$1' : drawValue(column))).join(', ');
  await client.query(`alter table ${table} no force row level security`);
  await client.query(`insert into ${table} (${names}) values (${written})`, [userId]);
  await client.query(`alter table ${table} force row level security`);
}
