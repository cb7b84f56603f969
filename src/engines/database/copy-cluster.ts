import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { placeCluster, readyCluster } from './cluster.ts';

/** Takes one file into the copy: its name in the cluster, and where it lies or what it holds. */
export type TakeFile = (name: string, source: string | Buffer) => Promise<void>;

/** What a server makes again at its start; copied, it would name processes and slots that are no more. */
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'backup_label.old', 'tablespace_map']);
const temporary = /^(pgsql_tmp|pg_internal\.init)/;
const madeAnew = new Set(
  ['wal', 'replslot', 'dynshmem', 'notify', 'serial', 'snapshots', 'stat_tmp', 'subtrans'].map((name) => `pg_${name}`),
);
const control = 'global/pg_control';

/** Most files of a cluster are small: what takes time is that each comes down to the disk. */
const atOnce = 8;

/**
 * Copies the running embedded cluster while people go on working: between a start and a stop that the server is told of, with
 * the log of what was written meanwhile. The copy is the state of the moment when this ends.
 * @returns every folder of the cluster, the empty ones too
 * @throws when the server goes away: then the copy is worth nothing
 */
export async function copyCluster(dataDir: string, take: TakeFile): Promise<string[]> {
  const { data, socket } = readyCluster(dataDir);
  const admin = new pg.Client({ host: socket, port: 5432, user: 'postgres', database: 'postgres' });
  admin.on('error', () => undefined); // what is asked next fails with it
  await admin.connect();
  try {
    // Keeps the server from reusing the log until we have it; goes with this session, however that ends.
    await admin.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`);
    const [begun] = (await admin.query(`select pg_walfile_name(pg_backup_start('privatefans', true)) as first`)).rows;
    const folders: string[] = [];
    const files = listCluster(data, '', folders).filter((name) => name !== control);
    for (let at = 0; at < files.length; at += atOnce)
      await Promise.all(files.slice(at, at + atOnce).map((name) => takeIfThere(take, name, path.join(data, name))));
    await take(control, path.join(data, control));
    const stop = 'select pg_walfile_name(lsn) as last, labelfile from pg_backup_stop(false)';
    const [ended] = (await admin.query<{ last: string; labelfile: string }>(stop)).rows;
    if (begun === undefined || ended === undefined) throw new Error('The server did not say what its copy needs.');
    const log = path.join(data, 'pg_wal');
    for (const name of readdirSync(log).sort())
      if (/\.history$/.test(name) || (/^[0-9A-F]{24}$/.test(name) && name >= begun.first && name <= ended.last))
        await take(`pg_wal/${name}`, path.join(log, name));
    await take('backup_label', Buffer.from(ended.labelfile));
    return [...folders, 'pg_wal/archive_status', 'pg_wal/summaries'];
  } finally {
    await admin.end().catch(() => undefined);
  }
}

/** A file of a table that was dropped meanwhile is not needed: the log says so too. */
async function takeIfThere(take: TakeFile, name: string, place: string): Promise<void> {
  try {
    await take(name, place);
  } catch (error) {
    if (existsSync(place)) throw error;
  }
}

function listCluster(data: string, folder: string, folders: string[]): string[] {
  return readdirSync(path.join(data, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (leftOut.has(name) || temporary.test(entry.name)) return [];
    if (!entry.isDirectory()) return entry.isFile() ? [name] : [];
    folders.push(name);
    return madeAnew.has(name) ? [] : listCluster(data, name, folders);
  });
}

/**
 * Prepares the place of a cluster that is copied back into a data folder without one.
 * @returns where its files go, and a function that gives them to the server's account when all are there
 * @throws when there is a cluster already
 */
export function layCluster(dataDir: string, folders: readonly string[]): { data: string; handOver(): void } {
  const { data, account } = placeCluster(dataDir);
  if (existsSync(data)) throw new Error(`There is already a database in ${data}. Move it away first.`);
  for (const folder of ['', ...folders]) mkdirSync(path.join(data, folder), { recursive: true, mode: 0o700 });
  return {
    data,
    handOver() {
      chmodSync(data, 0o700);
      const { uid, gid } = account;
      if (uid === undefined || gid === undefined) return;
      chownSync(data, uid, gid);
      for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' }))
        lchownSync(path.join(data, name), uid, gid);
    },
  };
}
