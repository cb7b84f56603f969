/** A 3 × 3 matrix, row by row, that maps points of one picture to another. */
export type Homography = readonly number[];

/** First `second`, then `first`. */
export function compose(first: Homography, second: Homography): number[] {
  const at = (matrix: Homography, row: number, column: number) => matrix[3 * row + column] as number;
  return Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [Math.floor(i / 3), i % 3];
    return [0, 1, 2].reduce((sum, k) => sum + at(first, row, k) * at(second, k, column), 0);
  });
}

/** Scaling that keeps the centres of pixels on the centres of pixels. */
export function zoom(x: number, y = x): number[] {
  return [x, 0, 0.5 * x - 0.5, 0, y, 0.5 * y - 0.5, 0, 0, 1];
}

/** Left and right of a picture exchanged. */
export const mirror = (width: number): number[] => [-1, 0, width - 1, 0, 1, 0, 0, 0, 1];

export function project(
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 1]: Homography,
  x: number,
  y: number,
) {
  const depth = g * x + h * y + i;
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth, depth };
}

/**
 * Scale and place alone, by least squares: of few features that lie in few spots a whole homography is anybody's guess.
 * @param from x and y of each feature in turn, and where it was found in `to`; undefined when they say nothing of a scale
 */
export function fitUpright(from: readonly number[], to: readonly number[]): number[] | undefined {
  const count = from.length / 2;
  const meanOf = (values: readonly number[], axis: number) =>
    values.reduce((sum, value, i) => sum + (i % 2 === axis ? value : 0), 0) / count;
  const [here, there] = [from, to].map((points) => [meanOf(points, 0), meanOf(points, 1)]) as [number[], number[]];
  let [shared, spread] = [0, 0];
  for (const [i, value] of from.entries()) {
    const away = value - (here[i % 2] as number);
    shared += away * ((to[i] as number) - (there[i % 2] as number));
    spread += away * away;
  }
  const scale = shared / spread;
  if (!(scale > 0)) return;
  const [x, y] = [0, 1].map((axis) => (there[axis] as number) - scale * (here[axis] as number)) as [number, number];
  return [scale, 0, x, 0, scale, y, 0, 0, 1];
}

/** Corners of a picture, clockwise from the upper left, in the other one. */
export function cornersOf(
  homography: Homography,
  width: number,
  height: number,
): { x: number; y: number; depth: number }[] {
  const [right, bottom] = [width - 1, height - 1];
  const corners = [0, 0, right, 0, right, bottom, 0, bottom];
  return [0, 2, 4, 6].map((i) => project(homography, corners[i] as number, corners[i + 1] as number));
}

/**
 * Returns whether a photo can have come to lie so: not turned inside out, not folded, not shrunk to a point. A homography through stray
 * matches is almost always one of these.
 */
export function isPlausible(homography: Homography, width: number, height: number): boolean {
  if (!homography.every(Number.isFinite)) return false;
  const corners = cornersOf(homography, width, height);
  const turns = corners.map((here, n) => {
    const [next, last] = [corners[(n + 1) % 4], corners[(n + 2) % 4]] as [typeof here, typeof here];
    return (next.x - here.x) * (last.y - next.y) - (next.y - here.y) * (last.x - next.x);
  });
  const areaShare = Math.abs(areaOf(corners)) / (width * height);
  return turns.every((turn) => turn > 0) && areaShare > 1e-4 && areaShare < 1e4;
}

/** Leak pixels a reference pixel, measured in the picture's middle. */
export function scaleOf(homography: Homography, width: number, height: number): number {
  const at = (dx: number, dy: number) => project(homography, width / 2 + dx, height / 2 + dy);
  const [here, right, below] = [at(0, 0), at(1, 0), at(0, 1)];
  return Math.sqrt(Math.abs((right.x - here.x) * (below.y - here.y) - (right.y - here.y) * (below.x - here.x)));
}

function areaOf(corners: readonly { x: number; y: number }[]): number {
  return corners.reduce((sum, { x, y }, n) => {
    const next = corners[(n + 1) % corners.length] as { x: number; y: number };
    return sum + (x * next.y - next.x * y) / 2;
  }, 0);
}
