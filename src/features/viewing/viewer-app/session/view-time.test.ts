import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTally } from './view-time.ts';

describe('samples', () => {
  test('what was to be seen is credited until something else is', () => {
    const tally = createTally();
    tally.see(0, ['a']);
    tally.see(1000, ['a']);
    tally.see(1500, ['b']);
    tally.see(1800, []);
    tally.see(9000, []);
    expect(tally.take()).toEqual([
      { mediaId: 'a', visibleMs: 1500 },
      { mediaId: 'b', visibleMs: 300 },
    ]);
    expect(tally.take()).toEqual([]);
  });

  test('a page that slept is not credited with its sleep', () => {
    const tally = createTally();
    tally.see(0, ['a']);
    tally.see(3_600_000, ['a']);
    expect(tally.take()).toEqual([{ mediaId: 'a', visibleMs: 2000 }]);
  });

  test('a report that did not arrive is told with the next one', () => {
    const tally = createTally();
    tally.see(0, ['a']);
    tally.see(1000, ['a']);
    const lost = tally.take();
    tally.see(1400, []);
    tally.putBack(lost);
    expect(tally.take()).toEqual([{ mediaId: 'a', visibleMs: 1400 }]);
  });

  test('tells the seconds of a video as stretches, and once more when they did not arrive', () => {
    const tally = createTally();
    tally.see(0, ['a']);
    for (const second of [4, 5, 0, 1, 5, 9]) tally.play('a', second);
    tally.see(1000, []);
    const lost = tally.take();
    const stretches = [
      [0, 2],
      [4, 6],
      [9, 10],
    ];
    expect(lost).toEqual([{ mediaId: 'a', visibleMs: 1000, played: stretches }]);
    expect(tally.take()).toEqual([]);
    tally.putBack(lost);
    expect(tally.take()).toEqual(lost);
  });

  test('never more than the clock, a minute an item, or fifty items', () => {
    const step = fc.record({ ms: fc.nat(90_000), ids: fc.uniqueArray(fc.nat(80).map(String), { maxLength: 80 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const tally = createTally();
        let now = 0;
        tally.see(now, []);
        for (const { ms, ids } of steps) {
          now += ms;
          tally.see(now, ids);
        }
        const samples = tally.take();
        expect(samples.length).toBeLessThanOrEqual(50);
        for (const { visibleMs } of samples) expect(visibleMs).toBeLessThanOrEqual(Math.min(now, 60_000));
      }),
    );
  });
});
