import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guards } from './counts.ts';

guards('tests/support/runner/**', 'vitest.config.ts', 'playwright.config.ts');

vi.setConfig({ testTimeout: 120_000 }); // three programs one after the other

let project: string;

/** A small project with everything that can happen to a test; its runner is the real one. */
beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'pf-run-tests-'));
  symlinkSync(path.resolve('node_modules'), path.join(project, 'node_modules'));
  write('package.json', {
    type: 'module',
    scripts: { check: 'npm run good && npm run good', good: 'node --version' },
  });
  write(
    'vitest.config.ts',
    `const project = (name, include) => ({ extends: true, test: { name, include } });
export default { test: { projects: [project('plain', ['src/*.test.ts']), project('app', ['src/*/*.test.ts']), project('alone', ['src/alone/*/*.test.ts']), project('walls', ['tests/proofs/*.test.ts'])] } };`,
  );
  write('playwright.config.ts', "export default { testDir: 'tests/journeys', testMatch: '*.test.ts' };");
  write('src/fine.test.ts', `import { test } from 'vitest'; test('one', () => {}); test('two', () => {});`);
  write('tests/proofs/wall.test.ts', `import { test } from 'vitest'; test('holds', () => {});`);
  write('tests/journeys/fine.test.ts', playwright("test('walks', { tag: '@main' }, () => {});"));
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

test('all green: every check, test and journey counts, and the last line says so', async () => {
  expect(await runTests()).toMatchObject({ code: 0, last: '6 passed, 0 failed' });
});

test('one run shows everything that fails or is skipped, whatever failed before it', async () => {
  write('package.json', {
    type: 'module',
    scripts: { check: 'npm run bad && npm run good', good: 'node --version', bad: 'echo seen-in-the-output; exit 1' },
  });
  const vitest = (body: string) => `import { test } from 'vitest'; ${body}`;
  write('src/broken.test.ts', `import './nothing.ts'; ${vitest("test('never', () => {});")}`);
  write('src/loose.test.ts', vitest("test('one', () => { Promise.reject(new Error('nobody waited')); });"));
  write('src/red.test.ts', vitest("test('red', () => { throw new Error('no'); });"));
  write('src/skip.test.ts', vitest("test('camera', ({ skip }) => skip('no camera files here'));"));
  write('tests/journeys/red.test.ts', playwright("test('falls', { tag: '@main' }, () => { throw new Error(); });"));
  write('tests/journeys/skip.test.ts', playwright("test('mac', { tag: '@main' }, () => test.skip(true, 'no mac'));"));
  const { code, said } = await runTests();
  expect(code).toBe(1);
  expect(said).toContain('seen-in-the-output');
  expect(said.split('\n\n').at(-1)?.split('\n')).toEqual([
    'skipped: src/skip.test.ts › camera – no camera files here',
    'skipped: skip.test.ts › mac – no mac',
    'failed: npm run bad',
    'failed: src/broken.test.ts',
    'failed: src/red.test.ts › red – no',
    'failed: outside of any test: nobody waited',
    'failed: red.test.ts › falls',
    '6 passed, 5 failed, 2 skipped',
    '',
  ]);
});

test('words choose: the journeys alone, or the tests of one path without the checks', async () => {
  write('src/other/b.test.ts', `import { test } from 'vitest'; test('three', () => {});`);
  expect(await runTests('journeys')).toMatchObject({ code: 0, last: '1 passed, 0 failed' });
  expect(await runTests('src/other')).toMatchObject({ code: 0, last: '1 passed, 0 failed' });
});

test('of the journeys the main ones run, and the others when they are asked for: all of them, or by their file', async () => {
  write(
    'tests/journeys/creator/seldom.test.ts',
    playwright("test('walks far', () => {}); test('and back', () => {});"),
  );
  expect(await runTests()).toMatchObject({ code: 0, last: '6 passed, 0 failed' });
  expect(await runTests('journeys')).toMatchObject({ code: 0, last: '1 passed, 0 failed' });
  expect(await runTests('journeys', 'all')).toMatchObject({ code: 0, last: '3 passed, 0 failed' });
  for (const words of [['journeys', 'seldom'], ['tests/journeys/creator/seldom.test.ts']])
    expect(await runTests(...words)).toMatchObject({ code: 0, last: '2 passed, 0 failed' });
});

test('a run in which nothing ran is no success', async () => {
  const { code, last } = await runTests('src/nowhere');
  expect(code).toBe(1);
  expect(last).toBe('0 passed, 1 failed');
});

const playwright = (body: string) => `import { test } from '@playwright/test'; ${body}`;

function write(file: string, content: string | object): void {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), typeof content === 'string' ? content : JSON.stringify(content));
}

function runTests(...words: string[]) {
  const runner = path.resolve('tests/support/runner/run-tests.ts');
  const { VITEST: _, ...env } = process.env;
  return new Promise<{ code: number; last: string; said: string }>((resolve) => {
    execFile(process.execPath, [runner, ...words], { cwd: project, env }, (error, stdout, stderr) => {
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      resolve({ code: Number(error?.code ?? 0), last, said: stderr + stdout });
    });
  });
}
