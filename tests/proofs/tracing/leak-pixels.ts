import sharp, { type Sharp } from 'sharp';
import type { Frame } from '#features/media/watermark/mask.ts';

/** What happens to copies on their way, where no library does it: pasting, warping, noise. */

export const open = ({ width, height, rgb }: Frame): Sharp => sharp(rgb, { raw: { width, height, channels: 3 } });

/** The pixels of a picture that was worked on. */
export async function pixelsOf(picture: Sharp): Promise<Frame> {
  const { data, info } = await picture.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

export const canvasOf = (width: number, height: number, level: number): Frame => ({
  width,
  height,
  rgb: Buffer.alloc(3 * width * height, level),
});

/** Lays a picture into a canvas. */
export function paste(canvas: Frame, { width, height, rgb }: Frame, left: number, top: number): void {
  for (let y = 0; y < height; y++)
    canvas.rgb.set(rgb.subarray(3 * y * width, 3 * (y + 1) * width), 3 * ((top + y) * canvas.width + left));
}

/** A copy whose every level is changed. @param change gets the level, the pixel's place and the channel */
export function recolour(
  { width, height, rgb }: Frame,
  change: (level: number, x: number, y: number, channel: number) => number,
): Frame {
  const levels = new Uint8ClampedArray(rgb.length);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++, i++) levels[i] = change(rgb[i] as number, x, y, channel);
  return { width, height, rgb: Buffer.from(levels.buffer) };
}

/** Nearly Gaussian noise of this deviation. */
export function noiseOf(random: () => number, deviation: number): () => number {
  return () => (random() + random() + random() - 1.5) * 2 * deviation;
}

/** Opaque discs and bars until a share of the picture is covered. */
export function coverWithStickers({ width, height, rgb }: Frame, share: number, random: () => number): Frame {
  const covered = { width, height, rgb: Buffer.from(rgb) };
  const isCovered = new Uint8Array(width * height);
  let count = 0;
  while (count < share * width * height) {
    const [x, y, r] = [random() * width, random() * height, (0.04 + 0.06 * random()) * Math.min(width, height)];
    const colour = [256 * random(), 256 * random(), 256 * random()];
    const isIn = random() < 0.4 ? () => true : (px: number, py: number) => (px - x) ** 2 + (py - y) ** 2 <= r * r;
    for (const at of squareAround(covered, x, y, r)) {
      if (!isIn(at % width, Math.floor(at / width))) continue;
      covered.rgb.set(colour, 3 * at);
      if (!isCovered[at]) count++;
      isCovered[at] = 1;
    }
  }
  return covered;
}

function* squareAround({ width, height }: Frame, x: number, y: number, r: number): Generator<number> {
  for (let py = Math.max(0, Math.floor(y - r)); py < Math.min(height, y + r); py++)
    for (let px = Math.max(0, Math.floor(x - r)); px < Math.min(width, x + r); px++) yield py * width + px;
}

/**
 * A picture seen by a camera: its corners come to lie at the given places of a canvas (shares of it, clockwise from the upper
 * left), everything else is `level`.
 */
export function seenFrom(
  { width, height, rgb }: Frame,
  canvas: { width: number; height: number },
  corners: readonly (readonly [number, number])[],
  level: number,
): Frame {
  const toPicture = projection(
    corners.map(([x, y]) => [x * canvas.width, y * canvas.height] as const),
    width - 1,
    height - 1,
  );
  const seen = canvasOf(canvas.width, canvas.height, level);
  for (let y = 0; y < canvas.height; y++)
    for (let x = 0; x < canvas.width; x++) {
      const [u, v] = toPicture(x, y);
      if (!(u >= 0 && v >= 0 && u < width - 1 && v < height - 1)) continue;
      const [left, top] = [Math.floor(u), Math.floor(v)];
      const [fx, fy] = [u - left, v - top];
      for (let channel = 0; channel < 3; channel++) {
        const at = 3 * (top * width + left) + channel;
        const above = (rgb[at] as number) * (1 - fx) + (rgb[at + 3] as number) * fx;
        const below = (rgb[at + 3 * width] as number) * (1 - fx) + (rgb[at + 3 * width + 3] as number) * fx;
        seen.rgb[3 * (y * canvas.width + x) + channel] = above * (1 - fy) + below * fy;
      }
    }
  return seen;
}

/** From a quadrangle back to a rectangle (Heckbert 1989, the square-to-quadrilateral case, turned round). */
function projection(
  corners: readonly (readonly [number, number])[],
  right: number,
  bottom: number,
): (x: number, y: number) => [number, number] {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners as [P, P, P, P];
  const [dx1, dx2, dy1, dy2] = [x1 - x2, x3 - x2, y1 - y2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const area = dx1 * dy2 - dx2 * dy1;
  const [g, h] = [(sx * dy2 - dx2 * sy) / area, (dx1 * sy - sx * dy1) / area];
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
  return (x, y) => {
    const [p, q, r, s] = [a - g * x, b - h * x, d - g * y, e - h * y];
    const [m, n] = [x - c, y - f];
    const size = p * s - q * r;
    return [(right * (m * s - q * n)) / size, (bottom * (p * n - m * r)) / size];
  };
}
type P = readonly [number, number];
