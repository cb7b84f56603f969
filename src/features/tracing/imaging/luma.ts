/** A picture of one channel, rows without padding. */
export interface Luma {
  width: number;
  height: number;
  values: Float32Array;
}

/** Rec. 601 luma of interleaved pixels. @param step bytes a pixel: 3 or 4 */
export function lumaAt(pixels: Uint8Array | Uint8ClampedArray, i: number): number {
  return 0.299 * (pixels[i] as number) + 0.587 * (pixels[i + 1] as number) + 0.114 * (pixels[i + 2] as number);
}

/** Rec. 601 luma of an interleaved RGB picture. */
export function lumaOf({ width, height, rgb }: { width: number; height: number; rgb: Uint8Array }): Luma {
  const values = new Float32Array(width * height);
  for (let i = 0; i < values.length; i++) values[i] = lumaAt(rgb, 3 * i);
  return { width, height, values };
}

/** Levels as bytes, for OpenCV. */
export function bytesOf({ values }: Luma): Uint8ClampedArray {
  return Uint8ClampedArray.from(values);
}

/** Mean over (2r+1)² neighbours, edges repeated; running sums, so the radius costs nothing. */
export function blur({ width, height, values }: Luma, radius: number): Luma {
  const across = new Float32Array(values.length);
  const blurred = new Float32Array(values.length);
  blurRows(values, width, height, radius, across);
  blurColumns(across, width, height, radius, blurred);
  return { width, height, values: blurred };
}

function blurRows(from: Float32Array, width: number, height: number, radius: number, into: Float32Array): void {
  const share = 1 / (2 * radius + 1);
  for (let row = 0; row < width * height; row += width) {
    let sum = 0;
    for (let x = -radius; x <= radius; x++) sum += from[row + within(x, width)] as number;
    for (let x = 0; x < width; x++) {
      into[row + x] = sum * share;
      sum += (from[row + within(x + radius + 1, width)] as number) - (from[row + within(x - radius, width)] as number);
    }
  }
}

function blurColumns(from: Float32Array, width: number, height: number, radius: number, into: Float32Array): void {
  const share = 1 / (2 * radius + 1);
  const sums = new Float64Array(width);
  for (let y = -radius; y <= radius; y++) {
    const row = width * within(y, height);
    for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) + (from[row + x] as number);
  }
  for (let y = 0; y < height; y++) {
    const [below, above] = [width * within(y + radius + 1, height), width * within(y - radius, height)];
    for (let x = 0; x < width; x++) {
      const sum = sums[x] as number;
      into[y * width + x] = sum * share;
      sums[x] = sum + (from[below + x] as number) - (from[above + x] as number);
    }
  }
}

const within = (at: number, length: number) => (at < 0 ? 0 : at < length ? at : length - 1);
