import pg from 'pg';
import { codeOf } from './away.ts';
import { bootEmbedded, type Embedded } from './embedded.ts';
import { type Lane, openLanes } from './lanes.ts';
import { openListener } from './listen.ts';
import { migrate } from './migrate.ts';
import type { StatementFigure } from './statement-figures.ts';
import type { LiveEvent } from './work.ts';

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('A whole number of the database is too large to be exact.');
  return value;
});
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export interface DatabaseSettings {
  /** PostgreSQL 15 or newer; without it the embedded one is booted in `dataDir`. */
  url?: string | undefined;
  /** An address that keeps one session, for LISTEN and migrations behind a pooler; default `url`. */
  directUrl?: string | undefined;
  dataDir: string;
  /** Where the log of the embedded one is kept all the time; left out, it is not; null leaves it for the next start that knows. */
  backupDir?: string | null | undefined;
  /** Folder of the migrations; null leaves the schema as it is. */
  migrations: string | null;
  log: (text: string) => void;
  /** Another database of the embedded cluster; tests have one each, copied from `template`. */
  name?: string;
  template?: string;
}

export interface Database extends Lane {
  /** Connections that are kept free for what must always work: taking back, signing out, health. */
  urgent: Lane;
  /**
   * Receives what `tx.publish` sent in any process; `onGap` is called when something may have been missed.
   * All subscribers of a process share one connection, which closes with the database.
   */
  listen(onEvent: (event: LiveEvent) => void, onGap: () => void): Promise<{ close(): Promise<void> }>;
  /** Connections that run as the system from their start, for libraries that bring their own SQL. */
  systemPool: pg.Pool;
  /** How to connect, for libraries that open connections of their own (jobs). */
  connection: pg.PoolConfig;
  /** Where the data is, in words for the log. */
  place: string;
  /** Only this process can be working on the database: it booted the embedded server itself. */
  isAlone: boolean;
  /** How long the call has waited that waits longest for a connection; 0 when nobody waits. */
  waitMs(): number;
  /** Statements sent so far; tests read the difference. */
  statementCount(): number;
  /** What was sent by this process since it opened the database, in no order; what libraries send is not among it. */
  statements(): StatementFigure[];
  close(): Promise<void>;
}

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
  const { dataDir, backupDir, log } = settings;
  const embedded = settings.url === undefined ? await bootEmbedded(dataDir, log, backupDir) : undefined;
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
  const { usual, urgent, systemPool, waitMs, statementCount, statements, close } = openLanes(connection, embedded, log);
  const listener = openListener(direct, async () => embedded?.revive());
  let closing: Promise<void> | undefined;
  return {
    ...usual,
    urgent,
    connection: direct,
    systemPool,
    place: embedded ? placeOf(embedded) : 'PostgreSQL at DATABASE_URL',
    isAlone: embedded !== undefined && !embedded.attached,
    waitMs,
    statementCount,
    statements,
    listen: (onEvent, onGap) => listener.add({ onEvent, onGap }),
    close() {
      closing ??= (async () => {
        await Promise.all([listener.close(), close()]);
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
  // The code is loaded meanwhile: on a busy machine that alone takes many seconds.
  const client = new pg.Client({ ...(connection as pg.ClientConfig), connectionTimeoutMillis: 30_000 });
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
