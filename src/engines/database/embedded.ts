import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Account, as, findAccount, readyBinaries } from './binaries.ts';

/** Nothing of our own environment reaches PostgreSQL. */
const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Where to connect: a Unix socket, no password, no TCP. */
export interface SocketAddress {
  host: string;
  port: number;
}

export interface Embedded {
  address: SocketAddress;
  /** The server was already running and belongs to another process: closing leaves it alone. */
  attached: boolean;
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
};

/**
 * Boots the PostgreSQL that came with npm in `dataDir/pg`, or attaches to it when it already runs.
 * The server dies with us in any way (a watchdog shell holds a pipe from us) and is never reachable by network.
 * @param log receives what the server says on its error stream
 * @throws when no server answers within 60 s
 */
export async function bootEmbedded(dataDir: string, log: (text: string) => void): Promise<Embedded> {
  const account = findAccount();
  const folder = findFolder(path.resolve(dataDir, 'pg'), account);
  const native = readyBinaries(folder, account);
  const cluster = { folder, data: path.join(folder, 'pgdata'), native, account, socket: readySocket(folder, account), log };
  if (!existsSync(path.join(cluster.data, 'PG_VERSION'))) initialise(cluster);
  checkVersion(cluster);
  let running = await start(cluster);
  let reviving: Promise<void> | undefined;
  return {
    address: { host: cluster.socket, port: 5432 },
    get attached() {
      return running === 'attached';
    },
    runsAs: account.name,
    folder,
    revive() {
      reviving ??= start(cluster)
        .then((again) => {
          if (again !== 'attached') running = again;
        })
        .finally(() => {
          reviving = undefined;
        });
      return reviving;
    },
    async stop() {
      if (running === 'attached' || running.exitCode !== null || running.signalCode !== null) return;
      const child = running;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.ref();
      child.stdin?.end();
      await gone;
    },
  };
}

interface Cluster {
  folder: string;
  data: string;
  native: string;
  account: Account;
  socket: string;
  log: (text: string) => void;
}

/** The wanted folder, or one under /var/lib when PostgreSQL's account cannot enter it (a clone under root's home). */
function findFolder(wanted: string, account: Account): string {
  mkdirSync(wanted, { recursive: true, mode: 0o755 });
  if (account.uid === undefined || account.gid === undefined) return wanted;
  try {
    chownSync(wanted, account.uid, account.gid);
    execFileSync('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', wanted], { ...as(account), cwd: '/', stdio: 'ignore' });
    return wanted;
  } catch {
    const elsewhere = path.join('/var/lib/privatefans', hashOf(wanted));
    mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
    chownSync(elsewhere, account.uid, account.gid);
    writeFileSync(path.join(wanted, 'where'), `${elsewhere}\n`);
    return elsewhere;
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** A socket's path holds at most 107 bytes: a deep data folder gets its socket in the system's temp folder. */
function readySocket(folder: string, account: Account): string {
  const near = path.join(folder, 'run');
  const socket = Buffer.byteLength(near) > 85 ? path.join(tmpdir(), `pf-${hashOf(folder)}`) : near;
  mkdirSync(socket, { recursive: true, mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(socket, account.uid, account.gid);
  return socket;
}

/** Made under another name, synced, then renamed: a half-made cluster never looks finished, and of two first starts one wins. */
function initialise({ data, native, account, folder }: Cluster): void {
  const made = `${data}.new.${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  const options = { ...as(account), cwd: folder, env: environment };
  const initdb = (...args: string[]) =>
    execFileSync(path.join(native, 'bin', 'initdb'), ['-D', made, ...args], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  initdb('-U', 'postgres', ...locale, '--auth-local=trust', '--auth-host=reject', '--no-sync', '--no-instructions');
  initdb('--sync-only');
  try {
    renameSync(made, data);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    rmSync(made, { recursive: true, force: true });
  }
}

function checkVersion({ data }: Cluster): void {
  const made = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  if (made !== '18')
    throw new Error(
      `The data folder ${data} was made by PostgreSQL ${made}, this version carries 18. Run \`npm run pf -- export\` with the version that made it, start with an empty DATA_DIR and import.`,
    );
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Whether a living process is the server of this cluster: PostgreSQL works in its data folder. */
function isServerOf(data: string, pid: number): boolean {
  try {
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    try {
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(data);
    } catch {
      return false;
    }
  }
}

/** The pid in postmaster.pid when its process is this cluster's server; a stale file is removed. */
function findRunning(data: string): number | undefined {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!pid || !isAlive(pid)) return undefined;
  if (isServerOf(data, pid)) return pid;
  rmSync(file, { force: true });
  return undefined;
}

async function start(cluster: Cluster): Promise<ChildProcess | 'attached'> {
  const until = performance.now() + 60_000;
  let child = findRunning(cluster.data) === undefined ? spawnServer(cluster) : undefined;
  for (;;) {
    if (await answers(cluster.socket)) return child ?? 'attached';
    if (performance.now() > until) throw new Error('The embedded PostgreSQL did not answer within 60 s.');
    if (child !== undefined && child.exitCode !== null) {
      if (findRunning(cluster.data) === undefined) throw new Error('The embedded PostgreSQL did not start; its last words are in the log.');
      child = undefined; // another process was quicker: attach to its server
    } else if (child === undefined && findRunning(cluster.data) === undefined) child = spawnServer(cluster);
    await wait(20);
  }
}

/** The watchdog shell holds a pipe from us; when it closes, also by kill -9, the server gets a fast shutdown. */
function spawnServer({ data, native, account, folder, socket, log }: Cluster): ChildProcess {
  const options = Object.entries({ ...settings, unix_socket_directories: socket }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const watchdog = '"$@" </dev/null & p=$!; cat >/dev/null; kill -INT $p 2>/dev/null; wait $p';
  const child = spawn('/bin/sh', ['-c', watchdog, 'pg', path.join(native, 'bin', 'postgres'), '-D', data, ...options], {
    ...as(account),
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  child.stderr?.on('data', (words: Buffer) => log(words.toString()));
  child.on('error', (error) => log(error.message));
  child.unref();
  for (const pipe of [child.stdin, child.stderr]) (pipe as { unref?: () => void } | null)?.unref?.();
  child.stdin?.on('error', () => child.unref());
  return child;
}

async function answers(socket: string): Promise<boolean> {
  const client = new pg.Client({ host: socket, port: 5432, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 5000 });
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
