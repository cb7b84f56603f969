/**
 * `npm test`: the checks, the tests beside the code with the walls' short proofs, then the main journeys in a real browser, and
 * four stories in each other engine that this machine has. A part that fails does not stop the next, so that one run shows
 * everything; the last lines say where the time went, and the very last is the verdict.
 *
 *   npm test                          everything that a landing needs, of the journeys the main ones
 *   npm test -- src/features/links    only the tests in these paths, without the checks
 *   npm run journeys                  the main journeys: those with the tag @main, each story of the product once
 *   npm run journeys -- all           every journey
 *   npm run journeys -- albums        the journeys of these files, all of them
 *   npm run journeys -- --field       every journey with two web processes and a worker on PostgreSQL and S3 of others
 *   npm run journeys -- --engine all  the stories of tests/browsers in Chromium, Firefox and WebKit; or one of their names
 *
 * With TEST_DATABASE_URL the tests that open an app or a database run once more on that server.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import type { EngineName } from '#tests/browsers/support/engine-names.ts';
import { findBrowser } from '../browser.ts';
import { databaseFolder } from '../database/database-folder.ts';
import { canDrawClips } from '../media/clips.ts';
import { sortOtherEngines, takeEngines } from './browser-engines.ts';
import { addUp, type Count, countPlaywright, countVitest, failedPart, noCount } from './counts.ts';
import { listHeavyTests } from './test-kinds.ts';

interface Part {
  name: string;
  run: () => Promise<Count>;
}

/** So many files are named at the end, so that growth is seen. */
const slowestShown = 10;
const journeysFolder = 'tests/journeys';
const seedAhead = `${journeysFolder}/support/seed-ahead.ts`;
const notes = mkdtempSync(path.join(tmpdir(), 'pf-run-'));
const seeds = mkdtempSync(path.join(databaseFolder(), 'pf-seeds-'));
const running = new Set<ReturnType<typeof spawn>>();
/** What the journeys start from, while it is made: the folder, or undefined when that failed and they make it themselves. */
let seeding: Promise<string | undefined> | undefined;
process.on('exit', () => {
  for (const folder of [notes, seeds]) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exitCode = 128 + constants.signals[signal];
    setTimeout(() => process.exit(), 5000).unref();
  });

if (!canDrawClips)
  console.log(
    'videos: left out, because there is no ffmpeg on this machine (Debian: apt-get install ffmpeg); all else is tested',
  );
/** What a whole run leaves out because this machine does not have it. */
const leftOut: Count['skipped'] = [];
const isField = process.argv.includes('--field');
const { engines, words } = readWords();
const parts = engines ? planEngines(engines, words.slice(1)) : planParts(words);
const counts: Count[] = [];
const took: string[] = [];
for (const { name, run } of parts) {
  console.log(`\n── ${name}`);
  const began = performance.now();
  const count = await run().catch((error: Error) => failedPart(name, error.message));
  counts.push(count);
  const { passed, failed, skipped } = count;
  const figures = `${passed} passed, ${failed.length} failed${skipped.length ? `, ${skipped.length} skipped` : ''}`;
  console.log(`── ${name}: ${figures} in ${secondsSince(began)} s`);
  took.push(`${name} ${Number(secondsSince(began)).toFixed(0)} s`);
  if (process.exitCode) process.exit();
}
const { passed, failed, skipped, flaky, files } = addUp(counts);
console.log(`\ntook: ${took.join(' · ')}`);
for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown))
  console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
console.log('');
for (const { what, why } of [...leftOut, ...skipped]) console.log(`skipped: ${what}${why ? ` – ${why}` : ''}`);
for (const what of flaky) console.log(`passed only when repeated: ${what}`);
for (const what of failed) console.log(`failed: ${what}`);
console.log(
  `${passed} passed, ${failed.length} failed${skipped.length + leftOut.length ? `, ${skipped.length + leftOut.length} skipped` : ''}`,
);
process.exit(failed.length > 0 || passed === 0 ? 1 : 0);

