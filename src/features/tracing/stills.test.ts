import { expect, it } from 'vitest';
import { smallBytes } from './small-frames.ts';
import { chooseStills } from './stills.ts';

/** Frames of one picture, each number another one, with a little noise that differs from frame to frame. */
function framesOf(picture: number, count: number): Uint8Array[] {
  const levels = Array.from({ length: smallBytes }, (_, i) => 30 + ((Math.floor(i / 97) * (picture * 57 + 31)) % 180));
  return Array.from({ length: count }, (_, n) => Uint8Array.from(levels, (level, i) => level + ((i * 7 + n) % 5)));
}
const clipOf = (...shots: [picture: number, count: number][]) =>
  new Uint8Array(Buffer.concat(shots.flatMap(([picture, count]) => framesOf(picture, count))));

it('chooses a moment of each picture, late while it stands', () => {
  const stills = chooseStills(clipOf([1, 60], [2, 90], [3, 30]));
  expect(stills).toHaveLength(3);
  for (const [n, [from, to]] of [
    [0, 60],
    [60, 150],
    [150, 180],
  ].entries()) {
    expect(stills[n]).toBeGreaterThanOrEqual(((from as number) + (to as number)) / 2 - 10);
    expect(stills[n]).toBeLessThan(to as number);
  }
});

it('chooses a picture once, however often it comes, and the four that are shown longest', () => {
  expect(chooseStills(clipOf([1, 60], [2, 30], [1, 60]))).toHaveLength(2);
  const stills = chooseStills(clipOf([1, 40], [2, 20], [3, 40], [4, 40], [5, 40]));
  expect(stills.map((frame) => Math.floor(frame / 10))).not.toContain(4);
  expect(stills).toHaveLength(4);
});

it('leaves out what is seen in passing, unless nothing stands', () => {
  expect(chooseStills(clipOf([1, 60], [2, 10], [3, 60]))).toHaveLength(2);
  expect(chooseStills(clipOf([1, 10], [2, 10], [3, 10]))).toHaveLength(3);
});

it('chooses of a clip of one frame that frame, and of none nothing', () => {
  expect(chooseStills(clipOf([1, 1]))).toEqual([0]);
  expect(chooseStills(new Uint8Array())).toEqual([]);
});
