import { expect, test } from 'vitest';
import { isSearching, lettersOf, listTextWork, type Pattern } from '#tests/support/patterns.ts';
import { guards, printProof } from '../counts.ts';
import { ownTexts, textReaders } from './text-readers.ts';
import { costOf, ends, fillUnits, mostMs, repeated } from './text-shapes.ts';

guards('src/**/*.ts', 'src/**/*.tsx');

/** The longest text that a contract lets in. */
const longest = 20_000;
/** What a class of a pattern may stand for, behind letters of its own. */
const fillers = ['', 'a', '1', ' ', '.'];

const work = listTextWork('.');
const patterns = work.flatMap((file) => file.patterns);

/** What costs more than is allowed, with the text that does it: the dearest of each. */
async function findDear(
  name: string,
  units: readonly string[],
  most: number,
  read: (text: string) => unknown,
): Promise<string[]> {
  for (const unit of units)
    for (const end of ends) {
      const text = fillUnits(unit, end, most);
      const ms = await costOf(() => read(text));
      if (ms > mostMs) return [`${name}: ${Math.round(ms)} ms for ${JSON.stringify(unit)} … ${JSON.stringify(end)}`];
    }
  return [];
}

/** Uses a pattern as the product does: for everything that it finds, or for the first of it. */
function runPattern({ source, flags }: Pattern): (text: string) => unknown {
  const pattern = new RegExp(source, flags);
  return pattern.global ? (text) => text.replace(pattern, '') : (text) => pattern.exec(text);
}

const unitsFor = (pattern: Pattern): string[] => [
  ...repeated,
  ...lettersOf(pattern).flatMap((letters) => fillers.map((filler) => `${letters}${filler}`)),
];

const measurePattern = (pattern: Pattern): Promise<string[]> =>
  findDear(`${pattern.file} /${pattern.source}/${pattern.flags}`, unitsFor(pattern), longest, runPattern(pattern));

test('every function that reads what others wrote takes its longest text in 50 ms of CPU time, whatever stands in it', async () => {
  const dear: string[] = [];
  for (const { name, most, read } of textReaders) {
    await read('warm'); // what is opened once is opened before
    dear.push(...(await findDear(name, repeated, most, read)));
  }
  expect(dear).toEqual([]);
  printProof('text-costs', textReaders.length * repeated.length * ends.length, { patterns: patterns.length });
});

test('no pattern of the product costs the square of a length', async () => {
  expect(patterns.length).toBeGreaterThan(300);
  const dear: string[] = [];
  for (const pattern of patterns) if (!(pattern.file in ownTexts)) dear.push(...(await measurePattern(pattern)));
  expect(dear).toEqual([]);
});

test('whatever searches in texts is measured, or has a reason why it never meets one of somebody else', () => {
  const measured = new Set(textReaders.flatMap(({ files }) => files));
  const searching = work.filter(({ patterns: own, isHidden }) => isHidden || own.some(isSearching));
  const inOwnBrowser = /\/(viewer-app|browser|pages)\/|\.tsx$/;
  const forgotten = searching.filter(
    ({ file }) => !measured.has(file) && !(file in ownTexts) && !inOwnBrowser.test(file),
  );
  expect(forgotten.map(({ file }) => file)).toEqual([]);
  const known = new Set(work.map(({ file }) => file));
  expect([...measured, ...Object.keys(ownTexts)].filter((file) => !known.has(file))).toEqual([]);
});

test('planted: a pattern that starts again at every letter is found', async () => {
  expect(isSearching({ source: '_+$' })).toBe(true);
  const planted = [/[^\s:@]+@[^\s@]+/g, /<[^>]*>/g, /_+$/, /^\s*(\d{6})$/m, /(?:[a-z0-9-]+\.)+[a-z]{2,24}\b/g];
  for (const { source, flags } of planted) {
    const [found] = await measurePattern({ file: 'planted', source, flags });
    expect(found, source).toContain('planted');
  }
});