function readWords() {
  try {
    return takeEngines(process.argv.slice(2).filter((word) => word !== '--field'));
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

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
    ...(isAll
      ? [
          {
            name: 'tests beside the code',
            run: () => runVitest(['plain', 'app', 'alone'].flatMap((name) => ['--project', name])),
          },
        ]
      : []),
    ...(isAll ? [{ name: 'walls', run: runWalls }] : []),
    ...(tests.length > 0 ? [{ name: 'tests', run: () => runVitest(tests) }] : []),
    ...planOutside(tests),
    ...(wantsJourneys ? [{ name: 'journeys', run: () => runJourneys(journeys) }] : []),
    ...(isAll ? planOtherEngines() : []),
  ];
}

/** What a phone's owner does most, in the engines that are no Chromium; one that is not installed is named. */
function planOtherEngines(): Part[] {
  const { there, missing } = sortOtherEngines();
  if (missing.length > 0) console.log(`engines: left out, because they are not on this machine: ${missing.join('; ')}`);
  for (const what of missing) leftOut.push({ what, why: 'not on this machine' });
  return planEngines(there, ['--grep=@main'], { PF_LOOKS: 'quick' });
}

/** The stories that are told once for every browser engine. */
function planEngines(engines: readonly EngineName[], filters: string[], env: Record<string, string> = {}): Part[] {
  if (engines.length === 0) return [];
  const name = `journeys in ${engines.join(', ')}`;
  return [
    {
      name,
      run: () =>
        runPlaywright(['--config=playwright.browsers.config.ts', ...filters], { ...env, PF_ENGINES: engines.join() }),
    },
  ];
}

/** Making what the journeys start from is mostly waiting; the walls are asked meanwhile. */
function runWalls(): Promise<Count> {
  if (existsSync(seedAhead) && !isField) seeding = makeSeedAhead();
  return runVitest(['--project', 'walls']);
}

async function makeSeedAhead(): Promise<string | undefined> {
  chmodSync(seeds, 0o755); // or PostgreSQL's own account could not enter it, when we are root
  const folder = path.join(seeds, 'journeys');
  const code = await run(process.execPath, [seedAhead, folder], { receive: () => undefined });
  return code === 0 ? folder : undefined;
}

/** The tests that open an app or a database, once more on the server of TEST_DATABASE_URL. */
function planOutside(paths: string[]): Part[] {
  if (process.env.TEST_DATABASE_URL === undefined) return [];
  const files = listHeavyTests('.').filter(
    (file) =>
      file.startsWith('src/features/') &&
      (paths.length === 0 || paths.some((start) => file.startsWith(path.normalize(start)))),
  );
  if (files.length === 0) return [];
  return [{ name: 'API tests on another PostgreSQL', run: () => runVitest(files, { TEST_SERVER: 'outside' }) }];
}

/** The pieces of `npm run check`, two at a time, the types first, which take longest; what they say is shown only when they fail. */
async function runChecks(): Promise<Count> {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const waiting: string[] = String(scripts.check)
    .split('&&')
    .map((piece) => piece.trim().replace(/^npm run /, ''))
    .toSorted((a, b) => Number(b === 'types') - Number(a === 'types'));
  const count = noCount();
  const runNext = async (): Promise<void> => {
    const name = waiting.shift();
    if (!name) return;
    const began = performance.now();
    const said: string[] = [];
    const code = await run('npm', ['run', '--silent', name], { receive: (text) => said.push(text) });
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
  // An installation in the field is three processes, a database and a bucket: one of them is enough for a machine.
  return runPlaywright([...(isField ? ['--workers=1'] : []), ...(isMain ? ['--grep=@main'] : []), ...filters], {
    ...(isField && { PF_FIELD: '1' }),
    ...(isMain && { PF_LOOKS: 'quick' }),
  });
}

async function runPlaywright(words: string[], env: Record<string, string>): Promise<Count> {
  const folder = await seeding;
  const file = path.join(notes, 'playwright.json');
  rmSync(file, { force: true });
  const code = await run('playwright', ['test', '--reporter=list,json', ...words], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(folder && { PF_JOURNEYS_AHEAD: folder }) },
  });
  return countPlaywright(readNote(file), code);
}

/** Returns what a runner left behind; nothing when it died before that. */
function readNote(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

interface RunOptions {
  env?: Record<string, string>;
  receive?: (text: string) => void;
}

function run(file: string, words: string[], { env, receive }: RunOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, {
      stdio: ['ignore', receive ? 'pipe' : 'inherit', receive ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
    });
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => receive?.(String(text)));
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
