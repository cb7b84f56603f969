import { expect, test } from 'vitest';
import { findPrivateWords, privateWords } from '../scripts/private-words.ts';

const planted = [
  'class Told extends Error {}',
  '  class Lost extends Error {}',
  'class Overtaken extends Error {}',
  'export class Undone extends Error {}',
  'export class NobodyWants extends Error {}',
  'class TurnOver extends Error {}',
  'class StrangeAnswer extends Error {}',
  'class PutBack extends Error {}',
  'const now = planNow(engines);',
  "import { posting } from '#features/money/ledger/posting.ts';",
  'const text = tellPrice(cents);',
  'await tx.ask(listed, [id]);',
  "await tx.tell({ kind: 'media.ready' });",
  'export interface PayoutWish {',
  'await projectPlan(engines, id);',
  'const hearers = new Set<() => void>();',
  'export function openCrowds(): void {}',
  'const state = standingOf(account, now);',
  'const till = openWallet();',
  "const knob = make('button');",
  'const lastBeat = 1;',
  '/** Begins anew. */',
  'pass(app, 1000);',
  '  ...{ width, height },',
];

test.each(planted)('%s is refused once, where it stands', (line) => {
  expect(findPrivateWords('src/a.ts', `const a = 1;\n${line}\n`)).toEqual([
    expect.stringMatching(/^src\/a\.ts:2 .+: say /),
  ]);
});

test('each word of the list is planted', () => {
  const seen = privateWords.filter(({ pattern }) => planted.some((line) => pattern.test(line)));
  expect(seen).toEqual(privateWords);
});

test('words in their usual sense are left alone', () => {
  expect(findPrivateWords('src/a.ts', "// Lost to somebody who was quicker.\nconst told = 'Told';\n")).toEqual([]);
});
