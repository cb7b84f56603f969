import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { sayColours } from '#tests/support/media/avif-colours.ts';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { codedOf, type Patch, patchPx, sdrOf } from '#tests/support/media/hdr-clips.ts';
import { makeHeic } from '#tests/support/media/heic.ts';
import { drawUnmarked } from '#tests/support/media/open-pack.ts';
import { sayPngColours } from '#tests/support/media/png-colours.ts';
import { newMediaKey } from '../formats/keys.ts';
import { openPhotoDecoder } from './photo-decoder.ts';

if (!canDrawClips) warnNoClips();

const decoder = openPhotoDecoder(await openWalls({ hidden: [] }));
afterAll(() => decoder.close());

type Colour = readonly [red: number, green: number, blue: number];

/** Colours side by side, each a patch, as they are coded in 8 bits. */
const draw = (colours: readonly Colour[]) => {
  const width = colours.length * patchPx;
  const row = colours.flatMap((colour) => Array.from({ length: patchPx }, () => colour).flat());
  const levels = Buffer.from(Array.from({ length: patchPx }, () => row).flat());
  return sharp(levels, { raw: { width, height: patchPx, channels: 3 } });
};
/** As AVIF that says which colours its levels are, in the numbers of ITU-T H.273. */
async function drawAvif(colours: readonly Colour[], primaries: number, transfer: number): Promise<Buffer> {
  const lossless = { quality: 100, chromaSubsampling: '4:4:4', effort: 0 } as const;
  return sayColours(await draw(colours).avif(lossless).toBuffer(), primaries, transfer);
}
/** The middle of each patch of what a viewer is given. */
async function show(photo: Buffer, count: number): Promise<number[][]> {
  const mediaKey = newMediaKey();
  const order = { mediaKey, sizeBytes: photo.length, openOriginal: () => Readable.from([photo]) };
  const made = await decoder.ingest(order);
  if (made.outcome === 'failed') throw new Error(`${made.code}: ${made.words}`);
  const [pack] = made.photo.packs.filter(({ track }) => track === 'p2048');
  if (pack === undefined) throw new Error('There is no large picture.');
  const rgb = await drawUnmarked(pack, mediaKey);
  return Array.from({ length: count }, (_, n) => {
    const at = 3 * ((patchPx / 2) * count * patchPx + n * patchPx + patchPx / 2);
    return [...rgb.subarray(at, at + 3)];
  });
}
function expectColours(shown: number[][], wanted: readonly Colour[], mostOff: number): void {
  for (const [n, colour] of wanted.entries())
    for (const [channel, level] of colour.entries())
      expect(Math.abs((shown[n]?.[channel] ?? 0) - level), `patch ${n}: ${shown[n]} for ${colour}`).toBeLessThan(
        mostOff,
      );
}

/** Greys from shade to a lamp, and colours as they are around us, in candela a square metre. */
const patches: Patch[] = [
  [18, 18, 18],
  [100, 100, 100],
  [500, 500, 500],
  [120, 20, 15],
  [20, 90, 30],
  [15, 30, 150],
];
const transfers = { smpte2084: 16, 'arib-std-b67': 18 } as const;
const codings = ['smpte2084', 'arib-std-b67'] as const;
const coded = (coding: (typeof codings)[number]) =>
  patches.map((patch) => codedOf(patch, coding).map((level) => Math.round(255 * level)) as unknown as Colour);
const toned = patches.map(sdrOf);

describe('a photo in HDR is toned as a video is', () => {
  it.each(codings)('as AVIF of %s', async (coding) => {
    const photo = await drawAvif(coded(coding), 9, transfers[coding]);
    expectColours(await show(photo, patches.length), toned, 12);
  });

  it.each(codings)('as PNG of %s', async (coding) => {
    const photo = sayPngColours(await draw(coded(coding)).png().toBuffer(), 9, transfers[coding]);
    expectColours(await show(photo, patches.length), toned, 12);
  });

  it.each(codings)('as PNG of sixteen bits, of %s', async (coding) => {
    const deep = await draw(coded(coding)).toColourspace('rgb16').png().toBuffer();
    expect((await sharp(deep).metadata()).bitsPerSample).toBe(16);
    expectColours(await show(sayPngColours(deep, 9, transfers[coding]), patches.length), toned, 12);
  });

  it.each(codings)('as PNG of the narrow levels of films, of %s', async (coding) => {
    const narrow = coded(coding).map((colour) => colour.map((level) => Math.round(16 + (219 * level) / 255)));
    const levels = await draw(narrow as unknown as Colour[])
      .png()
      .toBuffer();
    expectColours(await show(sayPngColours(levels, 9, transfers[coding], false), patches.length), toned, 14);
  });

  it.runIf(canDrawClips).each(codings)('as HEIC of ten bits, of %s', async (coding) => {
    const colours = { primaries: 9, transfer: transfers[coding], bits: 10 } as const;
    const photo = await makeHeic(await draw(coded(coding)).png().toBuffer(), colours);
    expectColours(await show(photo, patches.length), toned, 14);
  });
});

describe('a photo of Display P3 that says so in numbers is shown in its colours', () => {
  /** The same colours in sRGB and in Display P3 (SMPTE EG 432-1, CSS Color 4 §17). */
  const inSrgb: Colour[] = [
    [128, 128, 128],
    [200, 60, 40],
    [60, 160, 80],
    [50, 70, 180],
  ];
  const inP3: Colour[] = inSrgb.map((colour) => {
    const [r, g, b] = colour.map((level) => {
      const code = level / 255;
      return code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4;
    }) as unknown as Colour;
    const light = [0.822462 * r + 0.177538 * g, 0.033194 * r + 0.966806 * g, 0.017083 * r + 0.072397 * g + 0.91052 * b];
    return light.map((value) => Math.round(255 * (1.055 * value ** (1 / 2.4) - 0.055))) as unknown as Colour;
  });

  it('as AVIF', async () => {
    expectColours(await show(await drawAvif(inP3, 12, 13), inP3.length), inSrgb, 6);
  });

  it.runIf(canDrawClips)('as HEIC', async () => {
    const photo = await makeHeic(await draw(inP3).png().toBuffer(), { primaries: 12, transfer: 13, bits: 8 });
    expectColours(await show(photo, inP3.length), inSrgb, 8);
  });

  it('as PNG', async () => {
    const photo = sayPngColours(await draw(inP3).png().toBuffer(), 12, 13);
    expectColours(await show(photo, inP3.length), inSrgb, 6);
  });

  it('and one of sRGB stays as it is', async () => {
    expectColours(await show(await drawAvif(inSrgb, 1, 13), inSrgb.length), inSrgb, 6);
  });
});
