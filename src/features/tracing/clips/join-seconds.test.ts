import { expect, it } from 'vitest';
import type { Reading } from '../findings.ts';
import { joinSeconds } from './join-seconds.ts';

const readingOf = (track: Reading['track'], z: number[], mediaId = 'video'): Reading => ({
  mediaId,
  track,
  columns: z.length,
  rows: 1,
  z: Float64Array.from(z),
  visible: Float64Array.from(z, (value) => (value === 0 ? 0 : 1)),
});

it('two clips of one video are one reading of all their seconds; a second that both show counts once, and more surely', () => {
  const [whole, ...more] = joinSeconds([readingOf('v720', [2, 2, 0, 0]), readingOf('v480', [0, 2, -3, 0])]);
  expect(more).toEqual([]);
  expect(Array.from(whole?.z ?? [])).toEqual([2, 4 / Math.SQRT2, -3, 0]);
  expect(Array.from(whole?.visible ?? [])).toEqual([1, 1, 1, 0]);
});

it('readings of other videos and of photos stay as they are', () => {
  const apart = [readingOf('v720', [1, 2]), readingOf('v720', [1, 2], 'other'), readingOf('p2048', [1, 2])];
  expect(joinSeconds(apart)).toEqual(apart);
});
