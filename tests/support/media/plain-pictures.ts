import type { Painting } from './paint.ts';

/** Pictures of hardly anything but one level, in which an encoder keeps the least of a mark. */
export interface PlainPicture extends Painting {
  name: string;
}

type Box = readonly [left: number, top: number, right: number, bottom: number];

const page = (name: string, width: number, height: number, level: number): PlainPicture => ({
  name,
  width,
  height,
  rgb: Buffer.alloc(3 * width * height, level),
});

function fill({ width, rgb }: Painting, [left, top, right, bottom]: Box, level: number): void {
  for (let y = Math.round(top); y < Math.round(bottom); y++)
    rgb.fill(level, 3 * (y * width + Math.round(left)), 3 * (y * width + Math.round(right)));
}

/** A ring of this breadth, or a disc where it is as broad as its radius; its edges are soft. */
function drawRing({ width, rgb }: Painting, [x, y, radius, breadth]: readonly number[], level: number): void {
  const [cx, cy, r, b] = [x, y, radius, breadth] as [number, number, number, number];
  for (let py = Math.floor(cy - r - 2); py <= cy + r + 2; py++)
    for (let px = Math.floor(cx - r - 2); px <= cx + r + 2; px++) {
      const away = Math.hypot(px - cx, py - cy);
      const share = Math.max(0, Math.min(1, r - away + 0.5)) - Math.max(0, Math.min(1, r - b - away + 0.5));
      const i = 3 * (py * width + px);
      for (let channel = i; channel < i + 3; channel++)
        rgb[channel] = Math.round((rgb[channel] as number) * (1 - share) + level * share);
    }
}

/** A night: black, with a few lights far apart and a lit window. */
export function drawNight(width = 1024, height = 768): PlainPicture {
  const night = page('night', width, height, 0);
  for (const [x, y, r] of [
    [0.25, 0.25, 0.01],
    [0.69, 0.43, 0.005],
    [0.5, 0.75, 0.006],
  ] as const)
    drawRing(night, [x * width, y * height, r * width, r * width], 240);
  fill(night, [0.19 * width, 0.67 * height, 0.215 * width, 0.735 * height], 60);
  return night;
}

/** Line art: a black figure on white. */
export function drawLineArt(width = 1024, height = 768): PlainPicture {
  const drawn = page('line art', width, height, 255);
  const middle = width / 2;
  drawRing(drawn, [middle, 0.42 * height, 0.21 * height, 3], 0);
  for (const x of [0.47, 0.55]) drawRing(drawn, [x * width, 0.37 * height, 0.02 * height, 3], 0);
  fill(drawn, [middle - 2, 0.63 * height, middle + 2, 0.87 * height], 0);
  fill(drawn, [0.4 * width, 0.72 * height, 0.62 * width, 0.725 * height], 0);
  return drawn;
}

/** What looks like a letter in small print, its upper left corner there. */
function drawLetter(contract: Painting, [x, y]: readonly [number, number], random: () => number): void {
  fill(contract, [x, y, x + 2, y + 9], 20);
  const bar = random() < 0.5 ? y : y + 7;
  if (random() < 0.6) fill(contract, [x, bar, x + 5, bar + 2], 20);
  if (random() < 0.4) fill(contract, [x + 4, y + 3, x + 5, y + 9], 20);
}

/** A page of a contract: rows of small print on white. */
export function drawContract(width = 768, height = 1024): PlainPicture {
  const contract = page('contract', width, height, 255);
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  for (let y = 0.15 * height; y < 0.8 * height; y += 18) {
    const end = width * (random() < 0.2 ? 0.4 : 0.88);
    for (let x = 0.12 * width; x < end; x += 7) if (random() < 0.83) drawLetter(contract, [x, y], random);
  }
  fill(contract, [0.12 * width, 0.07 * height, 0.6 * width, 0.09 * height], 0);
  fill(contract, [0.5 * width, 0.9 * height, 0.9 * width, 0.902 * height], 0);
  return contract;
}

export const plainPictures = (): PlainPicture[] => [drawNight(), drawLineArt(), drawContract()];
