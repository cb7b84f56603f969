import pg from 'pg';

/** Stands in a database from the first that is brought into it to the last: a schema of this name, and nothing in it. */
const marker = 'pf_filling';
/** Held by whoever fills, so that nobody clears under them. */
const fillLock = 7_270_018;

async function over<T>(connection: pg.PoolConfig, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection as pg.ClientConfig);
  client.on('error', () => undefined); // what is under way fails with it
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const isMarked = async (client: pg.Client) =>
  (await client.query('select 1 from pg_namespace where nspname = $1', [marker])).rowCount !== 0;

/**
 * A database that does not answer says so to whoever opens it next.
 * @throws in a database that was not filled to the end: nothing may begin to work in half an installation
 */
export async function refuseCutOffDatabase(connection: pg.PoolConfig): Promise<void> {
  if (await over(connection, isMarked).catch(() => false))
    throw new Error('The import into this database did not finish. Run it again.');
}

/**
 * Fills an empty database: whole, or empty again, or marked as cut off, and then the next call clears it and begins again.
 * @throws what `fill` throws, with the database as empty as before; a sentence when it is not empty, or is filled just now
 */
export async function fillDatabase<T>(connection: pg.PoolConfig, fill: () => Promise<T>): Promise<T> {
  return over(connection, async (client) => {
    const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${fillLock}) as held`);
    if (rows[0]?.held !== true) throw new Error('Another import is filling this database now.');
    if (await isMarked(client)) await clear(client);
    else await checkEmpty(client);
    await client.query(`create schema if not exists ${marker}`);
    try {
      const result = await fill();
      await client.query(`drop schema ${marker}`);
      return result;
    } catch (error) {
      // Where the connection is gone the marker stays, and says so to whoever comes next.
      await clear(client)
        .then(() => client.query(`drop schema ${marker}`))
        .catch(() => undefined);
      throw error;
    }
  });
}

const tablesSql = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and n.nspname in ('public', 'pgboss')
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by 1`;

const functionsSql = `select p.oid::regprocedure::text as name from pg_proc p
  where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;

const collationsSql = `select c.oid::regcollation::text as name from pg_collation c
  where c.collnamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;

const namesOf = async (client: pg.Client, text: string) =>
  (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);

async function checkEmpty(client: pg.Client): Promise<void> {
  const tables = await namesOf(client, tablesSql);
  if (tables.length === 0) return;
  if (tables.includes('schema_migrations') && tables.includes('users')) {
    await client.query('begin; set local role app_system');
    const { rowCount } = await client.query('select 1 from users limit 1');
    await client.query('rollback');
    if (rowCount !== 0) throw new Error('This database already has accounts. Import into an empty one.');
  }
  throw new Error(
    `This database is not empty (${tables.slice(0, 3).join(', ')}). Create a new one and import into that; nothing was changed.`,
  );
}

/** Takes away what was brought: there was nothing before it. */
async function clear(client: pg.Client): Promise<void> {
  await client.query('begin');
  try {
    // What belongs to the system's role is dropped by that role.
    const { rowCount } = await client.query(`select 1 from pg_namespace where nspname = 'pgboss'`);
    if (rowCount !== 0) await client.query('set local role app_system; drop schema pgboss cascade; reset role');
    const tables = await namesOf(client, tablesSql);
    if (tables.length > 0) await client.query(`drop table ${tables.join(', ')} cascade`);
    const functions = await namesOf(client, functionsSql);
    if (functions.length > 0) await client.query(`drop function ${functions.join(', ')} cascade`);
    for (const collation of await namesOf(client, collationsSql)) await client.query(`drop collation ${collation}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
