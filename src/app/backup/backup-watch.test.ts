import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { nameSegment, readSegment } from '#engines/database/log-chain.ts';
import { filesNoteOf, nameBase } from './backup-folder.ts';
import { lookAtBackup } from './backup-watch.ts';

let root: string;
let backupDir: string;
let database: Database;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-watch-'));
  chmodSync(root, 0o755);
  mkdirSync(path.join(root, 'migrations'));
  writeFileSync(path.join(root, 'migrations/0001_a.sql'), 'create table written (n integer);');
  backupDir = path.join(root, 'backup');
});
afterEach(() => database.close());
afterAll(() => rmSync(root, { recursive: true }));

async function open(to: string | undefined): Promise<void> {
  const [dataDir, migrations] = [path.join(root, 'data'), path.join(root, 'migrations')];
  database = await openDatabase({ dataDir, backupDir: to, migrations, log: () => undefined });
}

/** Writes something and closes its segment. @returns the segment's name */
async function writeSegment(): Promise<string> {
  const { host, port } = database.connection;
  const admin = new pg.Client({ host, port, user: 'postgres', database: 'pf' } as pg.ClientConfig);
  await admin.connect();
  await admin.query('insert into written values (1)');
  const { rows } = await admin.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
  await admin.end();
  return rows[0]?.name ?? '';
}

const look = async (later = 0) =>
  (await lookAtBackup({ database, clock: () => Date.now() + later }, backupDir)).troubles.join('\n');
const elevenMinutes = 660_000;
/** All stored files are kept, so much later than now. */
function noteFiles(later: number): void {
  writeFileSync(filesNoteOf(backupDir), '');
  utimesSync(filesNoteOf(backupDir), new Date(Date.now() + later), new Date(Date.now() + later));
}

describe('a backup that goes on all the time', () => {
  it('is well only with a base from which the log goes on without a gap', async () => {
    await open(backupDir);
    const [first, second, third] = [await writeSegment(), await writeSegment(), await writeSegment()];
    expect(await look()).toMatch(/There is no base in .*backup/);
    const folder = path.join(nameBase(backupDir, new Date()), 'pg/pg_wal');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, first), '');
    const wal = path.join(backupDir, 'wal');
    await expect.poll(() => readdirSync(wal)).toContain(`${third}.gz`);
    expect(await look()).toBe('');
    rmSync(path.join(wal, `${second}.gz`));
    expect(await look()).toContain(`${second} is missing: make one`);
    writeFileSync(path.join(wal, `${second}.gz`), '');
  });

  it('says when the log cannot be written, and when nothing of it comes for ten minutes', async () => {
    await open(backupDir);
    const { number = 0 } = readSegment(await writeSegment()) ?? {};
    const wal = path.join(backupDir, 'wal');
    await expect.poll(() => readdirSync(wal)).toContain(`${nameSegment({ timeline: 1, number })}.gz`);
    noteFiles(elevenMinutes);
    expect(await look(elevenMinutes)).toBe('');
    writeFileSync(path.join(wal, `${nameSegment({ timeline: 1, number: number + 1 })}.gz`), 'of somebody else');
    await writeSegment();
    await expect.poll(() => look()).toContain('The log cannot be written to');
    rmSync(path.join(wal, `${nameSegment({ timeline: 1, number: number + 1 })}.gz`));
    await expect.poll(() => look(elevenMinutes)).toContain('No log has arrived in');
    expect(await look()).not.toContain('No log has arrived');
  });

  it('says when stored files have not come for ten minutes', async () => {
    await open(backupDir);
    noteFiles(0);
    expect(await look()).not.toContain('stored files');
    expect(await look(elevenMinutes)).toContain('Not all stored files have been copied to');
    noteFiles(elevenMinutes);
    expect(await look(elevenMinutes)).not.toContain('stored files');
  });

  it('says when the running database knows nothing of it', async () => {
    await open(undefined);
    expect(await look()).toContain('was started without BACKUP_DIR');
  });
});
