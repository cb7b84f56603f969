import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';

/* `npm start` begins on the Node that a machine has: from 18 on, it has to say what is missing or fetch a newer one. */

const root = path.resolve(import.meta.dirname, '..');
const first = ['scripts/ensure.mjs', 'scripts/ensure-lock.mjs', 'src/app/needed-settings.mjs'];
/** What came after Node 18, without a new syntax. */
const laterNames =
  /\.(?:toSorted|toReversed|toSpliced|isDisjointFrom|isSubsetOf|union|intersection|difference|getOrInsert)\(|Object\.groupBy|Map\.groupBy|Promise\.(?:withResolvers|try)|Array\.fromAsync|import\.meta\.(?:dirname|filename|main)|URL\.(?:canParse|parse)\(|RegExp\.escape|Iterator\.from|structuredClone\.|process\.getBuiltinModule|node:sqlite|\bglobSync\b|styleText|parseEnv/;

/** A flag of regular expressions of the year after. */
const laterFlag = /\/[dgimsuy]*v[dgimsuy]*(?=[.,;)\s])/;

/** Whether a program has syntax of later years; the parser takes none of it unless it is told to. */
function isNewer(text: string): boolean {
  try {
    parseSync(text, { syntax: 'ecmascript', target: 'es2022' });
    return laterFlag.test(text);
  } catch {
    return true;
  }
}

test.each(first)('%s runs on Node 18', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  expect(isNewer(text)).toBe(false);
  expect(laterNames.exec(text)?.[0]).toBeUndefined();
  // What they import runs there as well: Node's own, or each other.
  const imported = [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, name = '']) => name);
  const known = first.map((one) => `./${path.basename(one)}`);
  expect(imported.filter((name) => !name.startsWith('node:') && !known.includes(name))).toEqual([]);
});

test('planted: syntax and names that Node 18 does not know are found', () => {
  expect(isNewer('using file = open();')).toBe(true);
  expect(isNewer('const one = /[\\p{L}--[a-z]]/v;')).toBe(true);
  expect(isNewer('@once class A {}')).toBe(true);
  expect(isNewer('const one = a?.b ?? c; class D { #e = 1; static { this.f = 1; } }')).toBe(false);
  expect(laterNames.test('list.toSorted()')).toBe(true);
  expect(laterNames.test('list.sort()')).toBe(false);
});
