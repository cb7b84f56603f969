import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDiskStorage } from '#engines/storage/disk.ts';
import { keepNewFiles, openPool, poolOf } from './backup-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-pool-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const backupDir = () => path.join(root, 'backup');
const storage = () => openDiskStorage(path.join(root, 'files'));
const inodeOf = (...place: string[]) => statSync(path.join(...place)).ino;

describe('the pool of stored files', () => {
  it('takes each new file by a second name, which outlives the first', async () => {
    await storage().put('media/1/a.pfp', Buffer.from('one'));
    const stored = { storage: storage(), installation: { dataDir: root } };
    expect(await keepNewFiles(stored, backupDir())).toBe(1);
    expect(inodeOf(poolOf(backupDir()), 'media/1/a.pfp')).toBe(inodeOf(root, 'files/media/1/a.pfp'));
    await storage().put('media/2/b.pfp', Buffer.from('two'));
    await storage().remove('media/1/a.pfp');
    expect(await keepNewFiles(stored, backupDir())).toBe(1);
    expect(readFileSync(path.join(poolOf(backupDir()), 'media/1/a.pfp'), 'utf8')).toBe('one');
    expect(readFileSync(path.join(poolOf(backupDir()), 'media/2/b.pfp'), 'utf8')).toBe('two');
  });

  it('copies what cannot have a second name, out of a bucket or from another disk', async () => {
    await storage().put('media/1/a.pfp', Buffer.from('one'));
    const pool = await openPool(
      { storage: storage(), installation: { dataDir: path.join(root, 'elsewhere') } },
      backupDir(),
    );
    expect(await pool.keep('media/1/a.pfp')).toBe(path.join(poolOf(backupDir()), 'media/1/a.pfp'));
    expect(inodeOf(poolOf(backupDir()), 'media/1/a.pfp')).not.toBe(inodeOf(root, 'files/media/1/a.pfp'));
    expect(readFileSync(path.join(poolOf(backupDir()), 'media/1/a.pfp'), 'utf8')).toBe('one');
  });

  it('goes on when a file was removed since it was listed', async () => {
    const pool = await openPool({ storage: storage(), installation: { dataDir: root } }, backupDir());
    expect(await pool.keep('media/1/gone.pfp')).toBeUndefined();
  });
});
