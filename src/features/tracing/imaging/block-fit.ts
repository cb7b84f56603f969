import { openLikeness } from './likeness.ts';
import type { Luma } from './luma.ts';

/** A part of a picture, in pixels; right and bottom are outside. */
export interface Block {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What is compared block by block: the filtered original, the leak laid over it, and the mark. */
export interface Layers {
  picture: Luma;
  leak: Luma;
  mark: Luma;
}

/** What one block says about the mark. */
export interface BlockFit {
  /** Covariance of leak and mark, and the mark's own energy, both after everything explicable was taken out. */
  agreement: number;
  energy: number;
  /** The same with the mark mirrored, less what that has of the mark: it is not in the picture, and measures the noise. */
  decoy: number;
  decoyEnergy: number;
  /** Of what is left of the leak. */
  variance: number;
  /** Whether the leak shows the picture here at all, and not a sticker, a bar or a frame. */
  isShown: boolean;
}

const terms = 8;
/** Grey levels of one unit of the picture's own term. */
const pictureUnit = 64;
/** The most pixels of a block; tiles are cut into blocks of about 32 px. */
const mostPixels = 64 * 64;
/** Text and stickers must not shout: what is left counts up to so many deviations. */
const loudest = 2.5;
/** Rounding alone leaves so much. */
const leastVariance = 0.3;

/**
 * Explains the leak by the picture and its derivatives – gain, offset, gradients, sub-pixel shift, blur and sharpening – by least
 * squares, and compares what is left with the mark after the same was taken out of it.
 */
export function openBlockFit({ picture, leak, mark }: Layers): (block: Block) => BlockFit {
  const rows = new Float64Array(terms * mostPixels);
  const [rest, markRest] = [new Float64Array(mostPixels), new Float64Array(mostPixels)];
  return (block) => {
    const count = (block.right - block.left) * (block.bottom - block.top);
    writeTerms(picture, block, rows);
    readBlock(leak, block, rest);
    readBlock(mark, block, markRest);
    const isShown = isPictureShown(rows, count, rest);
    const system = normalMatrix(rows, count);
    subtractFit(rows, count, rest, solve(system, project(rows, count, rest)));
    subtractFit(rows, count, markRest, solve(system, project(rows, count, markRest)));
    return { ...compare(rest, markRest, block), isShown };
  };
}

function writeTerms({ width, values }: Luma, { left, top, right, bottom }: Block, rows: Float64Array): void {
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  for (let y = top, at = 0; y < bottom; y++)
    for (let x = left; x < right; x++, at += terms) {
      const i = y * width + x;
      const here = values[i] as number;
      const [before, next] = [values[i - 1] as number, values[i + 1] as number];
      const [above, below] = [values[i - width] as number, values[i + width] as number];
      const [dx, dy] = [(x - middleX) / 16, (y - middleY) / 16];
      rows[at] = 1;
      rows[at + 1] = dx;
      rows[at + 2] = dy;
      rows[at + 3] = here / pictureUnit;
      rows[at + 4] = (next - before) / 8;
      rows[at + 5] = (below - above) / 8;
      rows[at + 6] = (4 * here - next - before - above - below) / 8;
      rows[at + 7] = dx * dy;
    }
}

function readBlock({ width, values }: Luma, { left, top, right, bottom }: Block, into: Float64Array): void {
  for (let y = top, at = 0; y < bottom; y++, at += right - left)
    into.set(values.subarray(y * width + left, y * width + right), at);
}

/** Compares the leak with the picture, which is the fourth term; a plain place is taken for what it should be. */
function isPictureShown(rows: Float64Array, count: number, leak: Float64Array): boolean {
  const likeness = openLikeness();
  for (let i = 0; i < count; i++) likeness.add(pictureUnit * (rows[terms * i + 3] as number), leak[i] as number);
  return likeness.isAlike() ?? true;
}

/** Sums of the products of all terms, slightly regularised so that a plain block has a solution as well. */
function normalMatrix(rows: Float64Array, count: number): Float64Array {
  const matrix = new Float64Array(terms * terms);
  for (let at = 0; at < terms * count; at += terms)
    for (let a = 0; a < terms; a++) {
      const value = rows[at + a] as number;
      for (let b = a; b < terms; b++)
        matrix[a * terms + b] = (matrix[a * terms + b] as number) + value * (rows[at + b] as number);
    }
  for (let a = 0; a < terms; a++) {
    matrix[a * terms + a] = (matrix[a * terms + a] as number) * 1.0001 + 0.01;
    for (let b = 0; b < a; b++) matrix[a * terms + b] = matrix[b * terms + a] as number;
  }
  return matrix;
}

function project(rows: Float64Array, count: number, values: Float64Array): Float64Array {
  const sums = new Float64Array(terms);
  for (let i = 0, at = 0; i < count; i++, at += terms) {
    const value = values[i] as number;
    for (let a = 0; a < terms; a++) sums[a] = (sums[a] as number) + (rows[at + a] as number) * value;
  }
  return sums;
}

/** Gauss's elimination; the matrix is symmetric and positive, so no pivot is looked for. */
function solve(system: Float64Array, right: Float64Array): Float64Array {
  const [matrix, values] = [system.slice(), right];
  for (let i = 0; i < terms; i++)
    for (let j = i + 1; j < terms; j++) {
      const factor = (matrix[j * terms + i] as number) / (matrix[i * terms + i] as number);
      for (let k = i; k < terms; k++)
        matrix[j * terms + k] = (matrix[j * terms + k] as number) - factor * (matrix[i * terms + k] as number);
      values[j] = (values[j] as number) - factor * (values[i] as number);
    }
  for (let i = terms - 1; i >= 0; i--) {
    let value = values[i] as number;
    for (let k = i + 1; k < terms; k++) value -= (matrix[i * terms + k] as number) * (values[k] as number);
    values[i] = value / (matrix[i * terms + i] as number);
  }
  return values;
}

function subtractFit(rows: Float64Array, count: number, values: Float64Array, weights: Float64Array): void {
  for (let i = 0, at = 0; i < count; i++, at += terms) {
    let value = values[i] as number;
    for (let a = 0; a < terms; a++) value -= (weights[a] as number) * (rows[at + a] as number);
    values[i] = value;
  }
}

function compare(
  rest: Float64Array,
  mark: Float64Array,
  { left, top, right, bottom }: Block,
): Omit<BlockFit, 'isShown'> {
  const [width, height] = [right - left, bottom - top];
  let squares = 0;
  for (let i = 0; i < width * height; i++) squares += (rest[i] as number) ** 2;
  const variance = squares / (width * height) + leastVariance;
  const most = loudest * Math.sqrt(variance);
  let [agreement, energy, mirrored, shared] = [0, 0, 0, 0];
  for (let row = 0; row < width * height; row += width)
    for (let x = 0; x < width; x++) {
      const value = Math.max(-most, Math.min(most, rest[row + x] as number));
      const d = mark[row + x] as number;
      agreement += value * d;
      energy += d * d;
      const opposite = mark[row + width - 1 - x] as number;
      mirrored += value * opposite;
      shared += d * opposite;
    }
  // A texture has much of itself in its mirror image, and a clear mark would be taken for noise.
  const own = energy > 0 ? shared / energy : 0;
  const [decoy, decoyEnergy] = [mirrored - own * agreement, energy - own * shared];
  return { agreement, energy, decoy, decoyEnergy, variance };
}
