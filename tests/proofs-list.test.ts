import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastGreenFile, listChangedProofs, listProofs, noteGreen, walls } from './support/runner/proofs.ts';
import { listTestKinds } from './support/runner/test-kinds.ts';

let root: string;
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
    cwd: root,
    encoding: 'utf8',
  });
function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
const commit = () => {
  git('add', '-A');
  git('commit', '-q', '-m', 'x', '--allow-empty');
  return git('rev-parse', '--short=7', 'HEAD').trim();
};
const changed = () => listChangedProofs(root).map(({ name }) => name);

/** A small project with two proofs, each green at its first commit. */
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-proofs-'));
  git('init', '-q');
  write('tests/proofs/bytes.test.ts', `guards('src/bytes/**', 'src/kit/pack.ts');\n`);
  write('tests/proofs/access/links.test.ts', `guards(\n  'src/links/*.ts',\n);\n`);
  for (const file of ['src/bytes/deep/a.ts', 'src/kit/pack.ts', 'src/kit/other.ts', 'src/links/b.ts']) write(file, '1');
  commit();
  noteGreen(root, ['bytes', 'links'], { day: '2026-11-20', isLong: true });
  commit();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('nothing has to be proved again while nothing that a proof guards has changed', () => {
  expect(changed()).toEqual([]);
  write('src/kit/other.ts', '2');
  commit();
  expect(changed()).toEqual([]);
});

test('a guarded path, committed or not, asks for its proof, and so does the proof itself', () => {
  write('src/bytes/deep/a.ts', '2');
  expect(changed()).toEqual(['bytes']);
  commit();
  write('src/links/b.ts', '2');
  expect(changed()).toEqual(['bytes', 'links']);
  git('checkout', '-q', '--', '.');
  write('tests/proofs/access/links.test.ts', `guards('src/links/*.ts'); // more\n`);
  expect(changed()).toEqual(['bytes', 'links']);
});

test('a helper beside a proof asks for the proofs of its folder', () => {
  write('tests/proofs/access/asking.ts', '1');
  commit();
  expect(changed()).toEqual(['links']);
});

test('a proof that is green again is noted with its commit and day, one a line; the day of the long form is kept', () => {
  write('src/kit/pack.ts', '2');
  const at = commit();
  noteGreen(root, ['bytes'], { day: '2026-11-21', isLong: false });
  const noted = () => readFileSync(path.join(root, lastGreenFile), 'utf8');
  const line = `  "bytes": { "commit": "${at}", "day": "2026-11-21", "longDay": "2026-11-20" },\n`;
  expect(noted()).toContain(line);
  expect(changed()).toEqual([]);
  noteGreen(root, ['bytes'], { day: '2026-11-22', isLong: true });
  expect(JSON.parse(noted()).bytes).toEqual({ commit: at, day: '2026-11-22', longDay: '2026-11-22' });
  expect(Object.keys(JSON.parse(noted()))).toEqual(['bytes', 'links']);
});

test('a proof without a commit, or with one that nobody knows, is taken for changed', () => {
  write(lastGreenFile, '{ "links": { "commit": "abcdef0", "day": "2026-11-20" } }\n');
  expect(changed()).toEqual(['bytes', 'links']);
});

test('every proof of ours says what it guards, by paths that are there, and has a row; every wall is a proof', () => {
  const proofs = listProofs('.');
  expect(proofs.filter(({ guards }) => guards.length === 0).map(({ name }) => name)).toEqual([]);
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
  const idle = proofs.flatMap(({ name, guards }) =>
    guards.filter((glob) => !files.some((file) => path.matchesGlob(file, glob))).map((glob) => `${name}: ${glob}`),
  );
  expect(idle).toEqual([]);
  const reported = readFileSync('docs/proofs.md', 'utf8');
  expect(proofs.filter(({ name }) => !reported.includes(`\n| \`${name}\``)).map(({ name }) => name)).toEqual([]);
  const names = proofs.map(({ name }) => name);
  expect(walls.filter((name) => !names.includes(name))).toEqual([]);
  const noted = Object.keys(JSON.parse(readFileSync(lastGreenFile, 'utf8')));
  expect(noted.filter((name) => !names.includes(name))).toEqual([]);
});

test('test files are sorted by what they open: what opens a database or a server stands apart, and what says so has a process of its own', () => {
  const { plain, app, alone } = listTestKinds('.');
  expect(plain).toContain('src/kit/time.test.ts');
  expect(app).toContain('src/features/links/api.test.ts');
  expect(plain.filter((file) => /open(TestDatabase|Database|Installation)\(/.test(readFileSync(file, 'utf8')))).toEqual(
    [],
  );
  expect(plain.filter((file) => app.includes(file))).toEqual([]);
  expect(alone).toContain('src/app/dev/dev-pages.test.ts');
  expect(app.filter((file) => alone.includes(file))).toEqual([]);
});

test('some thirty journeys are main ones: whoever adds one gives another the second tier', () => {
  const files = globSync('tests/journeys/**/*.test.ts');
  const main = files.flatMap((name) => readFileSync(name, 'utf8').match(/'@main'/g) ?? []);
  expect(main.length).toBeGreaterThanOrEqual(28);
  expect(main.length).toBeLessThanOrEqual(34);
});
