import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isWeak, noteScores, readScores } from './scores.ts';

/**
 * Tries the tests of our decisions: changes the rules in thousands of small ways, one at a time, and counts the changes that no test notices.
 *
 *   npm run mutate                                    every rules file, which takes about half an hour on two cores
 *   npm run mutate -- src/features/links/rules.ts …   these
 *
 * What was found stands in docs/mutation.md afterwards. Fails where fewer than nine in ten changes of a file are noticed.
 */
const root = path.resolve(import.meta.dirname, '../..');
const report = path.join(root, 'test-results/mutation.json');
const files = process.argv.slice(2);
const missing = files.filter((file) => !existsSync(path.join(root, file)));
if (missing.length > 0) refuse(`There is no ${missing.join(', ')}.`);
if (!isInstalled()) install();
rmSync(report, { force: true });
const stryker = path.join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const settings = path.join(import.meta.dirname, 'stryker.config.json');
run(process.execPath, [
  stryker,
  'run',
  settings,
  ...(files.length > 0 ? ['--mutate', files.map((file) => file.replaceAll('\\', '/')).join()] : []),
]);
const scores = readScores(JSON.parse(readFileSync(report, 'utf8')));
noteScores(path.join(root, 'docs/mutation.md'), scores);
const weak = scores.filter(isWeak);
console.log(`${scores.length} files noted in docs/mutation.md, ${weak.length} of them below nine in ten`);
process.exit(weak.length > 0 ? 1 : 0);

function isInstalled(): boolean {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, { version?: string }> };
  const present = (readJson('node_modules/.package-lock.json') as typeof packages & { packages?: typeof packages })
    ?.packages;
  return Object.entries(packages).every(
    ([place, { version }]) => place === '' || present?.[place]?.version === version,
  );
}

function readJson(file: string): unknown {
  const whole = path.join(import.meta.dirname, file);
  return existsSync(whole) ? JSON.parse(readFileSync(whole, 'utf8')) : undefined;
}

/** It has a lock of its own: what only this command needs is not installed for everybody. */
function install(): void {
  console.log('Installing what changes the code …');
  const own = process.env.npm_execpath;
  const [command, ...first] = own === undefined ? ['npm'] : [process.execPath, own];
  run(command ?? 'npm', [...first, 'ci', '--ignore-scripts', '--omit=peer', '--legacy-peer-deps', '--loglevel=error'], {
    cwd: import.meta.dirname,
  });
}

/** Ends with the child's status where that is not zero. */
function run(command: string, words: string[], { cwd = root } = {}): void {
  const { status, error } = spawnSync(command, words, { cwd, stdio: 'inherit' });
  if (error !== undefined) refuse(`${command} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
