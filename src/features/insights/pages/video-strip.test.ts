import { describe, expect, it } from 'vitest';
import { cellAt, sheetColumns } from '#features/media/storyboard.ts';
import { momentsOf } from '../rules.ts';

describe('the strip under a curve', () => {
  const cellsOf = (durationMs: number, cellSeconds: number) =>
    momentsOf(durationMs, 6).map((second) => {
      const { column, row } = cellAt(second, cellSeconds);
      return row * sheetColumns + column;
    });

  it('shows the middle of each sixth of a video', () => {
    expect(momentsOf(12_000, 6)).toEqual([1, 3, 5, 7, 9, 11]);
    expect(cellsOf(12_000, 1)).toEqual([1, 3, 5, 7, 9, 11]);
    expect(cellsOf(3_600_000, 86)).toEqual([3, 10, 17, 24, 31, 38]);
  });

  it('shows what there is of a video of a moment', () => expect(cellsOf(400, 1)).toEqual([0, 0, 0, 0, 0, 0]));
});
