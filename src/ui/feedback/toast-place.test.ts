import { describe, expect, it } from 'vitest';
import { findLift } from './toast-place.ts';

const screen = 800;
const usual = { left: 16, right: 374, top: 650, bottom: 708 };
const box = (top: number, bottom: number, left = 16, right = 374) => ({ left, right, top, bottom });

describe('toasts', () => {
  it('stand at the foot where nothing is in their way', () => {
    expect(findLift(usual, [], screen)).toBe(0);
    expect(findLift(usual, [box(720, 790), box(100, 140)], screen)).toBe(0);
    expect(findLift(usual, [box(650, 700, 400, 500)], screen), 'beside them').toBe(0);
  });
  it('rise above a bar at the foot', () => {
    const lift = findLift(usual, [box(690, 750)], screen);
    expect(usual.bottom - lift).toBeLessThan(690);
    expect(lift).toBeLessThan(50);
  });
  it('rise above two of them, one over the other', () => {
    const lift = findLift(usual, [box(690, 750), box(620, 680)], screen);
    expect(usual.bottom - lift).toBeLessThan(620);
  });
  it('go to the top where everything below is needed', () => {
    const all = Array.from({ length: 12 }, (_, n) => box(80 + n * 60, 130 + n * 60));
    expect(usual.top - findLift(usual, all, screen)).toBe(8);
  });
});
