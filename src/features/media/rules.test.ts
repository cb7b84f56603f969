import { describe, expect, it } from 'vitest';
import { freeTimeLeft, isFullRendition, retryPauseOf, smallRenditionOf, splitVideoTime } from './rules.ts';

describe('what ran out of time', () => {
  it('is tried again after growing pauses, and given up after the last one', () => {
    const pauses = [0, 1, 2, 3].map(retryPauseOf);
    expect(pauses).toEqual([60, 600, 3600, 21_600]);
    expect(retryPauseOf(4)).toBeUndefined();
  });
});

describe('renditions', () => {
  it('in a list are small ones: of a video its poster', () => {
    expect([smallRenditionOf('photo'), smallRenditionOf('video')]).toEqual(['thumb512', 'posterthumb']);
  });
  it('of which nobody is given many at once are the large ones', () => {
    expect(['p2048', 'poster'].map(isFullRendition)).toEqual([true, true]);
    expect(['thumb512', 'posterthumb', 'p1024'].map(isFullRendition)).toEqual([false, false, false]);
  });
});

describe('the time of a video', () => {
  const month = { freeSeconds: 100, usedSeconds: 70, extraSeconds: 20 };
  it('is free first, then what was bought', () => {
    expect(splitVideoTime(month, 30)).toEqual({ free: 30, extra: 0 });
    expect(splitVideoTime(month, 31)).toEqual({ free: 30, extra: 1 });
    expect(splitVideoTime(month, 50)).toEqual({ free: 30, extra: 20 });
  });
  it('is refused where both together are too little', () => {
    expect(splitVideoTime(month, 51)).toBeUndefined();
    expect(splitVideoTime({ ...month, extraSeconds: 0 }, 31)).toBeUndefined();
  });
  it('is never less than none, where more was used than is free now', () => {
    expect(freeTimeLeft({ freeSeconds: 100, usedSeconds: 130 })).toBe(0);
    expect(freeTimeLeft(month)).toBe(30);
    expect(splitVideoTime({ ...month, usedSeconds: 130 }, 20)).toEqual({ free: 0, extra: 20 });
  });
});
