import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guards } from '../counts.ts';

guards('scripts/ensure*.mjs', 'package.json');

vi.setConfig({ testTimeout: 120_000 }); // processes on a busy machine

let clone: string;
const started = new Set<ChildProcess>();

/** The smallest project that the command can install and build: one local package, one source, one page. */
beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'pf-ensure-'));
  for (const name of ['ensure.mjs', 'ensure-lock.mjs'])
    cpSync(path.join('scripts', name), path.join(clone, 'scripts', name), { recursive: true });
  write('tiny/package.json', { name: 'tiny', version: '1.0.0' });
  write('package.json', {
    name: 'clone',
    version: '1.0.0',
    dependencies: { tiny: 'file:tiny' },
    config: {
      server: { entry: 'server.cjs', flags: ['--stack-size=1000'], environment: { LEAN: 'yes', CHOSEN: 'ours' } },
      build: { output: 'build/.stamp', inputs: ['src'] },
    },
    scripts: { build: 'node build.cjs', go: 'node scripts/ensure.mjs -- node polite.cjs' },
  });
  write('package-lock.json', {
    name: 'clone',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'clone', version: '1.0.0', dependencies: { tiny: 'file:tiny' } },
      'node_modules/tiny': { resolved: 'tiny', link: true },
      tiny: { version: '1.0.0' },
    },
  });
  write('src/page.ts', 'one');
  write('src/other.ts', 'two');
  write(
    'build.cjs',
    `const fs = require('node:fs'); fs.mkdirSync('build', { recursive: true }); fs.appendFileSync('build/log', 'built\\n');
     console.log('the tool talks'); if (fs.existsSync('broken')) process.exit(3);
     setTimeout(() => {}, fs.existsSync('slow') ? 2_000 : 200);`,
  );
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
  rmSync(clone, { recursive: true, force: true });
});

test('a fresh clone is installed and built, each said in one line; the second start says nothing', async () => {
  const first = await ensure('build', '--', 'node', '-p', '6*7');
  expect(first.said).toMatch(/^Installing packages … done in [\d.]+ s\nBuilding pages … done in [\d.]+ s\n42\n$/);
  const second = await ensure('build', '--', 'node', '-p', '6*7');
  expect(second.said).toBe('42\n');
});

test('the server is told what is missing before anything is installed, and what is wrong before anything is built', async () => {
  mkdirSync(path.join(clone, 'settings'));
  for (const name of ['needed-settings.mjs']) cpSync(path.join('src/app', name), path.join(clone, 'settings', name));
  const file = path.join(clone, 'package.json');
  const project = JSON.parse(readFileSync(file, 'utf8'));
  Object.assign(project.config.server, { needed: 'settings/needed-settings.mjs', check: 'settings/check.cjs' });
  write('package.json', project);
  write('server.cjs', "console.log('serves')");
  write(
    'settings/check.cjs',
    "if (process.env.PORT === 'three') { console.error('PORT: must be a number'); process.exit(1); }",
  );
  const serveWith = (...given: string[]) =>
    beginWith('env', ...given, process.execPath, 'scripts/ensure.mjs', 'build', 'server').ended;
  const missing = await serveWith('PUBLIC_URL=https://fans.example', 'SMPT_URL=smtp://mail');
  expect(missing.said).not.toContain('Installing');
  expect(missing.said).toMatch(
    / {2}SMTP_URL: missing .*\n {2}MAIL_FROM: missing .*\n {2}SMPT_URL: not read, SMTP_URL may be meant/,
  );
  const wrong = await serveWith('PORT=three');
  expect(wrong.said).toMatch(/^Installing packages … done in [\d.]+ s\nPORT: must be a number\n$/);
  expect((await serveWith()).said).toMatch(/serves\n$/);
});

test('a changed or deleted source is built again, a changed test is not', async () => {
  await ensure('build', '--', 'node', '-v');
  write('src/page.test.ts', 'a test');
  await ensure('build', '--', 'node', '-v');
  expect(timesBuilt()).toBe(1);
  rmSync(path.join(clone, 'src/other.ts'));
  await ensure('build', '--', 'node', '-v');
  expect(timesBuilt()).toBe(2);
});

