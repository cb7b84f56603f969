/** The picture is 100 wide and 100 high; the page stretches it. */
export type ChartPoint = { x: number; y: number };

/** A round number at or above the largest value, so that the scale reads well: 1, 2, 4, 5 or 10 times a power of ten. */
export function pickScale(values: readonly number[]): number {
  const largest = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 4, 5, 10].find((times) => times * power >= largest) ?? 10;
  return step * power;
}

/** Where each value stands, left to right; a single one stands in the middle. */
export function placePoints(values: readonly number[], scale: number): ChartPoint[] {
  const last = values.length - 1;
  return values.map((value, at) => ({ x: last > 0 ? (at / last) * 100 : 50, y: 100 - (value / scale) * 100 }));
}

/** The line through the points, as an SVG path. */
export function drawLine(points: readonly ChartPoint[]): string {
  return points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
}

/** The area under the line. */
export function drawArea(points: readonly ChartPoint[]): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return '';
  return `${drawLine(points)}L${round(last.x)} 100L${round(first.x)} 100Z`;
}

function round(part: number): number {
  return Math.round(part * 100) / 100;
}

/** One part of a bar, in the picture. */
export type BarPart = { at: number; y: number; height: number };

/** Stands the parts of each bar upon each other, from the line of zero up, and what is below zero from there down. */
export function stackBars(bars: readonly (readonly number[])[]): {
  /** By part, then by bar. */
  parts: BarPart[][];
  zero: number;
  scale: number;
} {
  const sum = (bar: readonly number[], sign: 1 | -1) => bar.reduce((all, value) => all + Math.max(0, sign * value), 0);
  const scale = pickScale(bars.map((bar) => sum(bar, 1)));
  const below = Math.max(0, ...bars.map((bar) => sum(bar, -1)));
  const zero = (scale / (scale + below)) * 100;
  const parts: BarPart[][] = [];
  for (const [at, bar] of bars.entries()) {
    const ends = { up: 0, down: 0 };
    for (const [part, value] of bar.entries()) {
      const side = value < 0 ? 'down' : 'up';
      const from = ends[side];
      ends[side] += Math.abs(value);
      const height = (Math.abs(value) / (scale + below)) * 100;
      const top = side === 'up' ? ends.up : -from;
      parts[part] ??= [];
      if (value !== 0) parts[part].push({ at, y: round(zero - (top / (scale + below)) * 100), height: round(height) });
    }
  }
  return { parts, zero: round(zero), scale };
}
