import { describe, expect, it } from 'vitest';
import { drawVideoPattern, drawVideoPatterns } from './video-pattern.ts';

const size = { width: 640, height: 360 };
const levelsOf = (frame: Uint8Array) =>
  Array.from(new Uint16Array(frame.buffer, frame.byteOffset, frame.length / 2), (value) => (value - 2048) / 16);
const correlation = (one: readonly number[], other: readonly number[]) => {
  const energy = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);
  const shared = one.reduce((sum, value, n) => sum + value * (other[n] ?? 0), 0);
  return shared / Math.sqrt(energy(one) * energy(other));
};

describe('the pattern of a segment', () => {
  it('is as loud as was measured to trace and not to be seen, and never goes further than five levels', () => {
    const levels = levelsOf(drawVideoPattern(size));
    const rms = Math.sqrt(levels.reduce((sum, level) => sum + level * level, 0) / levels.length);
    expect(rms).toBeGreaterThan(1.1);
    expect(rms).toBeLessThan(1.2);
    expect(levels.every((level) => Math.abs(level) <= 5)).toBe(true);
    expect(Math.abs(levels.reduce((sum, level) => sum + level, 0) / levels.length)).toBeLessThan(0.05);
  });

  it('has nothing of the one before it', async () => {
    const frames: number[][] = [];
    for await (const frame of drawVideoPatterns(size)) {
      frames.push(levelsOf(frame));
      if (frames.length === 3) break;
    }
    const [one = [], two = [], three = []] = frames;
    for (const [first, second] of [
      [one, two],
      [two, three],
      [one, three],
    ] as const)
      expect(Math.abs(correlation(first, second))).toBeLessThan(0.05);
  });

  it('is drawn for the smallest video as well', () => {
    expect(drawVideoPattern({ width: 1, height: 1 })).toHaveLength(2);
    expect(drawVideoPattern({ width: 400, height: 1 })).toHaveLength(800);
  });
});
