import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPhotoDecoder } from '#features/media/decode-photo.ts';
import { photoLimits } from '#features/media/photo-limits.ts';
import type { Frame } from '#features/media/watermark/mask.ts';
import { judge } from '#features/tracing/verdict/judge.ts';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { plainPictures } from '#tests/support/media/plain-pictures.ts';
import { guards, isFull, printProof } from '../counts.ts';
import { type MarkedPhoto, markPhoto } from './marked-photos.ts';
import { type Library, newPerson, openLibrary, showPhoto } from './suspects.ts';
import { attacks } from './trace-attacks.ts';

guards(
  'src/features/tracing/photos/**',
  'src/features/tracing/imaging/**',
  'src/features/media/watermark/**',
  'src/features/media/packs/**',
);

/** Plain pictures – a night, line art, a page of a contract – of which encoders round the mark away, and which have hardly a feature. */
const wanted = isFull
  ? [
      'phone screenshot, PNG',
      'phone screenshot, JPEG 70',
      '0.5 × size, JPEG 85',
      'desktop screenshot, JPEG 85',
      'JPEG 70',
      '1080 px, JPEG 70',
    ]
  : ['phone screenshot, JPEG 70', '0.5 × size, JPEG 85'];
const chosen = attacks.filter(({ name }) => wanted.includes(name));
const shots: { name: string; frame: Frame }[] = plainPictures().map((frame) => ({ name: frame.name, frame }));
const marked: MarkedPhoto[] = [];
let library: Library;
let traced = 0;

/** The pictures that showed it first, where they are there. */
async function loadAwkward() {
  const beside = findCameraMaterial()?.[0]?.path;
  const decode = openPhotoDecoder(2048);
  for (const name of ['night.png', 'lineart.png']) {
    const file = beside && path.join(path.dirname(beside), 'awkward2', name);
    if (file && existsSync(file)) shots.push({ name, frame: (await decode(file, photoLimits)).frame });
  }
}
if (isFull) await loadAwkward();

beforeAll(async () => {
  for (const { name, frame } of shots) marked.push(await markPhoto(name, frame));
  library = await openLibrary(marked);
});
afterAll(async () => {
  await library.close();
  printProof('trace-plain', traced, { photos: shots.length, leaks: chosen.length * shots.length, named: traced });
});

describe.each(shots.map(({ name }, n) => [name, n] as const))('%s', (_name, n) => {
  it.each(chosen.map((attack) => [attack.name, attack] as const))(
    'names its link, and nobody else, after: %s',
    async (_, attack) => {
      const photo = marked[n] as MarkedPhoto;
      const seen = showPhoto(photo);
      const [leaker, ...others] = Array.from({ length: 2000 }, () => newPerson());
      if (!leaker) throw new Error('nobody');
      const view = await seen.view(leaker);
      const { items, compared } = await library.read(await attack.make(view, view));
      const readings = items.flatMap((item) => item.readings);
      expect(items.map(({ mediaId }) => mediaId)).toContain(photo.mediaId);
      const { outcome, links } = judge(readings, [leaker, ...others], { candidates: compared, earlierTraces: 0 });
      expect([outcome, links.map(({ linkId }) => linkId)]).toEqual(['traced', [leaker.link.linkId]]);
      traced++;
    },
  );
});
