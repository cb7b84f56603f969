import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPlaces } from './places.ts';

describe('places', () => {
  it('are as many as there are, and one more for each that is given back, however often that is said', () => {
    const places = openPlaces({ most: 2 });
    const [first, second] = [places.take(), places.take()];
    expect([places.take(), places.isFull()]).toEqual([undefined, true]);
    first?.();
    first?.();
    expect(places.take()).toBeDefined();
    expect(places.take()).toBeUndefined();
    second?.();
    expect(places.take()).toBeDefined();
  });

  it('are held by one network, one account or one link up to its share', () => {
    const places = openPlaces({ most: 9, mostOf: { network: 2, link: 3 } });
    expect(places.take({ network: 'a', link: 'x' })).toBeDefined();
    const leave = places.take({ network: 'a', link: 'x' });
    expect(places.take({ network: 'a', link: 'y' })).toBeUndefined();
    expect(places.take({ network: 'b', link: 'x' })).toBeDefined();
    expect(places.take({ network: 'c', link: 'x' })).toBeUndefined();
    expect(places.take({ network: 'c', link: undefined })).toBeDefined();
    leave?.();
    expect(places.take({ network: 'a', link: 'x' })).toBeDefined();
  });

  it('are shared out only once others may want some', () => {
    const places = openPlaces({ most: 4, mostOf: { network: 1 }, sharesFrom: 2 });
    expect([places.take({ network: 'a' }), places.take({ network: 'a' })]).not.toContain(undefined);
    expect([places.isFull({ network: 'a' }), places.isFull({ network: 'b' })]).toEqual([true, false]);
    expect(places.take({ network: 'a' })).toBeUndefined();
    expect(places.take({ network: 'b' })).toBeDefined();
  });

  it('never are more than there are, and all come back', () => {
    const steps = fc.array(fc.record({ network: fc.constantFrom('a', 'b', 'c'), leaves: fc.nat(9) }));
    fc.assert(
      fc.property(steps, (all) => {
        const places = openPlaces({ most: 5, mostOf: { network: 2 } });
        const inside: (() => void)[] = [];
        for (const { network, leaves } of all) {
          const leave = places.take({ network });
          if (leave !== undefined) inside.push(leave);
          expect(inside.length).toBeLessThanOrEqual(5);
          if (leaves < 4) inside.splice(leaves, 1)[0]?.();
        }
        for (const leave of inside) leave();
        const again = ['a', 'a', 'b', 'b', 'c', 'c'].map((network) => places.take({ network }) !== undefined);
        expect(again).toEqual([true, true, true, true, true, false]);
      }),
    );
  });
});
