/** Size of the small frames by which a clip is looked for in videos, whatever their shape. */
export const [smallWidth, smallHeight] = [64, 36];
export const smallBytes = smallWidth * smallHeight;

/** What two small frames are compared on. */
const [columns, rows] = [24, 14];
export const cells = columns * rows;

/** A part of a frame, as shares of its width and height. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Samples a part of each small frame and evens it out, so that the product of two vectors is their correlation.
 * @param frames small frames, one after another
 */
export function vectorsOf(frames: Uint8Array, part: Part, isMirrored = false): Float32Array {
  const vectors = levelsOf(frames, part, isMirrored);
  for (let from = 0; from < vectors.length; from += cells) even(vectors.subarray(from, from + cells));
  return vectors;
}

/** The same as it is, 0 to 255. */
export function levelsOf(frames: Uint8Array, part: Part, isMirrored = false): Float32Array {
  const count = Math.floor(frames.length / smallBytes);
  const vectors = new Float32Array(count * cells);
  const places = samplePlaces(part, isMirrored);
  for (let n = 0; n < count; n++) {
    const vector = vectors.subarray(n * cells, (n + 1) * cells);
    const from = n * smallBytes;
    for (const [cell, around] of places.entries()) {
      let sum = 0;
      for (const at of around) sum += frames[from + at] as number;
      vector[cell] = sum / around.length;
    }
  }
  return vectors;
}

/** For each cell the pixels that lie in it, at least one. */
function samplePlaces({ left, top, width, height }: Part, isMirrored: boolean): number[][] {
  const span = (from: number, to: number, length: number) => {
    const first = Math.min(length - 1, Math.round(from * length));
    const last = Math.max(first + 1, Math.min(length, Math.round(to * length)));
    return Array.from({ length: last - first }, (_, i) => first + i);
  };
  return Array.from({ length: cells }, (_, cell) => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    const x = isMirrored ? columns - 1 - column : column;
    const across = span(left + (x * width) / columns, left + ((x + 1) * width) / columns, smallWidth);
    const down = span(top + (row * height) / rows, top + ((row + 1) * height) / rows, smallHeight);
    return down.flatMap((py) => across.map((px) => py * smallWidth + px));
  });
}

/** A plain frame looks like nothing. */
const leastDeviation = 2;

function even(vector: Float32Array): void {
  const mean = vector.reduce((sum, value) => sum + value, 0) / vector.length;
  let squares = 0;
  for (const value of vector) squares += (value - mean) ** 2;
  const scale = squares > vector.length * leastDeviation ** 2 ? 1 / Math.sqrt(squares) : 0;
  for (let i = 0; i < vector.length; i++) vector[i] = ((vector[i] as number) - mean) * scale;
}

/** Correlation of two vectors of these lists. */
export function likenessOf(one: Float32Array, n: number, other: Float32Array, m: number): number {
  let sum = 0;
  for (let i = 0, a = n * cells, b = m * cells; i < cells; i++, a++, b++)
    sum += (one[a] as number) * (other[b] as number);
  return sum;
}

/** By how many levels two frames of these lists differ, as a root mean square. */
export function levelsApart(one: Float32Array, n: number, other: Float32Array, m: number): number {
  let sum = 0;
  for (let i = 0, a = n * cells, b = m * cells; i < cells; i++, a++, b++)
    sum += ((one[a] as number) - (other[b] as number)) ** 2;
  return Math.sqrt(sum / cells);
}

/** Bars are as dark, or as plain, as this over the whole clip. */
const [barLevel, barDeviation] = [24, 3];
/** More than this on one side is no bar. */
const mostBar = 0.4;

/** Returns where the picture of a clip lies inside its bars. */
export function insideBars(frames: Uint8Array): Part {
  const count = Math.floor(frames.length / smallBytes);
  const step = Math.max(1, Math.floor(count / 40));
  const isBar = (line: number, isRow: boolean): boolean => {
    let [sum, squares, all] = [0, 0, 0];
    for (let n = 0; n < count; n += step)
      for (let i = 0; i < (isRow ? smallWidth : smallHeight); i++) {
        const level = frames[n * smallBytes + (isRow ? line * smallWidth + i : i * smallWidth + line)] as number;
        [sum, squares, all] = [sum + level, squares + level * level, all + 1];
      }
    const mean = sum / all;
    return mean < barLevel && squares / all - mean * mean < barDeviation ** 2;
  };
  const depth = (length: number, isRow: boolean, isFromEnd: boolean) => {
    const most = Math.floor(mostBar * length);
    let bars = 0;
    while (bars < most && isBar(isFromEnd ? length - 1 - bars : bars, isRow)) bars++;
    return bars / length;
  };
  const [left, right] = [depth(smallWidth, false, false), depth(smallWidth, false, true)];
  const [top, bottom] = [depth(smallHeight, true, false), depth(smallHeight, true, true)];
  return { left, top, width: 1 - left - right, height: 1 - top - bottom };
}
