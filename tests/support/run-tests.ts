/**
 * `npm test`: the checks, the tests beside the code with the short proofs, then the journeys in a real browser. A part
 * that fails does not stop the next, so that one run shows everything; the last line is the verdict.
 *
 *   npm test                          everything, of the journeys the main ones
 *   npm test -- src/features/links    only the tests in these paths, without the checks
 *   npm run journeys                  the main journeys: those with the tag @main, each story of the product once
 *   npm run journeys -- all           every journey
 *   npm run journeys -- albums        the journeys of these files, all of them
 *   npm run journeys -- --field       every journey with two web processes and a worker on PostgreSQL and S3 of others
 *
 * The API tests run a second time on a PostgreSQL that is not ours: that of TEST_DATABASE_URL, or Debian's own when it is
 * installed (chosen paths: only with TEST_DATABASE_URL).
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from './browser.ts';
import { canDrawClips } from './clips.ts';
import { addUp, type Count, countPlaywright, countVitest, failedPart } from './counts.ts';
import { findDebianPostgres, noOutsidePostgres } from './outside-postgres.ts';

interface Part {
  name: string;
  run: () => Promise<Count>;
}

const journeysFolder = 'tests/journeys';
const notes = mkdtempSync(path.join(tmpdir(), 'pf-run-'));
const running = new Set<ReturnType<typeof spawn>>();
process.on('exit', () => rmSync(notes, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exitCode = 128 + constants.signals[signal];
    setTimeout(() => process.exit(), 5000).unref();
  });

if (!canDrawClips)
  console.log(
    'films: left out, because there is no ffmpeg on this machine (Debian: apt-get install ffmpeg); all else is tested',
  );
const isField = process.argv.includes('--field');
const parts = planParts(process.argv.slice(2).filter((word) => word !== '--field'));
const counts: Count[] = [];
for (const { name, run } of parts) {
  console.log(`\n── ${name}`);
  const began = performance.now();
  const count = await run().catch((error: Error) => failedPart(name, error.message));
  counts.push(count);
  const { passed, failed, skipped } = count;
  const figures = `${passed} passed, ${failed.length} failed${skipped.length ? `, ${skipped.length} skipped` : ''}`;
  console.log(`── ${name}: ${figures} in ${secondsSince(began)} s`);
  if (process.exitCode) process.exit();
}
const { passed, failed, skipped } = addUp(counts);
console.log('');
for (const { what, why } of skipped) console.log(`skipped: ${what}${why ? ` – ${why}` : ''}`);
for (const what of failed) console.log(`failed: ${what}`);
console.log(`${passed} passed, ${failed.length} failed${skipped.length ? `, ${skipped.length} skipped` : ''}`);
process.exit(failed.length > 0 || passed === 0 ? 1 : 0);

/** No words: everything. After the word `journeys` each word is a file of journeys or `all`; other words are paths. */
function planParts(words: string[]): Part[] {
  const isOnlyJourneys = words[0] === 'journeys';
  const isJourney = (word: string) => isOnlyJourneys || path.normalize(word).startsWith(journeysFolder);
  const journeys = words.slice(isOnlyJourneys ? 1 : 0).filter(isJourney);
  const tests = words.filter((word) => !isJourney(word));
  const isAll = words.length === 0;
  const wantsJourneys = isAll || isOnlyJourneys || journeys.length > 0;
  return [
    ...(isAll ? [{ name: 'checks', run: runChecks }] : []),
    ...(isAll || tests.length > 0 ? [{ name: 'tests and short proofs', run: () => runVitest(tests) }] : []),
    ...planOutside(isAll, tests),
    ...(wantsJourneys ? [{ name: 'journeys', run: () => runJourneys(journeys) }] : []),
  ];
}

/** The tests that open a house or a database of ours, once more on somebody else's server. */
function planOutside(isAll: boolean, paths: string[]): Part[] {
  const isGiven = process.env.TEST_DATABASE_URL !== undefined;
  if (!isAll && !isGiven) return [];
  const files = globSync('src/features/**/*.test.ts')
    .filter((file) => isAll || paths.some((start) => file.startsWith(path.normalize(start))))
    .filter((file) => /\b(openHouse|openTestDatabase)\(/.test(readFileSync(file, 'utf8')))
    .sort();
  const name = 'API tests on another PostgreSQL';
  if (files.length === 0) return [];
  const isThere = isGiven || findDebianPostgres() !== undefined;
  const skipped: Count = { passed: 0, failed: [], skipped: [{ what: name, why: noOutsidePostgres }] };
  const run = () => runVitest(files, { TEST_SERVER: 'outside' });
  return [{ name, run: isThere ? run : async () => skipped }];
}

/** The pieces of `npm run check`, two at a time; what they say is shown only when they fail. */
async function runChecks(): Promise<Count> {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const waiting: string[] = String(scripts.check)
    .split('&&')
    .map((piece) => piece.trim().replace(/^npm run /, ''));
  const count: Count = { passed: 0, failed: [], skipped: [] };
  const runNext = async (): Promise<void> => {
    const name = waiting.shift();
    if (!name) return;
    const began = performance.now();
    const said: string[] = [];
    const code = await run('npm', ['run', '--silent', name], { hear: (text) => said.push(text) });
    console.log(` ${code === 0 ? '✓' : '✗'} ${name} ${secondsSince(began)} s`);
    if (code === 0) count.passed++;
    else {
      count.failed.push(`npm run ${name}`);
      console.log(said.join(''));
    }
    return runNext();
  };
  await Promise.all([runNext(), runNext()]);
  return count;
}

async function runVitest(filters: string[], env: Record<string, string> = {}): Promise<Count> {
  const file = path.join(notes, 'vitest.json');
  const reporter = path.join(import.meta.dirname, 'count-reporter.ts');
  const code = await run(
    'vitest',
    ['run', '--silent=passed-only', '--reporter=default', `--reporter=${reporter}`, ...filters],
    {
      env: { ...env, COUNT_FILE: file },
    },
  );
  return countVitest(readNote(file), code);
}

/** @param words files, `all`, or nothing for the main ones */
async function runJourneys(words: string[]): Promise<Count> {
  const filters = words.filter((word) => word !== 'all');
  const isMain = words.length === 0 && !isField;
  const { said } = await findBrowser();
  console.log(said);
  const file = path.join(notes, 'playwright.json');
  // A house in the field is three processes, a database and a bucket: one of them is enough for a machine.
  const code = await run(
    'playwright',
    [
      'test',
      '--reporter=list,json',
      ...(isField ? ['--workers=1'] : []),
      ...(isMain ? ['--grep=@main'] : []),
      ...filters,
    ],
    {
      env: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        ...(isField && { PF_FIELD: '1' }),
        ...(isMain && { PF_LOOKS: 'quick' }),
      },
    },
  );
  return countPlaywright(readNote(file), code);
}

/** What a runner left behind; nothing when it died before that. */
function readNote(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

interface RunOptions {
  env?: Record<string, string>;
  hear?: (text: string) => void;
}

function run(file: string, words: string[], { env, hear }: RunOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, {
      stdio: ['ignore', hear ? 'pipe' : 'inherit', hear ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
    });
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => hear?.(String(text)));
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}
