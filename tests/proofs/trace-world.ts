import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { grantSeed, linkSeed } from '#features/media/codeword.ts';
import type { Frame } from '#features/media/mask.ts';
import { type PhotoTrack, photoTracks } from '#features/media/photo-job.ts';
import type { Reading, Suspect } from '#features/tracing/evidence.ts';
import { lumaOf } from '#features/tracing/luma.ts';
import { openOpenCv } from '#features/tracing/open-cv.ts';
import { type Item, openItem, readItem } from '#features/tracing/read-item.ts';
import { openReferenceMaker, type Reference } from '#features/tracing/reference.ts';
import { openLeakPicture } from '#features/tracing/register.ts';
import { bitsOf, type MarkedPhoto, viewOf } from './marked-photos.ts';

const { cv } = await openOpenCv();
const makeReference = await openReferenceMaker();

/** Somebody with a link and a grant of their own. */
export type Person = Suspect & { link: NonNullable<Suspect['link']> };

const traceKey = randomBytes(32);

/** @param linkId a link that others have as well; a new one without it */
export function newPerson(linkId: string = randomUUID(), key = traceKey): Person {
  const grantId = randomUUID();
  return { grantId, grantSeed: grantSeed(key, grantId), link: { linkId, linkSeed: linkSeed(key, linkId) } };
}

export const seedsOf = ({ grantSeed, link }: Person) => ({ grantSeed, linkSeed: link.linkSeed });

/** A photo with references kept ready, so that a hundred leaks of it can be read. */
export interface TracedPhoto {
  photo: MarkedPhoto;
  /** What this person sees of it. */
  view(person: Person, track?: PhotoTrack): Promise<Frame>;
  /** Where these bits would be seen. */
  bits(person: Person, track?: PhotoTrack): Uint8Array;
  viewBits(bits: Uint8Array): Promise<Frame>;
  /** Registers and reads a leaked file; undefined when the photo is not found in it. */
  read(leak: Buffer): Promise<Reading[] | undefined>;
  close(): void;
}

export async function openTracedPhoto(photo: MarkedPhoto): Promise<TracedPhoto> {
  const references: Reference[] = [];
  for (const track of photoTracks)
    references.push(await makeReference(photo.packs[track].bytes, photo.mediaKey, track));
  const item: Item = openItem(cv, references);
  const bits = (person: Person, track: PhotoTrack = 'p2048') => bitsOf(photo, track, seedsOf(person));
  return {
    photo,
    bits,
    view: (person, track = 'p2048') => viewOf(photo, track, bits(person, track)),
    viewBits: (own) => viewOf(photo, 'p2048', own),
    async read(leak) {
      const picture = openLeakPicture(cv, lumaOf(await decodeLeak(leak)));
      const found = readItem(cv, picture, item);
      picture.delete();
      return found?.readings.map(({ z, visible }, n) => {
        const track = photoTracks[n] ?? 'p2048';
        const { columns, rows } = photo.packs[track].header;
        return { mediaId: photo.mediaId, track, columns, rows, z, visible };
      });
    },
    close: () => item.wanted.delete(),
  };
}

/** As the trace child does. */
async function decodeLeak(leak: Buffer): Promise<Frame> {
  const { data, info } = await sharp(leak)
    .autoOrient()
    .resize(2600, 2600, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}
