import pg from 'pg';
import { bootEmbedded, type Embedded } from './embedded.ts';
import { openListener } from './listen.ts';
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
  /**
   * Hears what `tx.tell` said in any process; `onGap` is called when something may have been missed.
   * All hearers of a process share one connection, which closes with the database.
   */
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

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? '';

/** Codes that a repeatable unit of work is tried again for: deadlock and serialization failure. */
const worthAnotherTry = new Set(['40P01', '40001']);

/** The server said that it is going, coming or full (PostgreSQL, appendix A: classes 08, 53, 57P). */
const awayCodes = /^(08...|53300|57P0[1-5])$/;
const lostLine = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const awayWords =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/** Whether the error is the database's absence, and not one of the statement or of the handler's own files. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (awayCodes.test(codeOf(error)) || awayWords.test(error.message)) return true;
  return (
    lostLine.test(codeOf(error)) &&
    ['connect', 'read', 'write', 'getaddrinfo'].includes((error as NodeJS.ErrnoException).syscall ?? '')
  );
}

const isCrowded = (error: unknown) =>
  error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');

/** Of several that make the same role or database at once, one does and the others go on. */
const madeMeanwhile = new Set(['23505', '42710', '42P04']);

/** The connection of the embedded server's own role; makes role and database on the first start. */
async function connectionOf(embedded: Embedded, name: string, template: string | undefined): Promise<pg.PoolConfig> {
  const admin = new pg.Client({ ...embedded.address, user: 'postgres', database: 'postgres' });
  await admin.connect();
  const make = async (found: string, value: string, text: string) => {
    if ((await admin.query(found, [value])).rowCount !== 0) return;
    await admin.query(text).catch((error: unknown) => {
      if (!madeMeanwhile.has(codeOf(error))) throw error;
    });
  };
  try {
    await make('select 1 from pg_roles where rolname = $1', 'pf', 'create role pf login createrole createdb');
    const copied = template === undefined ? '' : ` template ${pg.escapeIdentifier(template)}`;
    const wanted = `create database ${pg.escapeIdentifier(name)} owner pf${copied}`;
    await make('select 1 from pg_database where datname = $1', name, wanted);
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
  try {
    const address = embedded && (await connectionOf(embedded, settings.name ?? 'pf', settings.template));
    const connection: pg.PoolConfig = address ?? { connectionString: settings.url };
    const direct = settings.directUrl === undefined ? connection : { connectionString: settings.directUrl };
    if (settings.url !== undefined) await checkServer(direct);
    if (settings.migrations !== null) await migrateOver(direct, settings.migrations);
    return databaseOver(embedded, connection, direct, settings.log);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

function databaseOver(
  embedded: Embedded | undefined,
  connection: pg.PoolConfig,
  direct: pg.PoolConfig,
  log: (text: string) => void,
): Database {
  const limits = {
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    connectionTimeoutMillis: 2000,
  };
  const pool = openPool({ ...connection, ...limits, max: 10, pipeline: true } as pg.PoolConfig, log);
  const systemPool = openPool({ ...connection, ...limits, max: 4, options: '-c role=app_system' }, log);
  const revive = async () => embedded?.revive();
  const listener = openListener(direct, revive);
  let count = 0;
  countStatements(pool, () => count++);
  let closing: Promise<void> | undefined;

  /** Our own server is started again when it is gone; what was lost with it is answered as 503. */
  async function held<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!isCrowded(error)) await revive().catch((cause: unknown) => log(String(cause)));
      throw new DatabaseAway(error);
    }
  }
  /** Nothing has been asked yet, so a server that had to be started again costs no request. */
  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (embedded === undefined || isCrowded(error) || !isAway(error)) throw error;
      await embedded.revive();
      return pool.connect();
    }
  }
  return {
    connection: direct,
    systemPool,
    place: embedded ? placeOf(embedded) : 'PostgreSQL at DATABASE_URL',
    isAlone: embedded !== undefined && !embedded.attached,
    statementCount: () => count,
    work: (runner, run, { repeatable = false } = {}) =>
      held(async () => {
        for (let tries = 1; ; tries++)
          try {
            return await runWork(await connect(), runner, run);
          } catch (error) {
            if (!repeatable || tries === 3 || !worthAnotherTry.has(codeOf(error))) throw error;
          }
      }),
    ask: ({ name, text }, values) =>
      held(async () => {
        count++;
        return (await systemPool.query({ name, text, values: [...values] })).rows;
      }),
    listen: (hear, onGap) => listener.add({ hear, onGap }),
    close() {
      closing ??= (async () => {
        await Promise.all([listener.close(), pool.end(), systemPool.end()]);
        await embedded?.stop();
      })();
      return closing;
    },
  };
}

const placeOf = ({ folder, runsAs, attached }: Embedded) =>
  `embedded PostgreSQL in ${folder} (as ${runsAs}${attached ? ', attached to a server that was running' : ''})`;

/** @throws a sentence when the operator's server does not answer or is too old */
async function checkServer(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...(connection as pg.ClientConfig), connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // what is under way fails with it
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; words: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as words`,
    );
    if ((rows[0]?.number ?? 0) < 150_000) throw new Error(`it is version ${rows[0]?.words}, and 15 or newer is needed`);
  } catch (error) {
    throw new Error(`PostgreSQL at DATABASE_URL cannot be used: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function migrateOver(connection: pg.PoolConfig, folder: string): Promise<void> {
  const client = new pg.Client(connection as pg.ClientConfig);
  client.on('error', () => undefined); // what is under way fails with it
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
  pool.on('connect', (client) => client.on('error', () => undefined));
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
