import { describe, expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

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

describe('a semaphore', () => {
  test('only so many run at once, the others begin in the order they came', async () => {
    const semaphore = createSemaphore(2);
    const works = [work(), work(), work(), work()];
    for (const { begin } of works) void semaphore.run(begin);
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
    const semaphore = createSemaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(semaphore.run(async () => 'next')).resolves.toBe('next');
  });

  test('with a bound, further work is not taken once so many wait', async () => {
    const semaphore = createSemaphore(1);
    let [running, most] = [0, 0];
    const tried = await Promise.all(
      Array.from({ length: 25 }, () =>
        semaphore.tryRun(async () => {
          most = Math.max(most, ++running);
          await settle();
          running--;
          return true;
        }, 20),
      ),
    );
    expect([most, tried.filter(Boolean).length]).toEqual([1, 21]);
    expect(semaphore.isFree()).toBe(true);
  });
});
