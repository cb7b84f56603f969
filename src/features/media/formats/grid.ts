/** How a rendition is cut into tiles: row-major, `xs` and `ys` are the cuts in pixels, first 0, last the full length. */
export type Grid = { columns: number; rows: number; tiles: number; xs: number[]; ys: number[] };

/** One tile's number and place in the rendition, in pixels. */
export type Tile = { index: number; left: number; top: number; width: number; height: number };

/** The pack format counts tiles up to here. */
export const maxTiles = 512;

/** Inner cuts lie on multiples of this: WebP works in blocks of 16 px, so a block never belongs to two tiles and no seam shows. */
const blockPx = 16;

/** Returns how many tiles a rendition of this size should have: 256, fewer where they would fall below 64 px a side. */
export function tilesFor(width: number, height: number): number {
  return Math.max(1, Math.min(256, Math.round((width * height) / (64 * 64))));
}

/** Cuts a rendition into about `tiles` tiles that follow its aspect ratio. */
export function gridOf(width: number, height: number, tiles: number): Grid {
  const columns = within(Math.round(Math.sqrt((tiles * width) / height)), width);
  const rows = within(Math.round(tiles / columns), height);
  return { columns, rows, tiles: columns * rows, xs: cuts(width, columns), ys: cuts(height, rows) };
}

/** Every tile in the order of the pack. */
export function tilesOf({ columns, rows, xs, ys }: Pick<Grid, 'columns' | 'rows' | 'xs' | 'ys'>): Tile[] {
  const tiles: Tile[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [left, right] = [xs[column] ?? 0, xs[column + 1] ?? 0];
      const [top, bottom] = [ys[row] ?? 0, ys[row + 1] ?? 0];
      tiles.push({ index: row * columns + column, left, top, width: right - left, height: bottom - top });
    }
  return tiles;
}

/** At least one part, and none narrower than a block: a part of 5 px would round to nothing. */
function within(parts: number, length: number): number {
  return Math.max(1, Math.min(parts, Math.floor(length / blockPx)));
}

function cuts(length: number, parts: number): number[] {
  return Array.from({ length: parts + 1 }, (_, i) =>
    i === parts ? length : Math.round((i * length) / parts / blockPx) * blockPx,
  );
}
