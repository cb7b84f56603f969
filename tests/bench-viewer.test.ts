import { expect, test } from 'vitest';
import { isMissed } from '../bench/support/figures.ts';
import { slowdownText } from '../bench/support/slow-processor.ts';
import { figuresOfViewer, type Measured } from '../bench/viewer-figures.ts';

const sound = { page: 4.31, worker: 4, isSound: true };
const slowdowns = { sound, void: { page: 2.2, worker: 4, isSound: false } };

const ours = {
  tappableMs: 700,
  previewMs: 600,
  sharpMs: 1000,
  rowsMs: 900,
  fullMs: 2000,
  doorBytes: 10_000,
  sharpBytes: 70_000,
  firstPaintMs: 650,
  cls: 0,
  tbtMs: 0,
  inpMs: 0,
};
const plain = { firstPaintMs: 700, sharpMs: 2300, fullMs: 1900 };
const measured = (slowdown: Measured['slowdown'], tappableMs = 700): Measured => ({
  slow: [
    {
      ours: { ...ours, tappableMs },
      asked: { tappableMs: 700, questionMs: 650, sharpMs: 1100 },
      plain,
    },
  ],
  near: [{ ours, plain }],
  slowdown,
});

test('a default link is printed beside the link that asks for nothing, and holds no gate', () => {
  const rows = figuresOfViewer(measured(sound)).filter(({ what }) => what.startsWith('default link'));
  expect(rows.map(({ figure, ours, bound }) => [figure, ours, bound])).toEqual([
    ['P2a', 0.65, undefined],
    ['P2b', 1.1, undefined],
    ['P2d', 2.45, undefined],
  ]);
});

test('a phone that was not slowed soundly makes its times void, and they miss nothing', () => {
  expect(slowdownText(slowdowns.sound)).toBe('CPU 4.3x slower, workers 4.0x');
  expect(slowdownText(slowdowns.void)).toBe('CPU 2.2x slower, workers 4.0x: VOID, wanted 3.5 to 5');
  const late = (slowdown: Measured['slowdown']) =>
    figuresOfViewer(measured(slowdown, 5000))
      .filter(isMissed)
      .map(({ figure }) => figure);
  expect(late(slowdowns.sound)).toContain('P1');
  expect(late(slowdowns.void)).toEqual([]);
});
