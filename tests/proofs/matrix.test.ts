import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { isFull, tellProof } from './counts.ts';
import { runMatrix } from './matrix.ts';
import { listRows } from './matrix-doors.ts';

test('every procedure says who may call it and what its ids are about', () => {
  const rows = listRows();
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter(({ meta }) => meta.who.length === 0).map(({ name }) => name)).toEqual([]);
});

/** A sandbox on this machine, and an installation that others reach; the short form asks the one that others reach. */
describe.each(isFull ? ['a sandbox', 'a live installation'] : ['a live installation'])('in %s', (mode) => {
  let house: HouseInTest;
  beforeAll(async () => {
    house = await openHouse({ workJobs: false, isLive: mode === 'a live installation' });
  });
  afterAll(() => house.close());

  test('R1: what is allowed works, what is not leaves no trace – everybody, every procedure, everybody’s ids, both doors', {
    timeout: 3_600_000,
  }, async () => {
    const { requests, leaks, falseDenials, bugs, untested } = await runMatrix(house, { isFull });
    tellProof(`matrix in ${mode}`, requests, {
      leaks: leaks.length,
      falseDenials: falseDenials.length,
      bugs: bugs.length,
    });
    expect({ leaks, falseDenials, bugs, untested }).toEqual({ leaks: [], falseDenials: [], bugs: [], untested: [] });
    expect(requests).toBeGreaterThan(isFull ? 10_000 : 2500);
  });
});
