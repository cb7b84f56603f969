import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepWorkFolders } from './work-folder.ts';

test('a leftover that belongs to somebody else stays, and stops nothing', () => {
  const temp = mkdtempSync(join(tmpdir(), 'pf-sweep-'));
  const leftover = join(temp, 'privatefans-child-1-1700000000000-abc');
  mkdirSync(join(leftover, 'inputs'), { recursive: true });
  chmodSync(leftover, 0o700);
  chmodSync(temp, 0o555);
  const file = new URL('./work-folder.ts', import.meta.url).href;
  const program = `import(${JSON.stringify(file)}).then(({ sweepWorkFolders }) => { sweepWorkFolders(${JSON.stringify(temp)}); console.log('goes on'); })`;
  const stranger = process.getuid?.() === 0 ? { uid: 65_533, gid: 65_533 } : {};
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { ...stranger, cwd: '/', encoding: 'utf8' });
  chmodSync(temp, 0o755);
  const isThere = existsSync(leftover);
  rmSync(temp, { recursive: true, force: true });
  expect([stdout.trim(), stderr.includes('Error'), isThere]).toEqual(['goes on', false, true]);
});

test('a temporary folder that is not there stops nothing either', () => {
  expect(() => sweepWorkFolders(join(tmpdir(), 'pf-nowhere-at-all'))).not.toThrow();
});
