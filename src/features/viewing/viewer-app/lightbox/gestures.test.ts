import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  doubleTap,
  giveWay,
  holdView,
  isDismissed,
  largestScale,
  roomOf,
  settleView,
  stepOf,
  wholeView,
  zoomAt,
} from './gestures.ts';

const stage = { width: 390, height: 844 };
const picture = { width: 390, height: 488 };
const coordinate = fc.double({ min: -400, max: 400, noNaN: true });
const most = largestScale(picture, stage);
const view = fc.record({ scale: fc.double({ min: 1, max: most, noNaN: true }), x: coordinate, y: coordinate });
const point = fc.record({ x: coordinate, y: coordinate });

describe('enlarging', () => {
  test('keeps the point under the finger where it is', () => {
    fc.assert(
      fc.property(view, point, fc.double({ min: 0.2, max: 9, noNaN: true }), (from, at, wanted) => {
        const next = zoomAt(from, at, wanted);
        const onPicture = (shown: typeof from) => (at.x - shown.x) / shown.scale;
        expect(onPicture(next)).toBeCloseTo(onPicture(from), 6);
        expect(next.scale).toBeGreaterThanOrEqual(1);
        expect(next.scale).toBeLessThanOrEqual(most);
      }),
    );
  });

  test('ends at four times, but for a panorama, which can fill the screen', () => {
    const panorama = { width: 390, height: 20 };
    expect(largestScale(picture, stage)).toBe(4);
    expect(largestScale(panorama, stage)).toBeCloseTo(42.2, 5);
    expect(zoomAt(wholeView, { x: 0, y: 0 }, 100, largestScale(panorama, stage)).scale).toBeCloseTo(42.2, 5);
    expect(largestScale({ width: 0, height: 0 }, stage), 'none is shown').toBe(4);
  });

  test('two taps go closer, two more show the whole picture again', () => {
    const closer = doubleTap(wholeView, { x: 100, y: -50 });
    expect(closer).toEqual({ scale: 2.5, x: -150, y: 75 });
    expect(doubleTap(closer, { x: 0, y: 0 })).toEqual(wholeView);
  });
});

describe('letting go of an enlarged picture', () => {
  test('never leaves a gap between its edge and the edge of the screen', () => {
    fc.assert(
      fc.property(view, (from) => {
        const settled = settleView(from, picture, stage);
        const room = roomOf(from.scale, picture, stage);
        expect(Math.abs(settled.x)).toBeLessThanOrEqual(room.x);
        expect(Math.abs(settled.y)).toBeLessThanOrEqual(room.y);
      }),
    );
  });

  test('a whole picture lies in the middle', () => {
    expect(settleView({ scale: 1, x: 80, y: -30 }, picture, stage)).toEqual(wholeView);
  });

  test('while it is held it gives way past its edge, but less than the finger moves', () => {
    const held = holdView({ scale: 2, x: 395, y: 0 }, picture, stage);
    expect(held.x).toBeGreaterThan(195);
    expect(held.x).toBeLessThan(395);
  });
});

describe('pulling past an end', () => {
  test('gives way less and less, and never more than the screen is long', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 5000, noNaN: true }),
        fc.double({ min: 0.1, max: 500, noNaN: true }),
        (past, more) => {
          expect(giveWay(past, 390)).toBeLessThanOrEqual(past);
          expect(giveWay(past, 390)).toBeLessThan(390);
          expect(giveWay(past + more, 390)).toBeGreaterThan(giveWay(past, 390));
          expect(giveWay(-past, 390)).toBeCloseTo(-giveWay(past, 390));
        },
      ),
    );
  });
});

describe('letting go of a swipe', () => {
  test('a third of the screen turns the page, less does not', () => {
    expect(stepOf(-140, 0, 390)).toBe(1);
    expect(stepOf(140, 0, 390)).toBe(-1);
    expect(stepOf(-120, 0, 390)).toBe(0);
  });

  test('a flick turns it however short it is, a twitch does not', () => {
    expect(stepOf(-40, -0.8, 390)).toBe(1);
    expect(stepOf(-6, -0.8, 390)).toBe(0);
  });

  test('who turns back at the end stays', () => {
    expect(stepOf(-100, 0.8, 390)).toBe(0);
  });

  test('a long or quick pull down closes, a pull up does not', () => {
    expect(isDismissed(240, 0, 844)).toBe(true);
    expect(isDismissed(60, 0.9, 844)).toBe(true);
    expect(isDismissed(60, 0.1, 844)).toBe(false);
    expect(isDismissed(-300, -2, 844)).toBe(false);
  });
});
