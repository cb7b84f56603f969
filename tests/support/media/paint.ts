import sharp from 'sharp';

/** A painted picture: interleaved RGB, 8 bits a channel. */
export interface Painting {
  width: number;
  height: number;
  rgb: Buffer;
}

/** What a camera would write beside the pixels; the position is that of the canary that no viewer may ever find. */
export const cameraExif = {
  IFD0: { Make: 'Paintbox', Model: 'PB-1', Software: '1.0', DateTime: '2024:05:06 07:08:09', Artist: 'Mara' },
  IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', BodySerialNumber: 'SN-0815' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '48/1 51/1 2990/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '2/1 17/1 4020/100',
  },
};

/**
 * A picture that is as busy as a photograph: a sky, a hilly ground with grain, discs with edges, shadows. The same seed
 * paints the same picture everywhere.
 */
export function paint(seed: number, width: number, height: number): Painting {
  const random = generator(seed);
  const rgb = Buffer.alloc(3 * width * height);
  const size = Math.min(width, height);
  const discs = Array.from({ length: 14 }, () => ({
    x: random() * width,
    y: random() * height,
    r: (0.03 + 0.12 * random()) * size,
    colour: [255 * random(), 255 * random(), 255 * random()] as const,
  }));
  const [hills, tint, phase] = [2 + 4 * random(), 40 * random(), 6 * random()];
  const horizon = Float64Array.from(
    { length: width },
    (_, x) => height * (0.45 + 0.08 * Math.sin(phase + (hills * 6.28 * x) / width)),
  );
  for (let y = 0, i = 0; y < height; y++) {
    const high = (90 * y) / height;
    const sky = [150 + high, 170 + high, 210 + high] as const;
    const shade = Math.sin(y / 23) ** 2;
    const near = discs.filter((each) => (y - each.y) ** 2 < each.r ** 2);
    for (let x = 0; x < width; x++, i += 3) {
      const isSky = y < (horizon[x] ?? 0);
      const grain = (random() - 0.5) * (isSky ? 4 : 70);
      const disc = near.find((each) => (x - each.x) ** 2 + (y - each.y) ** 2 < each.r ** 2);
      const light = 40 + 90 * Math.sin(x / 37) * shade;
      const [red, green, blue] = disc?.colour ?? (isSky ? sky : [light, light + 30, light - tint]);
      rgb[i] = clamp(red + grain);
      rgb[i + 1] = clamp(green + grain);
      rgb[i + 2] = clamp(blue + grain);
    }
  }
  return { width, height, rgb };
}

/** A painting as sharp sees it. */
export function openPainting({ width, height, rgb }: Omit<Painting, 'rgb'> & { rgb: Uint8Array }) {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

/** A painting as a camera's JPEG, with its position, its device and its time inside. */
export function paintJpeg(seed: number, width: number, height: number, orientation = 1): Promise<Buffer> {
  return openPainting(paint(seed, width, height))
    .jpeg({ quality: 92 })
    .withMetadata({ orientation })
    .withExifMerge(cameraExif)
    .toBuffer();
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}

/** Small and even enough for painting (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A picture of something else, as a JPEG: all painted ones have the same hills. */
export function drawStranger(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const drawn = sharp({ create: { width, height, channels: 3, background: '#888', noise } });
  return drawn.blur(5).normalise().jpeg().toBuffer();
}

/** A picture of one colour, as a PNG: nothing in it is found anywhere, so comparing it is hardly any work. */
export function drawEven(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#868' } })
    .png()
    .toBuffer();
}
