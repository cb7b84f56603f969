import { expect, test } from 'vitest';
import { isWeak, readScores, withScores } from './mutate/scores.ts';

const page = `# Scores

| file | changes | noticed | unreached | score |
| --- | --- | --- | --- | --- |
| \`src/a/rules.ts\` | 10 | 9 | 0 | 90 % |
| \`src/c/rules.ts\` | 10 | 1 | 2 | 10 % |
| all | 20 | 10 | 2 | 50 % |

What follows stays.
`;

test('a run of some files leaves the scores of the others as they were, and sums up all', () => {
  const scores = [
    { file: 'src/b/rules.ts', noticed: 3, made: 4, unreached: 1 },
    { file: 'src/c/rules.ts', noticed: 10, made: 10, unreached: 0 },
  ];
  const after = withScores(page, scores);
  expect(after.split('\n').slice(4)).toEqual([
    '| `src/a/rules.ts` | 10 | 9 | 0 | 90 % |',
    '| `src/b/rules.ts` | 4 | 3 | 1 | 75 % |',
    '| `src/c/rules.ts` | 10 | 10 | 0 | 100 % |',
    '| all | 24 | 22 | 1 | 91 % |',
    '',
    'What follows stays.',
    '',
  ]);
  expect(withScores(after, scores)).toBe(after);
});

test('a change counts as noticed when a test fails or never ends; what was left out counts for nothing', () => {
  const mutants = ['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'CompileError'].map(
    (status) => ({
      status,
    }),
  );
  const report = { files: { 'src/a/rules.ts': { mutants }, 'src/b/rules.ts': { mutants: [{ status: 'Ignored' }] } } };
  expect(readScores(report)).toEqual([{ file: 'src/a/rules.ts', noticed: 3, made: 5, unreached: 1 }]);
});

test('fewer than nine in ten are too few', () => {
  expect([8, 9, 10].map((noticed) => isWeak({ file: 'x', noticed, made: 10, unreached: 0 }))).toEqual([
    true,
    false,
    false,
  ]);
});

test('a change that no test was run against has survived nothing', () => {
  const reportOf = (status: string, testsCompleted: number) => ({
    files: { 'src/a/rules.ts': { mutants: [{ status, testsCompleted }] } },
  });
  expect(readScores(reportOf('Survived', 1))).toHaveLength(1);
  for (const untried of [reportOf('Survived', 0), reportOf('RuntimeError', 0)])
    expect(() => readScores(untried)).toThrow('src/a/rules.ts were not run');
});
