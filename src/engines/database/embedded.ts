import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { as } from './account.ts';
import { type Archiving, readyArchiving, waiting } from './archiving.ts';
import { type Cluster, environment, findRunning, readyCluster } from './cluster.ts';

/** Where to connect: a Unix socket, no password, no TCP. */
export interface SocketAddress {
  host: string;
  port: number;
}

export interface Embedded {
  address: SocketAddress;
  /** The server was already running and belongs to another process: closing leaves it alone. */
  readonly attached: boolean;
  runsAs: string;
  /** Folder of the cluster; elsewhere than the data folder when PostgreSQL's account cannot enter that. */
  folder: string;
  /** Starts the server again if it is gone; resolves when it answers. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

const settings = {
  listen_addresses: '',
  port: '5432',
  max_connections: '100',
  shared_buffers: '128MB',
  unix_socket_permissions: '0700',
  wal_level: 'replica',
  log_min_duration_statement: '500',
  log_line_prefix: '',
  // The log holds no values: no parameters, no details of errors, and errors of statements are the app's to log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** What every start and stop says, and the further lines of a long statement; not worth a line of ours. */
const routine =
  /^(LOG: {2}(starting PostgreSQL|listening on|database system (is|was) (ready|shut down)|received fast shutdown|aborting any active|background worker|shutting down)|FATAL: {2}(the database system is (starting up|shutting down)|terminating connection due to administrator command)|\t|\s*$)/;

/** A server that this process started, behind its watchdog. */
export interface Server {
  watchdog: ChildProcess;
  /** Process number of the server itself, once the watchdog has said it. */
  pid: number | undefined;
  lastWords: string[];
}

/** Returns whether a server and its watchdog are gone. */
export const hasEnded = ({ watchdog }: Server) => watchdog.exitCode !== null || watchdog.signalCode !== null;

/**
 * Boots the PostgreSQL that came with npm in `dataDir/pg`, or attaches to it when it already runs.
 * The server dies with us in any way (a watchdog shell holds a pipe from us) and is never reachable by network.
 * @param log receives what the server says on its error stream, line by line
 * @param backupDir where its log is kept all the time, if anywhere; null leaves it for the next start that knows
 * @throws when no server answers within 60 s, or the log cannot be kept there
 */
export async function bootEmbedded(
  dataDir: string,
  log: (text: string) => void,
  backupDir?: string | null,
): Promise<Embedded> {
  const cluster = readyCluster(dataDir);
  const archiving = backupDir === null ? waiting : backupDir && readyArchiving(cluster, backupDir);
  const spawnOne = () => spawnServer(cluster, log, archiving || undefined);
  let running = await start(cluster, spawnOne);
  let reviving: Promise<void> | undefined;
  let isStopped = false;
  return {
    address: { host: cluster.socket, port: Number(settings.port) },
    get attached() {
      return running === 'attached';
    },
    runsAs: cluster.account.name,
    folder: cluster.folder,
    async revive() {
      if (isStopped) return;
      reviving ??= start(cluster, spawnOne, running)
        .then((again) => {
          running = again;
        })
        .finally(() => {
          reviving = undefined;
        });
      await reviving;
    },
    async stop() {
      isStopped = true;
      await reviving?.catch(() => undefined);
      if (running !== 'attached') await stopServer(running);
    },
  };
}

/** Gives a server a fast shutdown and waits for its end. */
export async function stopServer(server: Server): Promise<void> {
  if (hasEnded(server)) return;
  const { watchdog } = server;
  const gone = once(watchdog, 'exit');
  watchdog.ref();
  watchdog.stdin?.end();
  await gone;
}

/**
 * Waits until the server answers; starts one whenever none is running.
 * @param before what was known to run
 */
async function start(
  cluster: Cluster,
  spawnOne: () => Server,
  before?: Server | 'attached',
): Promise<Server | 'attached'> {
  let server = before === 'attached' ? undefined : before;
  let starts = 0;
  for (const until = performance.now() + 60_000; performance.now() < until; await wait(20)) {
    const pid = findRunning(cluster.data);
    if (pid !== undefined && (await answers(cluster.socket))) return server?.pid === pid ? server : 'attached';
    if (pid !== undefined || isUnderWay(server)) continue;
    if (starts > 0) await wait(200); // what a killed server leaves behind needs a moment to go
    if (starts++ === 8) throw new Error(`The embedded PostgreSQL did not start. ${server?.lastWords.join(' ')}`);
    server = spawnOne();
  }
  throw new Error('The embedded PostgreSQL did not answer within 60 s.');
}

const isUnderWay = (server: Server | undefined) => server !== undefined && !hasEnded(server);

/** Says the server's number, waits for its end, and gives it a fast shutdown when our pipe closes. */
const watchdogScript = `exec 3<&0
"$@" </dev/null >/dev/null 3<&- &
p=$!
echo $p
{ cat <&3; kill -INT $p 2>/dev/null; } >/dev/null &
w=$!
exec >/dev/null
wait $p
kill $w 2>/dev/null`;

/**
 * Starts the server under a watchdog shell that holds a pipe from us, which closes also by kill -9.
 * @param more settings of this start, and what its commands find in their environment
 */
export function spawnServer(
  { data, native, account, folder, socket }: Cluster,
  log: (text: string) => void,
  more: Archiving = { settings: {}, environment: {} },
): Server {
  const options = Object.entries({ ...settings, unix_socket_directories: socket, ...more.settings }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  );
  const watchdog = spawn(
    '/bin/sh',
    ['-c', watchdogScript, 'pg', path.join(native, 'bin', 'postgres'), '-D', data, ...options],
    {
      ...as(account),
      cwd: folder,
      env: { ...environment, ...more.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const { stdin, stdout, stderr } = watchdog;
  const server: Server = { watchdog, pid: undefined, lastWords: [] };
  stdout.once('data', (number: Buffer) => {
    server.pid = Number(number.toString());
  });
  createInterface({ input: stderr }).on('line', (line) => {
    server.lastWords = [...server.lastWords.slice(-4), line];
    if (!routine.test(line)) log(line);
  });
  watchdog.on('error', (error) => log(error.message));
  watchdog.on('exit', () => stdin.destroy());
  stdin.on('error', () => undefined); // the watchdog went first
  watchdog.unref();
  for (const pipe of [stdin, stdout, stderr]) (pipe as unknown as { unref(): void }).unref();
  return server;
}

/** Returns whether the server behind a socket takes questions. */
export async function answers(socket: string): Promise<boolean> {
  const client = new pg.Client({
    host: socket,
    port: Number(settings.port),
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
