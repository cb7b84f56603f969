import { expect, it } from 'vitest';
import { openStatementFigures } from './statement-figures.ts';

it('a statement is counted under its name, with what it took in all and at most', () => {
  const { note, list } = openStatementFigures();
  const now = performance.now();
  for (const ms of [10, 200, 3000]) note('links_found', now - ms);
  const [figure, ...more] = list();
  expect(more).toEqual([]);
  expect(figure).toMatchObject({ name: 'links_found', calls: 3 });
  expect(figure?.totalMs).toBeGreaterThanOrEqual(3210);
  expect(figure?.slowestMs).toBeGreaterThanOrEqual(3000);
  expect(figure?.p95Ms).toBeGreaterThanOrEqual(3000);
});

it('lists of values of any length are one statement', () => {
  const { note, list } = openStatementFigures();
  for (const values of ['($1)', '($1, $2)', '($1, $2, $3), ($4, $5, $6)'])
    note(`insert into "albums" ("id")\n values ${values}`, performance.now());
  expect(list()).toMatchObject([{ name: 'insert into albums (id) values ($…)', calls: 3 }]);
});

it('of texts without end no more are kept than there is room for, and none goes uncounted', () => {
  const { note, list } = openStatementFigures();
  for (let n = 0; n < 10_000; n++) note(`select ${'x'.repeat(n % 600)} as c${n}`, performance.now());
  expect(list().length).toBeLessThanOrEqual(1001);
  expect(list().reduce((sum, { calls }) => sum + calls, 0)).toBe(10_000);
  expect(Math.max(...list().map(({ name }) => name.length))).toBeLessThanOrEqual(400);
});
