import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable, type Writable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { type LateKey, listRowTables, type RowTable, readingOf, writingOf } from './row-tables.ts';

/** The same text on every server: no setting of anybody's changes how a value is written. */
const plainText = `
  set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1;
  set local bytea_output = 'hex'; set local role app_system`;

const readAtOnce = 500;

/** One transaction over a connection of its own, whose end closes it. */
async function inOne<T>(connection: pg.PoolConfig, begin: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection as pg.ClientConfig);
  client.on('error', () => undefined); // what is under way fails with it
  await client.connect();
  try {
    await client.query(`${begin}; ${plainText}`);
    const result = await run(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}

/**
 * Reads the rows of all tables as they were at one moment, while people go on working.
 * @param take receives one table after the other: a first line that names the columns, then one line for each row, gzipped
 */
export async function exportRows(
  connection: pg.PoolConfig,
  take: (table: string, lines: Readable) => Promise<void>,
): Promise<void> {
  await inOne(connection, 'begin isolation level repeatable read read only', async (client) => {
    const { tables } = await listRowTables(client);
    for (const table of tables) {
      const lines = createGzip();
      const [taken] = await Promise.all([
        take(table.name, lines),
        writeLines(client, table, lines).catch((error: Error) => lines.destroy(error)),
      ]);
      if (lines.errored) throw lines.errored;
      void taken;
    }
  });
}

async function writeLines(client: pg.Client, table: RowTable, lines: Writable): Promise<void> {
  lines.write(`${JSON.stringify(table.columns.map(({ name }) => name))}\n`);
  await client.query(`declare moved no scroll cursor for ${readingOf(table)}`);
  for (;;) {
    const { rows } = await client.query<{ row: (string | null)[] }>(`fetch ${readAtOnce} from moved`);
    if (rows.length === 0) break;
    if (!lines.write(rows.map(({ row }) => `${JSON.stringify(row)}\n`).join(''))) await once(lines, 'drain');
  }
  await client.query('close moved');
  lines.end();
}

/**
 * Writes exported rows into a migrated database without accounts: all of them or none.
 * @param fileOf where the lines of a table are, if the export has them
 * @returns how many rows were written
 * @throws a sentence when somebody lives there, or the tables are not those of the export
 */
export async function importRows(
  connection: pg.PoolConfig,
  fileOf: (table: string) => string | undefined,
): Promise<number> {
  return inOne(connection, 'begin', async (client) => {
    const { tables, lateKeys } = await listRowTables(client);
    await makeRoom(client, tables);
    await deferKeys(client, lateKeys, 'deferrable initially deferred');
    let count = 0;
    for (const table of tables) {
      const file = fileOf(table.name);
      if (file === undefined) throw new Error(`The export has no table ${table.name}: it was made by another version.`);
      count += await readLines(client, table, file);
      await setCounters(client, table);
    }
    await client.query('set constraints all immediate');
    await deferKeys(client, lateKeys, 'not deferrable');
    // A full database that nobody has looked at answers as slowly as it can, until it comes round to it by itself.
    await client.query('reset role; analyze');
    return count;
  });
}

/** What migrations wrote makes room for what it has become. @throws when there are accounts */
async function makeRoom(client: pg.Client, tables: readonly RowTable[]): Promise<void> {
  if ((await client.query('select 1 from users limit 1')).rowCount !== 0)
    throw new Error('This database already has accounts. Import into an empty one.');
  for (const { name } of tables.toReversed()) {
    const { rowCount } = await client.query(`select 1 from ${name} limit 1`);
    if (rowCount !== 0) await client.query(`delete from ${name}`);
  }
}

/** Only the owner of the tables may do it; behind each key the role is the system's again. */
async function deferKeys(client: pg.Client, keys: readonly LateKey[], how: string): Promise<void> {
  await client.query('reset role');
  for (const { table, name } of keys)
    await client.query(`alter table ${table} alter constraint ${pg.escapeIdentifier(name)} ${how}`);
  await client.query('set local role app_system');
}

/** The lines of an export. Only its own line ends count: in names people also keep others, such as U+2028. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let begun = '';
  const texts = pipeline(createReadStream(file), createGunzip(), () => undefined).setEncoding('utf8');
  for await (const text of texts) {
    const lines = `${begun}${text}`.split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  if (begun !== '') yield begun;
}

async function readLines(client: pg.Client, table: RowTable, file: string): Promise<number> {
  let known: RowTable | undefined;
  let batch: (string | null)[][] = [];
  let count = 0;
  const write = async (into: RowTable) => {
    if (batch.length > 0)
      await client.query(
        writingOf(into),
        into.columns.map((_, n) => batch.map((row) => row[n])),
      );
    count += batch.length;
    batch = [];
  };
  for await (const line of linesOf(file)) {
    const values = JSON.parse(line);
    if (known === undefined) known = inOrder(table, values);
    else batch.push(values);
    if (batch.length === readAtOnce) await write(known);
  }
  if (known === undefined) throw new Error(`The export of ${table.name} is empty.`);
  await write(known);
  return count;
}

/** The table with its columns in the order of the export. @throws when it has others */
function inOrder(table: RowTable, names: readonly string[]): RowTable {
  const columns = names.flatMap((name) => table.columns.filter((column) => column.name === name));
  if (columns.length === names.length) return { ...table, columns };
  throw new Error(`The export has different columns for ${table.name}: it was made by another version.`);
}

async function setCounters(client: pg.Client, { name, counters }: RowTable): Promise<void> {
  for (const column of counters) {
    const { rows } = await client.query<{ last: number | null }>(
      `select max(${pg.escapeIdentifier(column)}) as last from ${name}`,
    );
    if (rows[0]?.last == null) continue;
    await client.query('reset role');
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [name, column, rows[0].last]);
    await client.query('set local role app_system');
  }
}
