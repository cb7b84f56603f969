/**
 * Writes docs/asvs.md: which requirement of OWASP ASVS 5.0 is tried by which test, and what came of it now.
 *
 *   npm run asvs                   runs every test that is named
 *   npm run asvs -- accounts media only those whose path holds one of these words; the others are told as not run
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chapters, type Requirement, requirements } from './asvs/requirements.ts';

const root = path.resolve(import.meta.dirname, '..');

interface Report {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
}

/** Runs the tests that the requirements name. */
function run(files: readonly string[]): Report {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-asvs-'));
  try {
    const file = path.join(folder, 'report.json');
    const words = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=json',
      '--testTimeout=600000',
      `--outputFile=${file}`,
      ...files,
    ];
    spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What came of a requirement: all tests of that name. */
function resultOf({ testResults }: Report, { file, test }: Requirement): string {
  const tests = testResults
    .filter(({ name }) => path.relative(root, name) === file)
    .flatMap(({ assertionResults }) => assertionResults.filter(({ title }) => title.startsWith(test)));
  if (tests.length === 0) return 'not run';
  return tests.find(({ status }) => status !== 'passed')?.status ?? 'passed';
}

function write(report: Report): string {
  const parts = chapters.map(({ n, title, note }) => {
    const lines = requirements.filter(({ id }) => id.startsWith(`${n}.`));
    const table = lines.map(
      (line) => `| ${line.id} | ${line.about} | \`${line.file}\`: ${line.test} … | ${resultOf(report, line)} |`,
    );
    const head = lines.length === 0 ? [] : ['| requirement | in short | test | result |', '| --- | --- | --- | --- |'];
    return [`## V${n} ${title}`, note, ...(lines.length === 0 ? [] : [[...head, ...table].join('\n')])].join('\n\n');
  });
  const head = `# OWASP ASVS 5.0

Made by \`npm run asvs\`, which runs the tests named here. It claims no level: a requirement stands here when one of our tests would fail if it were broken, the numbers are those of version 5.0.0, and
whatever is not listed has not been matched with a test.`;
  return `${[head, ...parts].join('\n\n')}\n`;
}

const words = process.argv.slice(2);
const isWanted = (file: string) => words.length === 0 || words.some((word) => file.includes(word));
const report = run([...new Set(requirements.map(({ file }) => file))].filter(isWanted));
const file = path.join(root, 'docs/asvs.md');
writeFileSync(file, write(report));
spawnSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', file], { cwd: root });
const bad = requirements.filter((line) => isWanted(line.file) && resultOf(report, line) !== 'passed');
for (const line of bad) console.error(`${line.id} (${line.test}): ${resultOf(report, line)}`);
process.exitCode = bad.length === 0 ? 0 : 1;
