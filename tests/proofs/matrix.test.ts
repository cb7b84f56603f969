import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { listRows, runMatrix } from './matrix.ts';

let house: HouseInTest;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
});
afterAll(() => house.close());

test('every procedure says who may call it and what its ids are about', () => {
  const rows = listRows();
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter(({ meta }) => meta.who.length === 0).map(({ name }) => name)).toEqual([]);
});

test('R1: what is allowed works, what is not leaves no trace – everybody, every procedure, everybody’s ids', async () => {
  const { requests, leaks, falseDenials, bugs, untested } = await runMatrix(house);
  expect({ leaks, falseDenials, bugs, untested }).toEqual({ leaks: [], falseDenials: [], bugs: [], untested: [] });
  expect(requests).toBeGreaterThan(2500);
}, 300_000);
