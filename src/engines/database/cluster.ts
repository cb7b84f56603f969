import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Account, as, findAccount, hasName } from './account.ts';
import { readyBinaries } from './binaries.ts';

/** Nothing of our own environment reaches PostgreSQL. */
export const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Major version of the programs that come with npm. */
export const major = '18';

/** A cluster on disk and what is needed to run it. */
export interface Cluster {
  folder: string;
  /** Folder of the data itself, in `folder`. */
  data: string;
  /** Folder of PostgreSQL's programs. */
  native: string;
  account: Account;
  /** Folder of the socket. */
  socket: string;
}

/**
 * Finds the cluster of a data folder, or makes it.
 * @throws a sentence that says what to do when it belongs to somebody else or to another version
 */
export function readyCluster(dataDir: string): Cluster {
  const { folder, data, account } = placeCluster(dataDir);
  const cluster = {
    folder,
    data,
    account,
    native: readyBinaries(folder, account),
    socket: readySocket(folder, account),
  };
  if (!existsSync(path.join(data, 'PG_VERSION'))) initialise(cluster);
  checkVersion(data);
  return cluster;
}

/**
 * Where the cluster of a data folder is or has to be, and whose; makes the folder around it only.
 * @throws a sentence that says what to do when the cluster's account cannot enter it
 */
export function placeCluster(dataDir: string): Pick<Cluster, 'folder' | 'data' | 'account'> {
  const wanted = path.resolve(dataDir, 'pg');
  mkdirSync(wanted, { recursive: true, mode: 0o755 });
  const moved = readWhere(wanted);
  const account = findAccount(path.join(moved ?? wanted, 'pgdata'));
  const folder = moved ?? readyFolder(wanted, account);
  return { folder, data: path.join(folder, 'pgdata'), account };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

const elsewhereOf = (wanted: string) => path.join('/var/lib/privatefans', hashOf(wanted));

/** The cluster that a data folder had in its own place or elsewhere, if there is one; touches nothing. */
export function findCluster(dataDir: string): string | undefined {
  const wanted = path.resolve(dataDir, 'pg');
  return [wanted, elsewhereOf(wanted)].map((folder) => path.join(folder, 'pgdata')).find((data) => existsSync(data));
}

/** Returns where the cluster was put when PostgreSQL's account could not enter the data folder. */
function readWhere(wanted: string): string | undefined {
  const note = path.join(wanted, 'where');
  if (!existsSync(note)) return undefined;
  const folder = readFileSync(note, 'utf8').trim();
  if (existsSync(folder)) return folder;
  throw new Error(
    `The database of this data folder was in ${folder}, which is gone. Bring it back, or remove ${note} to start with an empty one.`,
  );
}

/** The wanted folder, or one under /var/lib when PostgreSQL's account cannot enter it (a clone under root's home). */
function readyFolder(wanted: string, account: Account): string {
  const { uid, gid } = account;
  if (uid === undefined || gid === undefined) return wanted;
  chownSync(wanted, uid, gid);
  if (canWork(wanted, account)) return wanted;
  if (existsSync(path.join(wanted, 'pgdata')))
    throw new Error(
      `The database is in ${wanted}, which ${account.name} cannot enter. Make the folders above it accessible again (chmod o+x).`,
    );
  const elsewhere = elsewhereOf(wanted);
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  chownSync(elsewhere, uid, gid);
  writeFileSync(path.join(wanted, 'where'), `${elsewhere}\n`);
  return elsewhere;
}

/** Returns whether an account can enter a folder and write into it. */
export function canWork(folder: string, account: Account): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder], {
      ...as(account),
      cwd: '/',
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/**
 * A socket's path holds at most 107 bytes: a deep data folder gets its socket in the system's temp folder.
 * @throws when somebody else has made that folder before us
 */
function readySocket(folder: string, { uid, gid }: Account): string {
  const near = path.join(folder, 'run');
  const socket = Buffer.byteLength(near) > 85 ? path.join(tmpdir(), `pf-${hashOf(folder)}`) : near;
  const made = mkdirSync(socket, { recursive: true, mode: 0o700 });
  if (made !== undefined && uid !== undefined && gid !== undefined) chownSync(socket, uid, gid);
  const owner = statSync(socket).uid;
  if (owner !== (uid ?? process.getuid?.()))
    throw new Error(
      `The folder ${socket} of the database's socket belongs to another user (number ${owner}). Remove it.`,
    );
  chmodSync(socket, 0o700);
  return socket;
}

const asNobody = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];

/**
 * Made under another name, synced, then renamed: a half-made cluster never looks finished, and of two first starts one wins.
 * @throws with the words of PostgreSQL
 */
function initialise({ data, native, account, folder }: Cluster): void {
  sweepHalfMade(folder);
  const made = `${data}.new.${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  const options = { ...as(account), cwd: folder, env: environment, encoding: 'utf8' } as const;
  const uid = account.uid ?? process.getuid?.();
  const isNameless = uid !== undefined && !hasName(uid);
  // It asks for the name of whoever runs it and for nothing else of it: seen as `nobody` it has one, and the files stay ours.
  const [program = '', ...before] = [...(isNameless ? asNobody : []), path.join(native, 'bin', 'initdb')];
  const initdb = (...args: string[]) => {
    const { status, stderr, error } = spawnSync(program, [...before, '-D', made, ...args], options);
    if (status !== 0 && isNameless)
      throw new Error(
        `PostgreSQL makes no data folder for a user without a name, and number ${uid} has none here. Give it one in /etc/passwd, or set DATABASE_URL.`,
      );
    if (status !== 0)
      throw new Error(`PostgreSQL could not make its data folder ${data}: ${error?.message ?? stderr.trim()}`);
  };
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

/** Removes what first starts left that were killed on the way. */
function sweepHalfMade(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^pg(?:data|bin)\.new\.(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

function checkVersion(data: string): void {
  const made = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  if (made === major) return;
  throw new Error(
    `The database in ${data} was made by PostgreSQL ${made}, but this version of PrivateFans includes ${major}. ` +
      'Run `npm run pf -- export` with the version that made it, start with an empty DATA_DIR and import.',
  );
}

/** Returns whether a process with this number exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns whether a living process is the server of this cluster: PostgreSQL works in its data folder. */
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

/**
 * The number in postmaster.pid when its process is this cluster's server. A stale file, whose number may belong to
 * another living process by now, is removed: PostgreSQL would refuse to start beside it.
 */
export function findRunning(data: string): number | undefined {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!pid || !isAlive(pid)) return undefined;
  if (isServerOf(data, pid)) return pid;
  rmSync(file, { force: true });
  return undefined;
}
