import { expect, test } from 'vitest';
import { countPlaywright } from './support/runner/counts.ts';

const spec = (title: string, status: 'expected' | 'unexpected' | 'flaky') => ({
  title,
  tests: [{ status, results: [{ duration: 1000 }], annotations: [] }],
});
const note = (...specs: ReturnType<typeof spec>[]) => ({ suites: [{ title: 'a.test.ts', specs }], errors: [] });

test('one journey that passed only when repeated is named; two are failures', () => {
  const one = countPlaywright(note(spec('opens', 'expected'), spec('plays', 'flaky')), 0);
  expect(one).toMatchObject({ passed: 1, failed: [], flaky: ['a.test.ts › plays'] });
  const two = countPlaywright(note(spec('opens', 'flaky'), spec('plays', 'flaky')), 0);
  expect(two.failed).toEqual(['a.test.ts › opens', 'a.test.ts › plays']);
});

test('a journey that fails each time, and a run that says less than it did, are failures', () => {
  expect(countPlaywright(note(spec('opens', 'unexpected')), 1).failed).toEqual(['a.test.ts › opens']);
  expect(countPlaywright(note(spec('opens', 'expected')), 1).failed).toHaveLength(1);
  expect(countPlaywright(undefined, 1).failed).toHaveLength(1);
});
