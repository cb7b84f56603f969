import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Account, as } from './account.ts';
import { type Cluster, canWork, environment } from './cluster.ts';
import type { Tx } from './work.ts';

/** Settings of one start of the server, and what its commands find in their environment. */
export interface Archiving {
  settings: Record<string, string>;
  environment: Record<string, string>;
}

/** The folder of the log in a backup folder; each segment is compressed, what is left of one after a switch is zeros. */
export const logFolderOf = (backupDir: string) => path.join(backupDir, 'wal');

/**
 * A segment is closed after four minutes in which something was written, so that it is copied before five are over. The folder
 * is in the environment and not in the command, so no path can be understood as a part of it.
 */
const settings = {
  archive_mode: 'on',
  archive_timeout: '240',
  archive_library: '',
  archive_command: [
    'to="$PF_WAL/%f.gz"',
    // Told again after a crash, it is there already; another one of this name is never replaced.
    'if [ -e "$to" ]; then gzip -dc "$to" | cmp -s - "%p"; exit; fi',
    'rm -f "$PF_WAL"/.unfinished.*',
    'made="$PF_WAL/.unfinished.$$"',
    'gzip -1 <"%p" >"$made" && sync "$made" && mv "$made" "$to" && sync "$PF_WAL"',
  ].join('; '),
};

/** What a start says that does not know where the log is kept: nothing of it goes before one that does has taken it. */
export const waiting: Archiving = { settings: { archive_mode: 'on', archive_command: '' }, environment: {} };

/**
 * Prepares a backup folder for the log of a cluster.
 * @throws a sentence that says what to do when the server's account cannot write there, or the folder is another cluster's
 */
export function readyArchiving({ data, account }: Pick<Cluster, 'data' | 'account'>, backupDir: string): Archiving {
  const log = logFolderOf(backupDir);
  try {
    mkdirSync(backupDir, { recursive: true, mode: 0o755 });
    checkOwner(data, backupDir);
    mkdirSync(log, { recursive: true, mode: 0o700 });
    giveTo(log, account);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Error(`BACKUP_DIR cannot be used: ${error instanceof Error ? error.message : error}.`, { cause: error });
  }
  if (!canWork(log, account))
    throw new Error(
      `PostgreSQL runs as ${account.name} and cannot write to ${log}. Make the folders above it accessible (chmod o+x), ` +
        `give it to that account (chown), or choose another BACKUP_DIR.`,
    );
  checkPrograms(account);
  return { settings, environment: { PF_WAL: log } };
}

function giveTo(folder: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

/** The number that a cluster gets when it is made, and keeps through every copy: the first 8 bytes of its control file. */
const identify = (data: string) => readFileSync(path.join(data, 'global/pg_control')).readBigUInt64LE(0).toString();

/** @throws when the folder holds the backup of another cluster: the logs of two are worth nothing to either */
function checkOwner(data: string, backupDir: string): void {
  const note = path.join(backupDir, 'cluster');
  const own = identify(data);
  // Files alone are noise without the rows that name them.
  if ([logFolderOf(backupDir), path.join(backupDir, 'bases')].every(isEmpty))
    writeFileSync(note, `${own}\n`, { flush: true });
  const owner = readNote(note);
  if (owner === own) return;
  throw new Error(
    `BACKUP_DIR ${backupDir} ${owner === undefined ? 'holds something else' : 'is the backup of another database'}. ` +
      'Restore that (`npm run pf -- restore`) or choose an empty folder.',
  );
}

const isEmpty = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0;

function readNote(note: string): string | undefined {
  try {
    return readFileSync(note, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @throws when one of the few programs is missing that the command needs */
function checkPrograms(account: Account): void {
  const wanted = 'for each in gzip cmp sync; do command -v $each >/dev/null || echo $each; done';

  const { stdout } = spawnSync('/bin/sh', ['-c', wanted], {
    ...as(account),
    cwd: '/',
    env: environment,
    encoding: 'utf8',
  });
  const missing = stdout.trim().split(/\s+/).filter(Boolean);
  if (missing.length > 0)
    throw new Error(`BACKUP_DIR needs ${missing.join(' and ')}, which this machine does not have.`);
}

/** What the server says about keeping its log. */
export interface LogKeeping {
  isOn: boolean;
  /** The segment that is written now. */
  current: string;
  /** The last try failed. */
  isFailing: boolean;
  bootedAt: Date;
}

/** Asks the server how it gets on with keeping its log. */
export async function askLogKeeping({ client }: Pick<Tx, 'client'>): Promise<LogKeeping> {
  const { rows } = await client.query<LogKeeping>(
    `select current_setting('archive_mode') = 'on' as "isOn", pg_walfile_name(pg_current_wal_lsn()) as current,
       coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing",
       pg_postmaster_start_time() as "bootedAt" from pg_stat_archiver`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The server says nothing about its log.');
  return row;
}
