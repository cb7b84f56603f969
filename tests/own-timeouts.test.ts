import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const own = path.basename(import.meta.filename);
/** A patience of a file's own would win over the command line's, and turn a busy machine red. */
const saysPatience = (text: string): boolean => /\b(testTimeout|hookTimeout):/.test(text);

it('no test has a patience of its own: vitest.config.ts has one for all', () => {
  expect(saysPatience('vi.setConfig({ testTimeout: 1000 });')).toBe(true);
  const files = ['src', 'tests'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  );
  // Long proofs take hours, which is said where they stand.
  const isProof = (file: string) => file.startsWith(path.join('tests', 'proofs'));
  const tests = files.filter((file) => file.endsWith('.test.ts') && !isProof(file) && path.basename(file) !== own);
  expect(tests.length).toBeGreaterThan(300);
  expect(tests.filter((file) => saysPatience(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
});
