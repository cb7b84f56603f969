import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { paceJumps } from './video-jumps.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @returns the places that were really jumped to */
function start() {
  const made: number[] = [];
  return { made, jumps: paceJumps((second) => void made.push(second)) };
}

describe('jumps in a video', () => {
  test('are made at once', () => {
    const { made, jumps } = start();
    jumps.to(5);
    expect([made, jumps.isDue()]).toEqual([[5], false]);
    vi.advanceTimersByTime(400);
    jumps.to(10);
    expect(made).toEqual([5, 10]);
  });

  test('of a key that is held down are two: the first, and where it ends', () => {
    const { made, jumps } = start();
    for (let n = 1; n <= 60; n++) {
      jumps.to(5 * n);
      vi.advanceTimersByTime(33);
    }
    expect([made, jumps.isDue()]).toEqual([[5], true]);
    vi.advanceTimersByTime(300);
    expect([made, jumps.isDue()]).toEqual([[5, 300], false]);
  });

  test('are not made once the video is closed', () => {
    const { made, jumps } = start();
    jumps.to(5);
    jumps.to(10);
    jumps.stop();
    vi.advanceTimersByTime(1000);
    expect(made).toEqual([5]);
  });
});
