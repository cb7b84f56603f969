import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nameSegment } from '#engines/database/log-chain.ts';
import { openDiskStorage } from '#engines/storage/disk.ts';
import { beginDraft } from './archive.ts';
import { keepNewFiles, listBases, nameBase, openPool } from './backup-folder.ts';
import { pruneBackups } from './prune.ts';

let root: string;
let backupDir: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-prune-'));
  backupDir = path.join(root, 'backup');
  mkdirSync(path.join(backupDir, 'wal'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const app = () => ({ storage: openDiskStorage(path.join(root, 'files')), installation: { dataDir: root } });
const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour));
const segment = (number: number) => nameSegment({ timeline: 1, number });

/** Stores a file at an hour, as the app does, and brings it into the backup. */
async function store(name: string, hour: number): Promise<void> {
  await app().storage.put(name, Buffer.from(name));
  utimesSync(path.join(root, 'files', name), at(hour), at(hour));
  await keepNewFiles(app(), backupDir);
}

/** A base of an hour that has two pieces of the log and all that is stored. */
async function makeBase(hour: number, first: number): Promise<void> {
  const draft = await beginDraft(nameBase(backupDir, at(hour)));
  for (const number of [first, first + 1]) await draft.keep(`pg/pg_wal/${segment(number)}`, Buffer.from('log'));
  const pool = await openPool(app(), backupDir);
  for await (const name of app().storage.list(''))
    await draft.share(`files/${name}`, (await pool.keep(name)) ?? 'nowhere');
  const about = { database: 'cluster', at: at(hour).toISOString(), postgres: '18' } as const;
  await draft.seal({ ...about, migrations: [], keys: {}, folders: [] });
}

const writeLog = (...names: string[]) => {
  for (const name of names) writeFileSync(path.join(backupDir, 'wal', name), '');
};
const pooled = () => readdirSync(path.join(backupDir, 'files/media')).sort();

describe('what is taken out of a backup folder', () => {
  it('are bases before the newest, the log before the oldest that stays, and files that neither can name', async () => {
    await store('media/gone-early', 1);
    await store('media/stays', 1);
    await makeBase(2, 4);
    await app().storage.remove('media/gone-early');
    await store('media/gone-late', 3);
    await makeBase(4, 8);
    await app().storage.remove('media/gone-late');
    await store('media/came-and-went', 5);
    await app().storage.remove('media/came-and-went');
    await makeBase(6, 12);
    writeLog(...[4, 7, 8, 9, 12].map((number) => `${segment(number)}.gz`), '00000002.history.gz');
    writeLog(`${segment(4)}.00000028.backup.gz`, `${segment(7)}.partial.gz`, `${segment(8)}.00000028.backup.gz`);

    expect(await pruneBackups(app(), backupDir, 2)).toEqual({ bases: 1, segments: 4, files: 1 });
    expect(listBases(backupDir).map(({ begunAt }) => begunAt)).toEqual([at(4), at(6)]);
    expect(pooled()).toEqual(['came-and-went', 'gone-late', 'stays']);
    const kept = [`${segment(8)}.00000028.backup`, segment(8), segment(9), segment(12), '00000002.history'];
    expect(readdirSync(path.join(backupDir, 'wal')).sort()).toEqual(kept.map((name) => `${name}.gz`).sort());
    expect(await pruneBackups(app(), backupDir, 2)).toEqual({ bases: 0, segments: 0, files: 0 });
    expect(await pruneBackups(app(), backupDir, 1)).toEqual({ bases: 1, segments: 3, files: 2 });
    expect(pooled()).toEqual(['stays']);
  });

  it('is nothing while there is no base, but what a killed one left: a backup that runs keeps its draft', async () => {
    await store('media/one', 1);
    writeLog(`${segment(4)}.gz`);
    mkdirSync(`${nameBase(backupDir, at(2))}.unfinished.999999999`, { recursive: true });
    const running = `${nameBase(backupDir, at(3))}.unfinished.${process.pid}`;
    mkdirSync(running);
    expect(await pruneBackups(app(), backupDir, 2)).toEqual({ bases: 0, segments: 0, files: 0 });
    expect([readdirSync(path.join(backupDir, 'bases')), pooled()]).toEqual([[path.basename(running)], ['one']]);
  });
});
