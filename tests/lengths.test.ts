import { expect, test } from 'vitest';
import { findLongCode } from '../scripts/long-code.ts';

/** A function of so many lines, most of them blank or a comment: all count. */
function ofLines(head: string, lines: number): string {
  const body = Array.from({ length: lines - 2 }, (_, n) => ['', '// why', 'again();'][n % 3] ?? '');
  return [head, ...body, '}'].join('\n');
}

test('a function of 61 lines is found by its line and name, one of 60 is not', () => {
  const planted = (lines: number) => `const before = '😀';\n\n${ofLines('export async function draw() {', lines)}\n`;
  expect(planted(61).split('\n')).toHaveLength(2 + 61 + 1);
  expect(findLongCode('src/a.ts', planted(61))).toEqual(['src/a.ts:3 draw (61 lines)']);
  expect(findLongCode('src/a.ts', planted(60))).toEqual([]);
});

test.each([
  ['draw', `const draw = async () => {`, ''],
  ['draw', `class Sheet { private draw(): void {`, '}'],
  ['draw', `const sheet = { get draw() {`, '}'],
  ['draw', `const sheet = { draw: <T,>(of: T) => {`, '}'],
  ['useEffect', `useEffect(() => {`, ')'],
  ['runIf', `describe.runIf(() => {`, ')'],
  ['a function', `export default () => {`, ''],
])('the function %s is found where it stands: %s', (name, head, tail) => {
  expect(findLongCode('src/a.tsx', `${ofLines(head, 61)}${tail}\n`)).toEqual([`src/a.tsx:1 ${name} (61 lines)`]);
  expect(findLongCode('src/a.tsx', `${ofLines(head, 60)}${tail}\n`)).toEqual([]);
});

test('a component is counted with the text between its tags, and a method from its name on', () => {
  const page = (lines: number) => `export const Page = () => (\n  <p>\n${'    words\n'.repeat(lines - 4)}  </p>\n);\n`;
  expect(findLongCode('src/page.tsx', page(61))).toEqual(['src/page.tsx:1 Page (61 lines)']);
  expect(findLongCode('src/page.tsx', page(60))).toEqual([]);
  const sheet = `const sheet = {\n  async [\n    Symbol.asyncIterator\n  ]() {\n${'\n'.repeat(57)}  },\n};\n`;
  expect(findLongCode('src/a.ts', sheet)).toEqual(['src/a.ts:2 asyncIterator (61 lines)']);
});

test('a file that is one list may have 400 lines, and no more', () => {
  const list = (lines: number) => `${'// a row\n'.repeat(lines - 1)}export {};\n`;
  const file = 'src/features/settings/rules.ts';
  expect(findLongCode(file, list(400))).toEqual([]);
  expect(findLongCode(file, list(401))).toEqual([`${file}:1 the file (401 lines)`]);
});

test('a file of 301 lines is found, a test as well; one of 300 is not', () => {
  const file = (lines: number) => `${'// a word\n'.repeat(lines - 1)}export {};\n`;
  expect(findLongCode('src/a.ts', file(301))).toEqual(['src/a.ts:1 the file (301 lines)']);
  expect(findLongCode('src/a.test.ts', file(301))).toEqual(['src/a.test.ts:1 the file (301 lines)']);
  expect(findLongCode('scripts/a.mjs', file(300))).toEqual([]);
});

test.each([
  ['draw', 'async function draw() {', ''],
  ['draw', 'const draw = () => {', ''],
  ['beforeAll', 'beforeAll(async () => {', ');'],
  ['beforeEach', 'test.beforeEach(async () => {', ');'],
  ['runIf', 'describe.runIf(() => {', ")('photos', () => {});"],
  ['draw', "describe('photos', () => { const draw = () => {", '});'],
  ['iterate', 'iterate(() => {', ');'],
  ['map', 'test.each(kinds.map(() => {', "))('of %s', () => {});"],
])('in a test, the function %s is found: %s', (name, head, tail) => {
  expect(findLongCode('src/a.test.ts', `${ofLines(head, 61)}${tail}\n`)).toEqual([
    `src/a.test.ts:1 ${name} (61 lines)`,
  ]);
  expect(findLongCode('src/a.test.ts', `${ofLines(head, 60)}${tail}\n`)).toEqual([]);
});

test.each([
  "it('draws', () => {",
  "test('draws', async ({ page }) => {",
  "describe('photos', () => {",
  "test.describe('photos', () => {",
  "describe.runIf(hasChromium)('photos', () => {",
  "it.each(kinds)('draws %s', (kind) => {",
  "test.each`kind`('draws %s', (kind) => {",
])('what holds cases is free in a test, and nowhere else: %s', (head) => {
  expect(findLongCode('src/a.test.ts', `${ofLines(head, 61)});\n`)).toEqual([]);
  expect(findLongCode('src/a.ts', `${ofLines(head, 61)});\n`)).toHaveLength(1);
});

test('what cannot be read is not passed over', () => {
  expect(() => findLongCode('src/a.ts', 'function {')).toThrow('src/a.ts cannot be read');
});
