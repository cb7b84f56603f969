import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findDebianPostgres, noOutsidePostgres } from '#tests/support/database/outside-postgres.ts';
import { countVitest } from '#tests/support/runner/counts.ts';
import { lastGreenFile, listChangedProofs, listProofs, noteGreen } from '#tests/support/runner/proofs.ts';
import { listHeavyTests } from '#tests/support/runner/test-kinds.ts';

/**
 * The second tier: what guards the product and takes too long for `npm test`.
 *
 *   npm run prove -- <name> …           the long form of these; `--full` the largest counts, `--short` the short form
 *   npm run prove -- money --count=60   of a proof that counts in plans, so many instead of its own number
 *   npm run prove -- all                the short form of every proof
 *   npm run prove -- changed            the short form of those whose paths changed since they were last green
 *   npm run prove -- outside            the API tests on a PostgreSQL that is not ours: TEST_DATABASE_URL, or Debian's own
 *
 * What was green is noted in tests/proofs/last-green.json with its commit and day, when everything else is committed.
 */
const root = path.resolve(import.meta.dirname, '../..');
const words = process.argv.slice(2);
const [wanted, options] = [
  words.filter((word) => !word.startsWith('--')),
  words.filter((word) => word.startsWith('--')),
];
if (wanted.join() === 'outside') process.exit(proveOutside());
const proofs = listProofs(root);
const unknown = wanted.filter(
  (name) => !['all', 'changed'].includes(name) && !proofs.some((proof) => proof.name === name),
);
if (wanted.length === 0 || unknown.length > 0) {
  const names = proofs.map(({ name }) => name);
  console.log(
    `npm run prove -- [--full | --short | --count=<n>] <name> … | all | changed | outside\n  ${names.join('\n  ')}`,
  );
  process.exit(wanted.length === 0 ? 0 : 1);
}
const isShort = options.includes('--short') || wanted.includes('all') || wanted.includes('changed');
const chosen = wanted.includes('all')
  ? proofs
  : wanted.includes('changed')
    ? listChangedProofs(root)
    : proofs.filter(({ name }) => wanted.includes(name));
if (chosen.length === 0) {
  console.log('Nothing that a proof guards has changed since it was last green.');
  process.exit(0);
}
console.log(`proofs: ${chosen.map(({ name }) => name).join(' ')}`);
process.exit(prove());

/** @returns the exit status */
function prove(): number {
  const notes = mkdtempSync(path.join(tmpdir(), 'pf-prove-'));
  const file = path.join(notes, 'vitest.json');
  const reporter = path.join(root, 'tests/support/runner/count-reporter.ts');
  const form = options.includes('--full') ? 'largest' : 'full';
  const count = options.find((option) => option.startsWith('--count='))?.slice('--count='.length);
  const { status } = spawnSync(
    'vitest',
    [
      'run',
      ...['--silent=passed-only', '--reporter=default', `--reporter=${reporter}`],
      ...(isShort ? [] : ['--testTimeout=3600000']),
      ...chosen.map((proof) => proof.file),
    ],
    {
      stdio: 'inherit',
      cwd: root,
      env: { ...process.env, COUNT_FILE: file, ...(count && { PF_COUNT: count }), ...(!isShort && { PF_PROOF: form }) },
    },
  );
  const { passed, failed, skipped, files } = countVitest(readNote(file), status ?? 1);
  rmSync(notes, { recursive: true, force: true });
  for (const { file: each, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`  ${seconds.toFixed(1).padStart(7)} s  ${each}`);
  note(files.filter(({ isGreen }) => isGreen).map((one) => path.basename(one.file, '.test.ts')));
  for (const { what, why } of skipped) console.log(`skipped: ${what}${why ? ` – ${why}` : ''}`);
  for (const what of failed) console.log(`failed: ${what}`);
  console.log(`${passed} passed, ${failed.length} failed${skipped.length ? `, ${skipped.length} skipped` : ''}`);
  return failed.length > 0 ? 1 : (status ?? 1);
}

/** A commit stands for what was proved only when nothing lies beside it. */
function note(green: readonly string[]): void {
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  const beside = stdout.split('\n').filter((line) => line !== '' && !line.endsWith(` ${lastGreenFile}`));
  if (beside.length > 0) {
    console.log(`Not noted in ${lastGreenFile}: there is work that is not committed.`);
    return;
  }
  noteGreen(root, green, { day: new Date().toISOString().slice(0, 10), isLong: !isShort });
}

function readNote(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the runner died before it could say anything
  }
}

function proveOutside(): number {
  if (process.env.TEST_DATABASE_URL === undefined && findDebianPostgres() === undefined) {
    console.log(`skipped: API tests on another PostgreSQL – ${noOutsidePostgres}`);
    return 0;
  }
  const files = listHeavyTests(root).filter((file) => file.startsWith('src/features/'));
  const env = { ...process.env, TEST_SERVER: 'outside' };
  return (
    spawnSync('vitest', ['run', '--silent=passed-only', ...files], { stdio: 'inherit', cwd: root, env }).status ?? 1
  );
}
