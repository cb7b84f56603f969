/** A half-size picture of whole numbers. */
export type Plane = { width: number; height: number; values: Int32Array };

/**
 * Sum over the (2r+1)² neighbours of every sample, edges repeated. Running sums, so the cost does not depend on `radius`; whole
 * numbers, so nothing drifts. The caller divides once at the end, or not at all.
 * @param into receives the sums; may be the source itself
 * @param scratch as large as the plane
 */
export function boxSum({ width, height, values }: Plane, radius: number, into: Int32Array, scratch: Int32Array): void {
  sumRows(values, width, height, radius, scratch);
  sumColumns(scratch, width, height, radius, into);
}

function sumRows(from: Int32Array, width: number, height: number, radius: number, into: Int32Array): void {
  const inner = Math.max(0, width - radius - 1);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const [first, last] = [from[row] as number, from[row + width - 1] as number];
    let sum = first * (radius + 1);
    for (let i = 1; i <= radius; i++) sum += i < width ? (from[row + i] as number) : last;
    let x = 0;
    for (const edge = Math.min(radius, width); x < edge; x++) {
      into[row + x] = sum;
      sum += (x + radius + 1 < width ? (from[row + x + radius + 1] as number) : last) - first;
    }
    for (; x < inner; x++) {
      into[row + x] = sum;
      sum += (from[row + x + radius + 1] as number) - (from[row + x - radius] as number);
    }
    for (; x < width; x++) {
      into[row + x] = sum;
      sum += last - (from[row + x - radius] as number);
    }
  }
}

function sumColumns(from: Int32Array, width: number, height: number, radius: number, into: Int32Array): void {
  const sums = new Int32Array(width);
  for (let i = -radius; i <= radius; i++) {
    const row = Math.min(height - 1, Math.max(0, i)) * width;
    for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) + (from[row + x] as number);
  }
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const below = Math.min(height - 1, y + radius + 1) * width;
    const above = Math.max(0, y - radius) * width;
    for (let x = 0; x < width; x++) {
      const sum = sums[x] as number;
      into[row + x] = sum;
      sums[x] = sum + (from[below + x] as number) - (from[above + x] as number);
    }
  }
}
