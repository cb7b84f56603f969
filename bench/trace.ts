import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { openWalls } from '#engines/children/walls.ts';
import { type MadePhoto, openPhotoDecoder, type PhotoDecoder } from '#features/media/decoding/photo-decoder.ts';
import { grantSeed, linkSeed } from '#features/media/formats/codeword.ts';
import { newMediaKey } from '#features/media/formats/keys.ts';
import { photoTracks } from '#features/media/formats/photo-shapes.ts';
import type { Candidate, Leak, Suspect } from '#features/tracing/findings.ts';
import { openTracer, type Tracer } from '#features/tracing/photos/tracer.ts';
import { judge } from '#features/tracing/verdict/judge.ts';
import { openScore } from '#features/tracing/verdict/score.ts';
import { drawTiles } from '#tests/support/media/open-pack.ts';
import { type Figure, median } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { findPhotos } from './support/photos.ts';
import { costOf } from './support/process-tree.ts';

const viewers = 1000;

interface Stored {
  photo: MadePhoto;
  mediaKey: Buffer;
  mediaId: string;
}

async function store(decoder: PhotoDecoder, file: string): Promise<Stored> {
  const [bytes, mediaKey] = [readFileSync(file), newMediaKey()];
  const made = await decoder.ingest({ mediaKey, sizeBytes: bytes.length, openOriginal: () => Readable.from([bytes]) });
  if (made.outcome === 'failed') throw new Error(`${file}: ${made.code}`);
  return { photo: made.photo, mediaKey, mediaId: randomUUID() };
}

const packOf = ({ photo }: Stored, track: string) => {
  const pack = photo.packs.find((each) => each.track === track);
  if (!pack) throw new Error(`no ${track}`);
  return pack;
};

/** What messengers make of it; which variants it shows costs nothing, so it is A everywhere. */
async function leakOf(stored: Stored, isCut: boolean): Promise<Buffer> {
  const pack = packOf(stored, 'p2048');
  const { width, height } = pack.header;
  const raw = { width, height, channels: 3 } as const;
  const view = sharp(await drawTiles(pack, stored.mediaKey, 1), { raw });
  const [left, top] = [width >> 2, height >> 2];
  const shown = isCut ? view.extract({ left, top, width: width >> 1, height: height >> 1 }) : view.resize(1080);
  return shown.jpeg({ quality: 70 }).toBuffer();
}

async function trace(tracer: Tracer, stored: Stored, bytes: Buffer, suspects: readonly Suspect[]): Promise<void> {
  const leak: Leak = { sizeBytes: bytes.length, open: () => Readable.from([bytes]) };
  const candidate: Candidate = {
    mediaId: stored.mediaId,
    blockhash: stored.photo.blockhash,
    mirroredBlockhash: stored.photo.mirroredBlockhash,
    mediaKey: async () => stored.mediaKey,
    forms: [photoTracks],
    pack: async (track) => packOf(stored, track).bytes,
  };
  const print = await tracer.fingerprint(leak);
  if (print.outcome === 'failed') throw new Error(print.words);
  const read = await tracer.read(leak, print.result.blockhash, [candidate]);
  if (read.outcome === 'failed' || read.result.items.length === 0) throw new Error('a leak that was not found');
  const readings = read.result.items.flatMap((item) => item.readings);
  judge(readings, suspects, { candidates: read.result.compared, earlierTraces: 0 });
}

/** P20b: what it costs to find out where a leak came from. */
export async function measure({ rounds, photos, photoCount }: BenchOptions): Promise<Figure[]> {
  const files = (await findPhotos(photos, photoCount)).slice(0, 4);
  const walls = await openWalls({ hidden: [] });
  const decoder = openPhotoDecoder(walls);
  const traceKey = randomBytes(32);
  const suspects = Array.from({ length: viewers }, (_, n) => {
    const [grantId, linkId] = [`grant ${n}`, `link ${n}`];
    return { grantId, grantSeed: grantSeed(traceKey, grantId), link: { linkId, linkSeed: linkSeed(traceKey, linkId) } };
  });
  const items: Stored[] = [];
  for (const file of files) items.push(await store(decoder, file));
  await decoder.close();
  const [whole, cut, first]: [number[], number[], number[]] = [[], [], []];
  const measureOne = async (tracer: Tracer, stored: Stored, isCut: boolean) => {
    const bytes = await leakOf(stored, isCut);
    const { cost } = await costOf(process.pid, () => trace(tracer, stored, bytes, suspects));
    say(`${isCut ? 'a quarter of a photo' : 'a whole photo'}: ${cost.app.toFixed(2)} CPU-s`);
    return cost.app;
  };
  for (let round = 0; round < rounds; round++) {
    const tracer = openTracer(walls);
    if (items[0]) first.push(await measureOne(tracer, items[0], false));
    for (const stored of items) whole.push(await measureOne(tracer, stored, false));
    for (const stored of items) cut.push(await measureOne(tracer, stored, true));
    await tracer.close();
  }
  const scoring = measureScoring();
  const figure = { part: 'trace', figure: 'P20b', unit: 'CPU-s' };
  const bound = { gate: 8, goal: 4, better: 'less', of: 'value', sets: 'print' } as const;
  return [
    { ...figure, what: `one whole copy against its photo, ${viewers} viewers`, ours: median(whole), bound },
    { ...figure, what: 'a quarter of a photo, found by its features', ours: median(cut), bound },
    { ...figure, what: 'the first copy, with the start of its child', ours: median(first), bound },
    { part: 'trace', figure: 'P20b', what: 'a million codewords scored', unit: 'CPU-s', ours: scoring },
  ];
}

function measureScoring(): number {
  const codewords = randomFillSync(new Uint8Array(32e6));
  const evidence = Float64Array.from({ length: 252 }, () => Math.random() * 6 - 3);
  const before = process.cpuUsage();
  const score = openScore(evidence);
  let best = 0;
  for (let at = 0; at < codewords.length; at += 32) best = Math.max(best, score(codewords, at));
  const { user, system } = process.cpuUsage(before);
  return best > 0 ? (user + system) / 1e6 : Number.NaN;
}
