/** Opaque pixels, row by row, four bytes each. */
export interface SoftColours {
  width: number;
  height: number;
  rgba: Uint8ClampedArray<ArrayBuffer>;
}

const clamp = (value: number) => 255 * Math.max(0, Math.min(1, value));

/** One brightness or colour as waves: how strong each is, and how many across and down. */
interface Waves {
  mean: number;
  strengths: number[];
  across: number;
  down: number;
}

/**
 * The soft colours that a thumbhash holds, at any size. Twenty of them are drawn before the first picture is there, on a slow
 * phone, so each cosine is computed once and not for every pixel.
 * @see https://evanw.github.io/thumbhash/ for the format; photos have no transparency, so it is left out
 */
export function softColours(hash: Uint8Array, width: number, height: number): SoftColours {
  const [light, yellow, red] = readWaves(hash).map((waves) => planeOf(waves, width, height)) as [Plane, Plane, Plane];
  const rgba = new Uint8ClampedArray(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const blue = at(light, i) - (2 / 3) * at(yellow, i);
    const warm = (3 * at(light, i) - blue + at(red, i)) / 2;
    rgba[4 * i] = clamp(warm);
    rgba[4 * i + 1] = clamp(warm - at(red, i));
    rgba[4 * i + 2] = clamp(blue);
    rgba[4 * i + 3] = 255;
  }
  return { width, height, rgba };
}

type Plane = Float32Array;
const at = (plane: Plane, i: number) => plane[i] ?? 0;

/** Adds the waves up, one after another, over all pixels. */
function planeOf({ mean, strengths, across, down }: Waves, width: number, height: number): Plane {
  const plane = new Float32Array(width * height).fill(mean);
  const [columns, rows] = [cosines(width, across), cosines(height, down)];
  for (const [i, [cx, cy]] of pairsOf(across, down).entries()) {
    const strength = 2 * (strengths[i] ?? 0);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        plane[y * width + x] =
          at(plane, y * width + x) + strength * at(columns, cx * width + x) * at(rows, cy * height + y);
  }
  return plane;
}

/** Returns which waves a hash holds: the slow ones, without the one that stands still. */
function pairsOf(across: number, down: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let cy = 0; cy < down; cy++)
    for (let cx = cy > 0 ? 0 : 1; cx * down < across * (down - cy); cx++) pairs.push([cx, cy]);
  return pairs;
}

/** cos(π/length · (place + ½) · wave), wave by wave. */
function cosines(length: number, waves: number): Plane {
  return Float32Array.from({ length: length * waves }, (_, i) =>
    Math.cos((Math.PI / length) * ((i % length) + 0.5) * Math.floor(i / length)),
  );
}

function readWaves(hash: Uint8Array): [Waves, Waves, Waves] {
  const byte = (at: number) => hash[at] ?? 0;
  const head = byte(0) | (byte(1) << 8) | (byte(2) << 16);
  const tail = byte(3) | (byte(4) << 8);
  const isSeeThrough = head >> 23 === 1;
  const most = isSeeThrough ? 5 : 7;
  const isWide = tail >> 15 === 1;
  let nibble = 2 * (isSeeThrough ? 6 : 5);
  const read = (mean: number, scale: number, across: number, down: number): Waves => {
    const strengths = pairsOf(across, down).map(() => {
      const value = (byte(nibble >> 1) >> (4 * (nibble & 1))) & 15;
      nibble++;
      return (value / 7.5 - 1) * scale;
    });
    return { mean, strengths, across, down };
  };
  const short = Math.max(3, tail & 7);
  // The format keeps colours a quarter too pale, because so few bits would exaggerate them.
  return [
    read((head & 63) / 63, ((head >> 18) & 31) / 31, isWide ? most : short, isWide ? short : most),
    read(((head >> 6) & 63) / 31.5 - 1, (1.25 * ((tail >> 3) & 63)) / 63, 3, 3),
    read(((head >> 12) & 63) / 31.5 - 1, (1.25 * ((tail >> 9) & 63)) / 63, 3, 3),
  ];
}
