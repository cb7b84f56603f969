import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createViewTime } from './view-time.ts';

describe('samples', () => {
  test('what was to be seen is credited until something else is', () => {
    const viewTime = createViewTime();
    viewTime.see(0, ['a']);
    viewTime.see(1000, ['a']);
    viewTime.see(1500, ['b']);
    viewTime.see(1800, []);
    viewTime.see(9000, []);
    expect(viewTime.take()).toEqual([
      { mediaId: 'a', visibleMs: 1500 },
      { mediaId: 'b', visibleMs: 300 },
    ]);
    expect(viewTime.take()).toEqual([]);
  });

  test('a page that slept is not credited with its sleep', () => {
    const viewTime = createViewTime();
    viewTime.see(0, ['a']);
    viewTime.see(3_600_000, ['a']);
    expect(viewTime.take()).toEqual([{ mediaId: 'a', visibleMs: 2000 }]);
  });

  test('a report that did not arrive is told with the next one', () => {
    const viewTime = createViewTime();
    viewTime.see(0, ['a']);
    viewTime.see(1000, ['a']);
    const lost = viewTime.take();
    viewTime.see(1400, []);
    viewTime.putBack(lost);
    expect(viewTime.take()).toEqual([{ mediaId: 'a', visibleMs: 1400 }]);
  });

  test('tells the seconds of a video as stretches, and once more when they did not arrive', () => {
    const viewTime = createViewTime();
    viewTime.see(0, ['a']);
    for (const second of [4, 5, 0, 1, 5, 9]) viewTime.play('a', second);
    viewTime.see(1000, []);
    const lost = viewTime.take();
    const stretches = [
      [0, 2],
      [4, 6],
      [9, 10],
    ];
    expect(lost).toEqual([{ mediaId: 'a', visibleMs: 1000, played: stretches }]);
    expect(viewTime.take()).toEqual([]);
    viewTime.putBack(lost);
    expect(viewTime.take()).toEqual(lost);
  });

  test('never more than the clock, a minute an item, or fifty items', () => {
    const step = fc.record({ ms: fc.nat(90_000), ids: fc.uniqueArray(fc.nat(80).map(String), { maxLength: 80 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const viewTime = createViewTime();
        let now = 0;
        viewTime.see(now, []);
        for (const { ms, ids } of steps) {
          now += ms;
          viewTime.see(now, ids);
        }
        const samples = viewTime.take();
        expect(samples.length).toBeLessThanOrEqual(50);
        for (const { visibleMs } of samples) expect(visibleMs).toBeLessThanOrEqual(Math.min(now, 60_000));
      }),
    );
  });
});
