import { Readable } from 'node:stream';
import sharp, { type Sharp } from 'sharp';
import { mirrorBlockhash } from '#features/media/blockhash.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import { photoTracks } from '#features/media/formats/photo-shapes.ts';
import type { Candidate, FoundItem, Leak, TraceProgress } from '#features/tracing/findings.ts';
import type { openTracer } from '#features/tracing/photos/tracer.ts';
import { drawTiles } from '../media/open-pack.ts';
import { drawEven, paintJpeg } from '../media/paint.ts';
import { type MarkedPhoto, markPhoto } from '../media/pictures.ts';

const withInfo = { resolveWithObject: true } as const;

/** A photo as it is stored. */
export async function storePhoto(picture: Buffer): Promise<MarkedPhoto> {
  const { data: rgb, info } = await sharp(picture).toColourspace('srgb').removeAlpha().raw().toBuffer(withInfo);
  return markPhoto({ width: info.width, height: info.height, rgb });
}

export const candidateOf = (mediaId: string, { phash = '', mediaKey, packs }: MarkedPhoto): Candidate => ({
  mediaId,
  blockhash: phash,
  mirroredBlockhash: mirrorBlockhash(phash),
  mediaKey: async () => mediaKey,
  forms: [photoTracks],
  pack: async (track) => packs[track as 'p2048' | 'thumb512'],
});

export const leakOf = (bytes: Buffer): Leak => ({ sizeBytes: bytes.length, open: () => Readable.from([bytes]) });

/** Nothing like a painting, all of which have the same hills. */
export function drawClouds(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const drawn = sharp({ create: { width, height, channels: 3, background: '#888', noise } });
  return drawn.blur(5).normalise().jpeg().toBuffer();
}

/** What a viewer sees who got variant A everywhere: every tile that is read must be above zero. */
export const viewOf = ({ mediaKey, packs: { p2048: bytes } }: MarkedPhoto) =>
  drawTiles({ track: 'p2048', packId: '', bytes, header: readPackHeader(bytes) }, mediaKey, 1);

/** A photo that leaks, another one, and one that is no work to compare. */
export async function makeTracedPhotos() {
  const photo = await storePhoto(await paintJpeg(7, 1200, 900));
  const [mine, other] = [
    candidateOf('mine', photo),
    candidateOf('other', await storePhoto(await drawClouds(900, 900))),
  ];
  /** Nothing of it is found anywhere, and it has a shape of its own: hardly any work to compare. */
  const even = await drawEven(160, 64);
  const plain = candidateOf('plain', await storePhoto(even));
  const { width, height } = readPackHeader(photo.packs.p2048);
  const view = await viewOf(photo);
  const seen = (): Sharp => sharp(view, { raw: { width, height, channels: 3 } });
  /** The same photo, as far as its looks are told. */
  const looksLike = (mediaId: string, bits: number, candidate: Candidate = plain): Candidate => {
    const last = Number.parseInt(mine.blockhash?.at(-1) ?? '0', 16) ^ (2 ** bits - 1);
    const blockhash = `${mine.blockhash?.slice(0, -1)}${last.toString(16)}`;
    return { ...candidate, mediaId, blockhash, mirroredBlockhash: null };
  };
  return { photo, mine, other, even, plain, seen, looksLike };
}

/** Finds and reads a leak. @throws with the words of a failure */
export async function traceAll(
  tracer: ReturnType<typeof openTracer>,
  bytes: Buffer,
  candidates: readonly Candidate[],
  received: TraceProgress[] = [],
) {
  const print = await tracer.fingerprint(leakOf(bytes));
  if (print.outcome === 'failed') throw new Error(print.words);
  const read = await tracer.read(leakOf(bytes), print.result.blockhash, candidates, {
    onProgress: (progress) => received.push(progress),
  });
  if (read.outcome === 'failed') throw new Error(read.words);
  return read.result;
}

/** Of the tiles that say something, how many there are and the share that says variant A. */
export function tilesRead({ readings: [reading] }: FoundItem): { count: number; rightShare: number } {
  const clear = [...(reading?.z ?? [])].filter((z) => Math.abs(z) > 2);
  return { count: clear.length, rightShare: clear.filter((z) => z > 0).length / clear.length };
}
