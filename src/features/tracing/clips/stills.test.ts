import { expect, it } from 'vitest';
import { smallBytes, smallWidth } from './small-frames.ts';
import { chooseStills } from './stills.ts';

/** Frames of one picture, each number another one, with a little noise that differs from frame to frame. */
function framesOf(picture: number, count: number): Uint8Array[] {
  const levels = Array.from({ length: smallBytes }, (_, i) => 30 + ((Math.floor(i / 97) * (picture * 57 + 31)) % 180));
  return Array.from({ length: count }, (_, n) => Uint8Array.from(levels, (level, i) => level + ((i * 7 + n) % 5)));
}
const clipOf = (...shots: [picture: number, count: number][]) =>
  new Uint8Array(Buffer.concat(shots.flatMap(([picture, count]) => framesOf(picture, count))));

it('chooses a moment of each picture, some time after it came', () => {
  const stills = chooseStills(clipOf([1, 60], [2, 300], [3, 30]));
  expect(stills).toHaveLength(3);
  for (const [n, [from, to]] of [
    [0, 60],
    [60, 360],
    [360, 390],
  ].entries()) {
    const { at = 0, cameAfter = 0 } = stills[n] ?? {};
    expect(at).toBeGreaterThanOrEqual((from as number) + 10);
    expect(at).toBeLessThan(Math.min(to as number, (from as number) + 110));
    // What came between two looks may have come right after the first of them.
    expect((from as number) - cameAfter).toBeGreaterThanOrEqual(n === 0 ? 0 : 1);
    expect((from as number) - cameAfter).toBeLessThanOrEqual(21);
  }
});

it('chooses a picture once, however often it comes, and the four that are shown longest', () => {
  expect(chooseStills(clipOf([1, 60], [2, 30], [1, 60]))).toHaveLength(2);
  const stills = chooseStills(clipOf([1, 40], [2, 20], [3, 40], [4, 40], [5, 40]));
  expect(stills.map(({ at }) => Math.floor(at / 20))).not.toContain(2);
  expect(stills).toHaveLength(4);
});

it('leaves out what is seen in passing, unless nothing stands: then it looks all over the clip', () => {
  expect(chooseStills(clipOf([1, 60], [2, 10], [3, 60]))).toHaveLength(2);
  expect(chooseStills(clipOf([1, 10], [2, 10], [3, 10]))).toHaveLength(3);
  const passing = Array.from({ length: 12 }, (_, n) => [n + 1, 10] as [number, number]);
  expect(chooseStills(clipOf(...passing)).map(({ at }) => at)).toEqual([10, 40, 70, 100]);
});

it('chooses of a clip of one frame that frame, and of none nothing', () => {
  expect(chooseStills(clipOf([1, 1]))).toEqual([{ at: 0, cameAfter: 0 }]);
  expect(chooseStills(new Uint8Array())).toEqual([]);
});

/** A soft photo in the middle of a light page, filmed by a hand that moves it by so many pixels. */
function softPhoto(photo: number, at: number, shake = 0): Uint8Array {
  const moved = shake * Math.sin(at);
  return Uint8Array.from({ length: smallBytes }, (_, i) => {
    const [x, y] = [(i % smallWidth) - moved, Math.floor(i / smallWidth)];
    if (x < 4 || x > 59 || y < 8 || y > 27) return 253;
    return 200 + 14 * Math.sin(x / 9 + 2 * photo) * Math.cos(y / 7 + photo);
  });
}
const softClip = (photos: readonly number[], shake?: number) =>
  new Uint8Array(
    Buffer.concat(photos.flatMap((photo) => Array.from({ length: 90 }, (_, n) => softPhoto(photo, n, shake)))),
  );

it('tells soft photos on a light page apart, of which most is the page', () => {
  expect(chooseStills(softClip([1, 2, 3]))).toHaveLength(3);
  expect(chooseStills(softClip([1, 1, 1]))).toHaveLength(1);
});

it('takes what a hand videos for one picture, however it trembles', () => {
  expect(chooseStills(softClip([1, 1, 1], 1))).toEqual([{ at: 90, cameAfter: 0 }]);
});
