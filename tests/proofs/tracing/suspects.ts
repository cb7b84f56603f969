import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { openWalls } from '#engines/children/walls.ts';
import { grantSeed, linkSeed } from '#features/media/formats/codeword.ts';
import { type PhotoTrack, photoTracks } from '#features/media/formats/photo-shapes.ts';
import type { Frame } from '#features/media/watermark/mask.ts';
import type { Candidate, ReadLeak, Suspect, Traced } from '#features/tracing/findings.ts';
import { openTracer } from '#features/tracing/photos/tracer.ts';
import { bitsOf, type MarkedPhoto, viewOf } from './marked-photos.ts';

/** Somebody with a link and a grant of their own. */
export type Person = Suspect & { link: NonNullable<Suspect['link']> };

const traceKey = randomBytes(32);

/** @param linkId a link that others have as well; a new one without it */
export function newPerson(linkId: string = randomUUID(), key = traceKey): Person {
  const grantId = randomUUID();
  return { grantId, grantSeed: grantSeed(key, grantId), link: { linkId, linkSeed: linkSeed(key, linkId) } };
}

export const seedsOf = ({ grantSeed, link }: Person) => ({ grantSeed, linkSeed: link.linkSeed });

/** A photo as its viewers see it. */
export interface SeenPhoto {
  photo: MarkedPhoto;
  /** Returns what this person sees of it. */
  view(person: Person, track?: PhotoTrack): Promise<Frame>;
  /** Where these bits would be seen. */
  bits(person: Person, track?: PhotoTrack): Uint8Array;
  viewBits(bits: Uint8Array): Promise<Frame>;
}

export function showPhoto(photo: MarkedPhoto): SeenPhoto {
  const bits = (person: Person, track: PhotoTrack = 'p2048') => bitsOf(photo, track, seedsOf(person));
  return {
    photo,
    bits,
    view: (person, track = 'p2048') => viewOf(photo, track, bits(person, track)),
    viewBits: (own) => viewOf(photo, 'p2048', own),
  };
}

/** The photos of one creator, among which every leak is looked for. */
export interface Library {
  /** Finds and reads a leaked file as a trace does: the product's own tracer, in its own child, which knows no photo before. */
  read(leak: Buffer): Promise<ReadLeak>;
  close(): Promise<void>;
}

export async function openLibrary(photos: readonly MarkedPhoto[]): Promise<Library> {
  const tracer = openTracer(await openWalls({ hidden: [] }));
  const candidates = photos.map(candidateOf);
  return {
    async read(bytes) {
      const leak = { sizeBytes: bytes.length, open: () => Readable.from([bytes]) };
      const { blockhash } = must(await tracer.fingerprint(leak));
      return must(await tracer.read(leak, blockhash, candidates));
    },
    close: () => tracer.close(),
  };
}

const candidateOf = ({ mediaId, blockhash, mirroredBlockhash, mediaKey, packs }: MarkedPhoto): Candidate => ({
  mediaId,
  blockhash,
  mirroredBlockhash,
  mediaKey: async () => mediaKey,
  forms: [photoTracks],
  pack: async (track) => packs[track as PhotoTrack].bytes,
});

/** @throws Error when the leak could not be opened: each of ours can */
function must<T>(traced: Traced<T>): T {
  if (traced.outcome === 'failed') throw new Error(`${traced.code}: ${traced.words}`);
  return traced.result;
}
