import { describe, expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** A work that ends when it is told to. */
function work() {
  let end: () => void = () => undefined;
  const done = new Promise<void>((go) => {
    end = go;
  });
  const seen = { hasBegun: false };
  const begin = () => {
    seen.hasBegun = true;
    return done;
  };
  return { begin, end: () => end(), seen };
}

const settle = () => new Promise((go) => setTimeout(go, 0));

describe('turns', () => {
  test('only so many run at once, the others begin in the order they came', async () => {
    const inTurn = createTurns(2);
    const works = [work(), work(), work(), work()];
    for (const { begin } of works) void inTurn(begin);
    const begun = () => works.map(({ seen }) => seen.hasBegun);
    expect(begun()).toEqual([true, true, false, false]);
    works[1]?.end();
    await settle();
    expect(begun()).toEqual([true, true, true, false]);
    works[0]?.end();
    await settle();
    expect(begun()).toEqual([true, true, true, true]);
  });

  test('a work that fails gives its turn on', async () => {
    const inTurn = createTurns(1);
    await expect(inTurn(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(inTurn(async () => 'next')).resolves.toBe('next');
  });
});
