import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-config-'));
});
afterAll(() => rmSync(root, { recursive: true }));

describe('BACKUP_DIR', () => {
  const read = (backupDir: string, more: Record<string, string> = {}) =>
    readConfig({ DATA_DIR: path.join(root, 'data'), BACKUP_DIR: backupDir, ...more });

  it('is a folder outside DATA_DIR that need not be there yet, by a relative path too', () => {
    expect(read(path.join(root, 'disk/backup')).backupDir).toBe(path.join(root, 'disk/backup'));
    expect(read(path.relative(process.cwd(), path.join(root, 'data-2'))).backupDir).toBe(path.join(root, 'data-2'));
    expect(readConfig({}).backupDir).toBeUndefined();
  });

  it('is explained in the one list when it is wrong', () => {
    for (const inside of ['data', 'data/backup', 'data/../data/x'])
      expect(() => read(path.join(root, inside), { PORT: '3000' })).toThrow(/BACKUP_DIR: .* lies in DATA_DIR/);
    writeFileSync(path.join(root, 'file'), '');
    expect(() => read(path.join(root, 'file/backup'))).toThrow(/BACKUP_DIR: .*file is no folder/);
    expect(() => read(path.join(root, 'x'), { DATABASE_URL: 'postgres://somewhere/pf' })).toThrow(
      /PF_KEYS: missing.*BACKUP_DIR: not with DATABASE_URL/s,
    );
  });

  it.runIf(process.getuid?.() !== 0)('must be writable', () => {
    const closed = path.join(root, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    expect(() => read(path.join(closed, 'backup'))).toThrow(/BACKUP_DIR: nothing can be written into .*closed/);
  });
});
