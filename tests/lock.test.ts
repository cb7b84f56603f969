import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pf-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the lock of this app names the packages of every platform, and no registry', () => {
  const file = path.join(folder, 'package-lock.json');
  cpSync('package-lock.json', file);
  expect(complete(file)).toContain(': complete');
  const lock = readFileSync('package-lock.json', 'utf8');
  expect(readFileSync(file, 'utf8')).toBe(lock);
  expect(lock).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
});

test('every package of the lock has its hash, so that no registry can serve another one under its name', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { integrity?: string }>;
  };
  const bare = Object.entries(packages).filter(
    ([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
  );
  expect(bare.map(([place]) => place)).toEqual(['']);
});

test('a hash that a registry does not know is missed aloud, and those that are there stay', () => {
  const file = path.join(folder, 'package-lock.json');
  const packages = {
    '': { name: 'x' },
    'node_modules/there': { version: '1.0.0', integrity: 'sha512-x' },
    'node_modules/@no.such scope/missing': { version: '1.0.0' },
  };
  writeFileSync(file, JSON.stringify({ lockfileVersion: 3, packages }));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/add-integrity.mjs', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('has no hash of @no.such scope/missing@1.0.0.')]);
  expect(JSON.parse(readFileSync(file, 'utf8')).packages).toEqual(packages);
});

test('packages that npm left out come back with the platform that their name tells', () => {
  const file = path.join(folder, 'package-lock.json');
  const packages = {
    '': { name: 'x' },
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: {
        '@tool/linux-x64-musl': '2.0.0',
        '@tool/linux-arm64-gnu': '2.0.0',
        'tool-win-x64': '2.0.0',
        '@tool/darwin-arm64': '2.0.0',
        '@tool/there-linux-x64': '2.0.0',
        'tool-extras': '2.0.0',
        '@tool/freebsd-x64': '^2.0.0',
      },
    },
    'node_modules/tool/node_modules/@tool/there-linux-x64': { version: '2.0.0', optional: true },
  };
  writeFileSync(file, JSON.stringify({ lockfileVersion: 3, packages }));
  expect(complete(file)).toContain('completed with 4 platform packages');
  const after = JSON.parse(readFileSync(file, 'utf8')).packages;
  const entry = { version: '2.0.0', dev: true, optional: true };
  expect(after).toEqual({
    ...packages,
    'node_modules/@tool/linux-x64-musl': { ...entry, cpu: ['x64'], libc: ['musl'], os: ['linux'] },
    'node_modules/@tool/linux-arm64-gnu': { ...entry, cpu: ['arm64'], libc: ['glibc'], os: ['linux'] },
    'node_modules/tool-win-x64': { ...entry, cpu: ['x64'], os: ['win32'] },
    'node_modules/@tool/darwin-arm64': { ...entry, cpu: ['arm64'], os: ['darwin'] },
  });
  expect(complete(file)).toContain(': complete');
});

function complete(file: string): string {
  return execFileSync(process.execPath, ['scripts/complete-lock.mjs', file], { encoding: 'utf8' });
}
