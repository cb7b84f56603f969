import pg from 'pg';
import { bootEmbedded, type Embedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { type LiveEvent, type Runner, runWork, type Statement, type Tx } from './work.ts';

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('A whole number of the database is too large to be exact.');
  return value;
});
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** PostgreSQL is away or has no free connection: answered as 503, never guessed around. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('The database does not answer.', { cause });
    this.name = 'DatabaseAway';
  }
}

export interface DatabaseSettings {
  /** PostgreSQL 15 or newer; without it the embedded one is booted in `dataDir`. */
  url?: string | undefined;
  /** An address that keeps one session, for LISTEN and migrations behind a pooler; default `url`. */
  directUrl?: string | undefined;
  dataDir: string;
  /** Folder of the migrations; null leaves the schema as it is. */
  migrations: string | null;
  log: (text: string) => void;
  /** Another database of the embedded cluster; tests have one each, copied from `template`. */
  name?: string;
  template?: string;
}

export interface Database {
  /** One transaction as `runner`. Nothing of the outside is called inside it. */
  work<T>(runner: Runner, run: (tx: Tx) => Promise<T>, options?: { repeatable?: boolean }): Promise<T>;
  /** One named statement as the system, without a transaction around it: for the hottest reads. */
  ask<Row extends object>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** Hears what `tx.tell` said in any process; `onGap` is called when something may have been missed. */
  listen(hear: (event: LiveEvent) => void, onGap: () => void): Promise<{ close(): Promise<void> }>;
  /** Connections that run as the system from their start, for libraries that bring their own SQL. */
  systemPool: pg.Pool;
  /** How to connect, for libraries that open connections of their own (jobs). */
  connection: pg.PoolConfig;
  /** Where the data is, in words for the log. */
  place: string;
  /** Only this process can be working on the database: it booted the embedded server itself. */
  isAlone: boolean;
  /** Statements sent so far; tests read the difference. */
  statementCount(): number;
  close(): Promise<void>;
}

/** Codes that a repeatable unit of work is tried again for: deadlock and serialization failure. */
const worthAnotherTry = new Set(['40P01', '40001']);
const away = /ECONNREFUSED|ENOENT|ECONNRESET|EPIPE|timeout exceeded|terminated|57P0[123]|53300|08[0-9A-Z]{3}/;

const isAway = (error: unknown) =>
  error instanceof Error && away.test(`${(error as { code?: string }).code ?? ''} ${error.message}`);

/** The connection of the embedded server's own role; makes role and database on the first start. */
async function connectionOf(embedded: Embedded, name: string, template: string | undefined): Promise<pg.PoolConfig> {
  const admin = new pg.Client({ ...embedded.address, user: 'postgres', database: 'postgres' });
  await admin.connect();
  try {
    const missing = async (text: string, value: string) => (await admin.query(text, [value])).rowCount === 0;
    if (await missing('select 1 from pg_roles where rolname = $1', 'pf')) await admin.query('create role pf login createrole createdb');
    if (await missing('select 1 from pg_database where datname = $1', name)) await admin.query(`create database "${name}" owner pf${template === undefined ? '' : ` template "${template}"`}`);
  } catch (error) {
    if (!['23505', '42710', '42P04'].includes((error as { code?: string }).code ?? '')) throw error; // another first start was quicker
  } finally {
    await admin.end();
  }
  return { ...embedded.address, user: 'pf', database: name };
}

/**
 * Opens the database: boots the embedded PostgreSQL or connects to `url`, then migrates.
 * @throws a sentence that says what to do when it cannot
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const embedded = settings.url === undefined ? await bootEmbedded(settings.dataDir, settings.log) : undefined;
  const connection: pg.PoolConfig = embedded ? await connectionOf(embedded, settings.name ?? 'pf', settings.template) : { connectionString: settings.url };
  const direct = settings.directUrl === undefined ? connection : { connectionString: settings.directUrl };
  if (settings.migrations !== null) await migrateOver(direct, settings.migrations);
  const limits = { statement_timeout: 10_000, idle_in_transaction_session_timeout: 15_000, connectionTimeoutMillis: 2000 };
  const pool = openPool({ ...connection, ...limits, max: 10, pipeline: true } as pg.PoolConfig, settings.log);
  const systemPool = openPool({ ...connection, ...limits, max: 4, options: '-c role=app_system' }, settings.log);
  let count = 0;
  countStatements(pool, () => count++);

  /** A lost embedded server is started again once; a lost outer one is the operator's matter. */
  async function held<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (embedded === undefined) throw new DatabaseAway(error);
      await embedded.revive().catch((cause: unknown) => {
        throw new DatabaseAway(cause);
      });
      throw new DatabaseAway(error);
    }
  }
  return {
    connection: direct,
    systemPool,
    place: embedded ? `embedded PostgreSQL in ${embedded.folder} (as ${embedded.runsAs}${embedded.attached ? ', attached' : ''})` : 'PostgreSQL at DATABASE_URL',
    isAlone: embedded !== undefined && !embedded.attached,
    statementCount: () => count,
    work: (runner, run, { repeatable = false } = {}) =>
      held(async () => {
        for (let tries = 1; ; tries++)
          try {
            return await runWork(await pool.connect(), runner, run);
          } catch (error) {
            if (!repeatable || tries === 3 || !worthAnotherTry.has((error as { code?: string }).code ?? '')) throw error;
          }
      }),
    ask: ({ name, text }, values) =>
      held(async () => {
        count++;
        return (await systemPool.query({ name, text, values: [...values] })).rows;
      }),
    listen: (hear, onGap) => listenOn(direct, hear, onGap),
    async close() {
      await Promise.all([pool.end(), systemPool.end()]);
      await embedded?.stop();
    },
  };
}

async function migrateOver(connection: pg.PoolConfig, folder: string): Promise<void> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    await migrate(client, folder);
  } finally {
    await client.end();
  }
}

/** Idle connections break when the server goes: without these listeners that would end the process. */
function openPool(config: pg.PoolConfig, log: (text: string) => void): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', (error) => log(error.message));
  pool.on('connect', (client) => client.on('error', (error) => log(error.message)));
  return pool;
}

function countStatements(pool: pg.Pool, count: () => void): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      count();
      return send(...args);
    }) as typeof client.query;
  });
}

/** One session that listens; reconnects with a growing pause and says when it may have missed something. */
async function listenOn(connection: pg.PoolConfig, hear: (event: LiveEvent) => void, onGap: () => void) {
  let closed = false;
  let client: pg.Client | undefined;
  let pauseMs = 100;
  const open = async () => {
    const next = new pg.Client(connection as pg.ClientConfig);
    client = next;
    next.on('notification', ({ payload }) => hear(JSON.parse(payload ?? '{}') as LiveEvent));
    const lost = () => {
      if (closed || client !== next) return;
      client = undefined;
      void next.end().catch(() => undefined);
      setTimeout(() => void reopen(), pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, 2000);
    };
    next.on('error', lost);
    next.on('end', lost);
    await next.connect();
    await next.query('listen live');
    pauseMs = 100;
  };
  const reopen = async () => {
    if (closed) return;
    try {
      await open();
      onGap();
    } catch {
      if (client !== undefined) client.emit('end');
    }
  };
  await open();
  return {
    async close() {
      closed = true;
      await client?.end().catch(() => undefined);
    },
  };
}
