/** A storyboard is a sheet of so many cells, row by row. */
export const [sheetColumns, sheetRows] = [7, 6];

/** Where on its sheet a moment of a video is shown; what comes behind the last cell is shown by it. */
export function cellAt(second: number, cellSeconds: number): { column: number; row: number } {
  const cell = Math.min(sheetColumns * sheetRows - 1, Math.floor(second / cellSeconds));
  return { column: cell % sheetColumns, row: Math.floor(cell / sheetColumns) };
}
