import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { type MadePhoto, openPhotoDecoder, type PhotoOutcome } from '#features/media/decoding/photo-decoder.ts';
import { newMediaKey } from '#features/media/formats/keys.ts';
import { type CameraFile, findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { canDrawClips, drawClip } from '#tests/support/media/clips.ts';
import { chunksOf, distance, drawUnmarked, openTiles } from '#tests/support/media/open-pack.ts';
import { guards } from '../counts.ts';

guards('src/features/media/**', 'src/engines/children/**');

/** Real and broken photos of cameras: `PF_MEDIA` says where they lie. */
const files = findCameraMaterial() ?? [];
const decoder = openPhotoDecoder(await openWalls({ hidden: [] }));
afterAll(() => decoder.close());

const mediaKey = newMediaKey();
const ingest = ({ path }: CameraFile): Promise<PhotoOutcome> =>
  decoder.ingest({ mediaKey, sizeBytes: statSync(path).size, openOriginal: () => createReadStream(path) });
const make = async (name: string): Promise<MadePhoto> => {
  const file = files.find((each) => each.name === name);
  const made = file && (await ingest(file));
  if (made?.outcome !== 'made') throw new Error(`${name}: ${JSON.stringify(made)}`);
  return made.photo;
};
const draw = ({ packs }: MadePhoto, track: 'p2048' | 'thumb512') => {
  const pack = packs.find((each) => each.track === track);
  return pack ? drawUnmarked(pack, mediaKey) : Promise.reject(new Error(`no ${track}`));
};
const isPhoto = ({ sniffed, reference }: CameraFile) => !!sniffed?.startsWith('image/') && reference.startsWith('ok');

describe.skipIf(!files.length)('real and broken files of cameras', () => {
  describe('that a reference decoder takes', () => {
    for (const file of files.filter((each) => isPhoto(each) && !each.name.startsWith('orient__')))
      it(`${file.name} becomes a photo without a trace of its camera`, async () => {
        const made = await ingest(file);
        expect(made).toMatchObject({ outcome: 'made', photo: { mime: file.sniffed } });
        if (made.outcome !== 'made') return;
        const { packs, teaser } = made.photo;
        expect(teaser.length).toBeLessThan(1000);
        const clear = [teaser, ...packs.flatMap((pack) => openTiles(pack, mediaKey, 1))];
        expect(new Set(clear.flatMap(chunksOf))).toEqual(new Set(['VP8 ']));
        expect(Math.max(...packs.map(({ header }) => header.tiles))).toBeLessThanOrEqual(512);
      });
  });

  describe('that it refuses, or that are no photos', () => {
    for (const file of files.filter((each) => !isPhoto(each)))
      it(`${file.name} (${file.sniffed ?? 'nothing known'}) fails with a reason`, async () => {
        const codes = file.sniffed?.startsWith('image/') ? ['CORRUPT', 'TOO_BIG'] : ['UNSUPPORTED'];
        const result = await ingest(file);
        expect(codes).toContain(result.outcome === 'failed' ? result.code : result.outcome);
      });
  });

  it('turns all of nine orientations upright, so they come out equal', async () => {
    const frames = await Promise.all(
      Array.from({ length: 9 }, async (_, n) => draw(await make(`orient__Landscape_${n}.jpg`), 'thumb512')),
    );
    for (const [n, frame] of frames.entries())
      expect(distance(frame, frames[1] ?? frame), `orientation ${n}`).toBeLessThan(4);
  });

  it('shows Display P3, Ultra HDR and HEIC in the colours of a browser', async () => {
    const shown = await draw(await make('made__display_p3.jpg'), 'thumb512');
    const file = files.find(({ name }) => name === 'made__display_p3.jpg');
    const reference = await sharp(file?.path)
      .resize(512, 512, { fit: 'inside' })
      .toColourspace('srgb')
      .raw()
      .toBuffer();
    expect(distance(shown, reference)).toBeLessThan(4);
  });

  it('lays a portrait that a telephone stored on its side upright, with its true size', async () => {
    expect(await make('androidx__pixel-motion-photo-shortened.jpg')).toMatchObject({ width: 3024, height: 4032 });
    expect(await make('mdx__IMG_2927.HEIC')).toMatchObject({ width: 3024, height: 4032 });
  });

  it('tells what it removed', async () => {
    expect((await make('mdx__Samsung_SM-G935L_Galaxy_S7_Edge.jpg')).removed).toEqual(
      expect.arrayContaining(['device', 'location', 'thumbnail', 'time']),
    );
    expect((await make('androidx__pixel-motion-photo-shortened.jpg')).removed).toContain('video');
    expect((await make('immich__IMG_2682.heic')).removed).toEqual(['device', 'location', 'time']);
    expect((await make('made__animated.webp')).removed).toEqual([]);
  });
});

/** Drawn by the ffmpeg of the machine: in full colour and of ten bits it is the most that a decoder may have to hold. */
it.runIf(canDrawClips)('25 megapixels of AVIF are decoded, whatever their depth', { timeout: 600_000 }, async () => {
  const [width, height] = [5772, 4328];
  const quick = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', '-row-mt', '1', '-crf', '40'];
  const also = ['-frames:v', '1', '-pix_fmt', 'yuv444p10le', ...quick];
  const avif = drawClip({ seconds: 1, fps: 1, width, height, hasSound: false, ending: 'avif', also });
  const order = { mediaKey, sizeBytes: avif.length, openOriginal: () => Readable.from([avif]) };
  expect(await decoder.ingest(order)).toMatchObject({ outcome: 'made', photo: { width, height } });
});

it.skipIf(files.length)('needs real files of cameras: set PF_MEDIA to a folder with a manifest.json', () => {});
