import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listProcedures } from '#tests/proofs/asking/procedures.ts';

/** What a creator can buy beyond what their plan has: all else works without credits. */
const extras = [
  'credits.addAnswers',
  'credits.addStorage',
  'credits.addVideoTime',
  'credits.giveWord',
  'credits.moveToFront',
];

test('no procedure but those that sell something extra ever asks for credits', () => {
  const procedures = listProcedures();
  expect(procedures.length).toBeGreaterThan(100);
  const asking = procedures.filter(({ codes }) => codes.has('CREDITS_NEEDED')).map(({ name }) => name);
  expect(asking.toSorted()).toEqual(extras);
});

const src = path.resolve(import.meta.dirname, '../..');

/** Files of the server in which something is said. */
const filesWith = (words: RegExp): string[] =>
  globSync('**/*.ts', { cwd: src })
    .filter((file) => !file.endsWith('.test.ts') && words.test(readFileSync(path.join(src, file), 'utf8')))
    .toSorted();

// A raw route promises no codes, so what could let one ask for credits is looked for in the text.
test('no raw route but the one that takes copies to be traced asks for credits', () => {
  expect(filesWith(/'CREDITS_NEEDED'/)).toEqual([
    'features/credits/contract.ts',
    'features/credits/spending/spending.ts',
    'features/credits/trace-billing.ts',
  ]);
  expect(filesWith(/\bspendCredits\b/)).toEqual([
    'features/credits/lots/accounting.ts',
    'features/credits/spending/spending.ts',
    'features/credits/trace-billing.ts',
  ]);
  expect(filesWith(/credits\/(?:spending\/spending|lots\/accounting|trace-billing)\.ts'/)).toEqual([
    'app/server/server.ts',
  ]);
  expect(filesWith(/\bbilling\.(?:refuse|pay)\(/)).toEqual(['features/tracing/work/upload-route.ts']);
});
