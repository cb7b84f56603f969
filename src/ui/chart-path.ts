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