test('a source that changes while it is built is built again at the next start', async () => {
  write('slow', '');
  const first = begin('build', '--', 'node', '-v');
  await until(() => timesBuilt() === 1);
  write('src/page.ts', 'changed in between');
  await first.ended;
  await ensure('build', '--', 'node', '-v');
  expect(timesBuilt()).toBe(2);
  await ensure('build', '--', 'node', '-v');
  expect(timesBuilt()).toBe(2);
});

test('a build killed in the middle never looks finished, and the lock it left is taken over', async () => {
  write('slow', '');
  const killed = begin('build', '--', 'node', '-v');
  await until(() => timesBuilt() === 1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(existsSync(path.join(clone, '.ensure-lock'))).toBe(true);
  rmSync(path.join(clone, 'slow'));
  const next = await ensure('build', '--', 'node', '-p', '1');
  expect(next.said).toMatch(/Building pages … done in .* s\n1\n$/);
  expect(existsSync(path.join(clone, '.ensure-lock'))).toBe(false);
});

test('of three starts at once one installs and builds, the others wait for it', async () => {
  const all = await Promise.all([1, 2, 3].map(() => ensure('build', '--', 'node', '-p', '"ran"')));
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(all.filter(({ said }) => said.includes('Installing'))).toHaveLength(1);
  expect(all.filter(({ said }) => said.endsWith('ran\n'))).toHaveLength(3);
  expect(timesBuilt()).toBe(1);
});

test('a build that fails ends with its status and shows what the tool said', async () => {
  write('broken', '');
  const { code, said } = await ensure('build', '--', 'node', '-p', '"never"');
  expect(code).toBe(3);
  expect(said).toContain('Building pages … failed after');
  expect(said).toContain('the tool talks');
  expect(said).not.toContain('never');
});

test('the server gets the flags and the environment that are written down for it, unless the person chose her own', async () => {
  write(
    'server.cjs',
    'console.log(process.execArgv.join(), process.env.LEAN, process.env.CHOSEN, process.argv.length)',
  );
  expect((await ensure('server')).said).toContain('--stack-size=1000 yes ours 2\n');
  vi.stubEnv('CHOSEN', 'hers');
  expect((await ensure('build', 'server')).said).toContain('--stack-size=1000 yes hers 2\n');
  vi.unstubAllEnvs();
  expect((await ensure('--', 'node', '-p', 'process.env.LEAN')).said).toBe('undefined\n');
  expect((await ensure('nothing')).said).toContain('usage: node scripts/ensure.mjs');
});

test('the exit status of the command is passed on', async () => {
  const { code } = await ensure('--', 'node', '-e', 'process.exit(7)');
  expect(code).toBe(7);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s reaches the command, which is awaited', async (signal) => {
  const { child, ended } = begin('--', 'node', '-e', polite);
  await until(() => existsSync(path.join(clone, 'alive')));
  child.kill(signal);
  const { code, said } = await ended;
  expect({ code, said }).toEqual({ code: 5, said: expect.stringContaining(`${signal} heard\n`) });
});

test.each(['the command', 'npm'])('kill -9 of %s leaves nothing running', async (victim) => {
  write('polite.cjs', polite);
  const { child, ended } = victim === 'npm' ? beginWith('npm', 'run', 'go') : begin('--', 'node', 'polite.cjs');
  await until(() => existsSync(path.join(clone, 'alive')));
  const pid = Number(readFileSync(path.join(clone, 'alive'), 'utf8'));
  child.kill('SIGKILL');
  await until(() => !isAlive(pid));
  await ended;
});

const polite = `
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => setTimeout(() => { console.log(signal + ' heard'); process.exit(5); }, 200));
  require('node:fs').writeFileSync('alive', String(process.pid));
  setInterval(() => {}, 1000);`;

function write(file: string, content: string | object): void {
  mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
  writeFileSync(path.join(clone, file), typeof content === 'string' ? content : JSON.stringify(content));
}

function timesBuilt(): number {
  const log = path.join(clone, 'build/log');
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0;
}

function begin(...words: string[]) {
  return beginWith(process.execPath, 'scripts/ensure.mjs', ...words);
}

function beginWith(file: string, ...words: string[]) {
  const child = spawn(file, words, {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  const said: string[] = [];
  child.stdout.on('data', (text) => said.push(String(text)));
  child.stderr.on('data', (text) => said.push(String(text)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said: said.join('') }));
  return { child, ended };
}

function ensure(...words: string[]) {
  return begin(...words).ended;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (isSo()) return;
    await pause(50);
  }
  throw new Error('it never came true');
}
