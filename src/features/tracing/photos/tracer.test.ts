import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { mirrorBlockhash } from '#features/media/blockhash.ts';
import { readPackHeader } from '#features/media/pack.ts';
import { photoLimits } from '#features/media/photo-limits.ts';
import { photoTracks } from '#features/media/photo-shapes.ts';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { chunksOf, drawTiles } from '#tests/support/media/open-pack.ts';
import { drawEven, openPainting, paint, paintJpeg } from '#tests/support/media/paint.ts';
import { type MarkedPhoto, markPhoto } from '#tests/support/media/pictures.ts';
import type { Candidate, FoundItem, Leak, TraceProgress } from '../findings.ts';
import type { MatchPlace } from '../work/match-checkpoint.ts';
import { openTracer } from './tracer.ts';

vi.setConfig({ testTimeout: 300_000 });
const planted = fileURLToPath(new URL('../../../../tests/support/planted/planted-tracer-child.ts', import.meta.url));
const walls = await openWalls({ hidden: [], readable: [planted] });
const tracer = openTracer(walls);
/** A photo as it is stored. */
async function store(picture: Buffer): Promise<MarkedPhoto> {
  const { data: rgb, info } = await sharp(picture).toColourspace('srgb').removeAlpha().raw().toBuffer(withInfo);
  return markPhoto({ width: info.width, height: info.height, rgb });
}
const withInfo = { resolveWithObject: true } as const;

const candidateOf = (mediaId: string, { phash = '', mediaKey, packs }: MarkedPhoto): Candidate => ({
  mediaId,
  blockhash: phash,
  mirroredBlockhash: mirrorBlockhash(phash),
  mediaKey: async () => mediaKey,
  forms: [photoTracks],
  pack: async (track) => packs[track as 'p2048' | 'thumb512'],
});

const leakOf = (bytes: Buffer): Leak => ({ sizeBytes: bytes.length, open: () => Readable.from([bytes]) });

/** Nothing like a painting, all of which have the same hills. */
function clouds(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const drawn = sharp({ create: { width, height, channels: 3, background: '#888', noise } });
  return drawn.blur(5).normalise().jpeg().toBuffer();
}

const photo = await store(await paintJpeg(7, 1200, 900));
const [mine, other] = [candidateOf('mine', photo), candidateOf('other', await store(await clouds(900, 900)))];
/** Nothing of it is found anywhere, and it has a shape of its own: hardly any work to compare. */
const even = await drawEven(160, 64);
const plain = candidateOf('plain', await store(even));
/** What a viewer sees who got variant A everywhere: every tile that is read must be above zero. */
const view = ({ mediaKey, packs: { p2048: bytes } }: MarkedPhoto) =>
  drawTiles({ track: 'p2048', packId: '', bytes, header: readPackHeader(bytes) }, mediaKey, 1);
const { width, height } = readPackHeader(photo.packs.p2048);
const viewOfMine = await view(photo);
const seen = (): Sharp => sharp(viewOfMine, { raw: { width, height, channels: 3 } });

afterAll(() => tracer.close());

async function traceAll(bytes: Buffer, candidates: readonly Candidate[], heard: TraceProgress[] = []) {
  const print = await tracer.fingerprint(leakOf(bytes));
  if (print.outcome === 'failed') throw new Error(print.words);
  const read = await tracer.read(leakOf(bytes), print.result.blockhash, candidates, {
    onProgress: (progress) => heard.push(progress),
  });
  if (read.outcome === 'failed') throw new Error(read.words);
  return read.result;
}

/** Of the tiles that say something, how many there are and the share that says variant A. */
function tilesRead({ readings: [reading] }: FoundItem): { count: number; rightShare: number } {
  const clear = [...(reading?.z ?? [])].filter((z) => Math.abs(z) > 2);
  return { count: clear.length, rightShare: clear.filter((z) => z > 0).length / clear.length };
}

describe('a leak', () => {
  it('has a fingerprint near that of its item, and a preview without anything but pixels', async () => {
    const leak = await paintJpeg(7, 1200, 900, 6);
    const print = await tracer.fingerprint(leakOf(leak));
    if (print.outcome === 'failed') throw new Error(print.words);
    const { preview, blockhash, ...rest } = print.result;
    expect(rest).toEqual({ mime: 'image/jpeg', width: 900, height: 1200 });
    expect(blockhash).toMatch(/^[0-9a-f]{64}$/);
    expect(chunksOf(preview)).toEqual(['VP8 ']);
    expect(await sharp(preview).metadata()).toMatchObject({ width: 768, height: 1024 });
  });

  it('that was saved again is found by its looks and read in both renditions', async () => {
    const heard: TraceProgress[] = [];
    const { items, compared } = await traceAll(await seen().jpeg({ quality: 60 }).toBuffer(), [other, mine], heard);
    expect(items.map(({ mediaId, isMirrored }) => [mediaId, isMirrored])).toEqual([['mine', false]]);
    expect(compared).toBe(1);
    const [item] = items as [FoundItem];
    expect(item.readings.map(({ track, columns, rows }) => [track, columns, rows])).toEqual([
      ['p2048', 18, 14],
      ['thumb512', 8, 6],
    ]);
    expect(tilesRead(item).count).toBeGreaterThan(210);
    expect(tilesRead(item).rightShare).toBeGreaterThan(0.98);
    expect(item.corners.flat().map((share) => Math.round(100 * share) / 100)).toEqual([0, 0, 1, 0, 1, 1, 0, 1]);
    expect(heard).toEqual([{ step: 'reading', done: 0, of: 1, isFirstLook: true }]);
  });

  it('that was cut out, mirrored and framed is found by its features, and everything counts that it was compared with', async () => {
    const cut = seen().extract({ left: 500, top: 200, width: 600, height: 500 }).flop();
    const heard: TraceProgress[] = [];
    const bytes = await sharp(await cut.png().toBuffer())
      .extend({ top: 300, bottom: 200, background: '#123' })
      .jpeg({ quality: 75 })
      .toBuffer();
    const { items, compared } = await traceAll(bytes, [other, mine], heard);
    expect(items.map(({ mediaId, isMirrored }) => [mediaId, isMirrored])).toEqual([['mine', true]]);
    expect(compared).toBe(2);
    const [item] = items as [FoundItem];
    expect(tilesRead(item).count).toBeGreaterThan(40);
    expect(tilesRead(item).rightShare).toBeGreaterThan(0.95);
    // Its upper left corner lies right of the leak, because the leak is mirrored.
    expect(item.corners[0]?.[0]).toBeCloseTo(1100 / 600, 1);
    expect(item.corners[0]?.[1]).toBeCloseTo(100 / 1000, 1);
    // How often is said depends on the time that it takes.
    expect([...new Set(heard.map(({ step }) => step))]).toEqual(['matching', 'reading']);
  });

  it('of a plain wall has no features, and is read all the same as the whole that it is', async () => {
    const [wide, high] = [1000, 800];
    const rgb = Buffer.from(Array.from({ length: 3 * wide * high }, (_, i) => 110 + (40 * ((i / 3) % wide)) / wide));
    const wall = await store(await openPainting({ width: wide, height: high, rgb }).jpeg({ quality: 95 }).toBuffer());
    const shown = await view(wall);
    const leak = await openPainting({ width: wide, height: high, rgb: shown }).jpeg({ quality: 85 }).toBuffer();
    const { items } = await traceAll(leak, [candidateOf('wall', wall)]);
    expect(items).toHaveLength(1);
    expect(tilesRead(items[0] as FoundItem).count).toBeGreaterThan(100);
    expect(tilesRead(items[0] as FoundItem).rightShare).toBeGreaterThan(0.9);
  });

  it('that is a collage shows a plain photo beside a busy one', async () => {
    const quiet = openPainting(paint(11, 900, 900))
      .blur(3)
      .linear(0.35, 90);
    const calm = await store(await quiet.jpeg({ quality: 95 }).toBuffer());
    const shown = openPainting({ width: 900, height: 900, rgb: await view(calm) }).resize(600);
    const beside = [{ input: await shown.png().toBuffer(), left: 810, top: 0 }];
    const collage = seen().resize(800, 600).extend({ right: 620, background: '#fff' }).composite(beside);
    const bytes = await collage.jpeg({ quality: 85 }).toBuffer();
    const { items } = await traceAll(bytes, [other, candidateOf('calm', calm), mine]);
    expect(items.map(({ mediaId }) => mediaId).toSorted()).toEqual(['calm', 'mine']);
    for (const item of items) expect(tilesRead(item).rightShare, item.mediaId).toBeGreaterThan(0.95);
  });

  it('of something else is a copy of nothing', async () => {
    const stranger = await clouds(1000, 700);
    expect(await traceAll(stranger, [other, mine])).toEqual({ items: [], compared: 2 });
    expect(await traceAll(stranger, [])).toEqual({ items: [], compared: 0 });
  });

  it('as HEIC is read like any other file', async () => {
    const file = findCameraMaterial()?.find(({ name }) => name === 'mdx__cheers_1440x960.heic');
    if (!file) return; // there are no camera files here
    const print = await tracer.fingerprint(leakOf(await readFile(file.path)));
    expect(print).toMatchObject({ outcome: 'read', result: { mime: 'image/heif', width: 1440, height: 960 } });
  });
});

describe('a library', () => {
  const named = (mediaId: string, candidate: Candidate): Candidate => ({ ...candidate, mediaId });
  /** The same photo, as far as its looks are told. */
  const looksLike = (mediaId: string, bits: number, candidate: Candidate = plain): Candidate => {
    const { blockhash } = mine;
    const last = Number.parseInt(blockhash?.at(-1) ?? '0', 16) ^ (2 ** bits - 1);
    return {
      ...candidate,
      mediaId,
      blockhash: `${blockhash?.slice(0, -1)}${last.toString(16)}`,
      mirroredBlockhash: null,
    };
  };

  it('with many that look alike is read at the nearest six only, and then compared as a whole', async () => {
    const leak = await seen().jpeg({ quality: 80 }).toBuffer();
    const print = await tracer.fingerprint(leakOf(leak));
    if (print.outcome === 'failed') throw new Error(print.words);
    const alike = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ ...looksLike(`0${n}`, 0), blockhash: print.result.blockhash }));
    const heard: TraceProgress[] = [];
    const { items, compared } = await traceAll(leak, [named('mine', looksLike('', 3, mine)), ...alike], heard);
    expect([items.map(({ mediaId }) => mediaId), compared]).toEqual([['mine'], 8]);
    expect(heard.map(({ step, done, of }) => `${step} ${done}/${of}`)).toEqual([
      ...[0, 1, 2, 3, 4, 5].map((done) => `reading ${done}/6`),
      'matching 0/2',
      'reading 0/1',
    ]);
  });

  it('in which another photo shows a corner of the same scene names the one that leaked', async () => {
    const corner = await sharp(await paintJpeg(7, 1200, 900))
      .extract({ left: 0, top: 0, width: 300, height: 220 })
      .toBuffer();
    const mixed = await sharp(await clouds(1200, 900))
      .composite([{ input: corner, left: 0, top: 0 }])
      .jpeg()
      .toBuffer();
    const neighbour = looksLike('neighbour', 0, candidateOf('neighbour', await store(mixed)));
    const leak = await seen().jpeg({ quality: 80 }).toBuffer();
    const { items, compared } = await traceAll(leak, [neighbour, looksLike('mine', 1, mine)]);
    expect([items.map(({ mediaId }) => mediaId), compared]).toEqual([['mine'], 2]);
  });

  it('is compared in the order of its ids, and goes on from a place', async () => {
    const leak = leakOf(even);
    const many = Array.from({ length: 10 }, (_, n) => named(`0${n}`, plain));
    const places: MatchPlace[] = [];
    const onPlace = async (place: MatchPlace) => void places.push(place);
    const heard: TraceProgress[] = [];
    const onProgress = (progress: TraceProgress) => heard.push(progress);
    await tracer.read(leak, 'f'.repeat(64), many.toReversed(), { onPlace });
    expect(places.map(({ after }) => after)).toEqual(['07', '09']);
    await tracer.read(leak, 'f'.repeat(64), many, { place: places[0], onPlace, onProgress });
    expect(heard).toEqual([{ step: 'matching', done: 8, of: 10 }]);
    const stop = new Error('its turn is over');
    await expect(tracer.read(leak, 'f'.repeat(64), many, { onPlace: () => Promise.reject(stop) })).rejects.toBe(stop);
  });
});

describe('a hostile leak', () => {
  const cut = async () => {
    const whole = await paintJpeg(7, 400, 300);
    return whole.subarray(0, whole.length >> 1);
  };
  it.each([
    ['half a photo', cut, 'CORRUPT'],
    [
      'a drawing that loads others',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'UNSUPPORTED',
    ],
    ['a page', async () => Buffer.from('<html><script>alert(1)</script></html>'), 'UNSUPPORTED'],
    ['nothing', async () => Buffer.alloc(0), 'UNSUPPORTED'],
  ] as const)('ends in a clear answer: %s', async (_, make, code) => {
    expect(await tracer.fingerprint(leakOf(await make()))).toMatchObject({ outcome: 'failed', code });
    expect(await tracer.read(leakOf(await make()), '0'.repeat(64), [mine])).toMatchObject({ outcome: 'failed', code });
  });

  it('of too many bytes is not even opened', async () => {
    const leak: Leak = {
      sizeBytes: photoLimits.fileBytes + 1,
      open: () => {
        throw new Error('opened');
      },
    };
    expect(await tracer.fingerprint(leak)).toMatchObject({ outcome: 'failed', code: 'TOO_BIG' });
  });

  it('of too many pixels, or one that takes too long, is given up', async () => {
    const bytes = await paintJpeg(7, 400, 300);
    const limits = { ...photoLimits, pixels: 1e5 };
    expect(await tracer.fingerprint({ ...leakOf(bytes), limits })).toMatchObject({
      outcome: 'failed',
      code: 'TOO_BIG',
    });
    const hasty = openTracer(walls, { taskSeconds: 0.01 });
    expect(await hasty.fingerprint(leakOf(bytes))).toMatchObject({ outcome: 'failed', code: 'TIMEOUT' });
    await hasty.close();
  });

  it('does not keep the next one from being read', async () => {
    await tracer.fingerprint(leakOf(await cut()));
    expect(await tracer.fingerprint(leakOf(await paintJpeg(7, 400, 300)))).toMatchObject({ outcome: 'read' });
  });

  it('that took its child over can name nobody: what is no reading of our tiles is refused', async () => {
    const captured = openTracer(walls, { entry: planted });
    for (const sizeBytes of [1, 2, 3, 4, 5, 6, 7]) {
      const leak = leakOf(Buffer.alloc(sizeBytes));
      await expect(captured.fingerprint(leak), `fingerprint ${sizeBytes}`).rejects.toThrow();
      await expect(captured.read(leak, `${photo.phash}`, [mine]), `read ${sizeBytes}`).rejects.toThrow();
    }
    await expect(captured.fingerprint(leakOf(Buffer.alloc(8)))).rejects.toThrow(
      'a preview that is more than a picture',
    );
    await captured.close();
  });
});

describe('a trace', () => {
  it('decides nothing when its leak breaks off, a pack cannot be read, or nobody waits any more', async () => {
    const bytes = await paintJpeg(7, 400, 300);
    const short: Leak = { sizeBytes: bytes.length + 1, open: () => Readable.from([bytes]) };
    await expect(tracer.fingerprint(short)).rejects.toThrow('was read as');
    const lost = { ...mine, pack: () => Promise.reject(new Error('the storage is away')) };
    await expect(tracer.read(leakOf(bytes), `${photo.phash}`, [lost])).rejects.toThrow('the storage is away');
    const signal = AbortSignal.abort(new Error('nobody waits'));
    await expect(tracer.fingerprint(leakOf(bytes), signal)).rejects.toThrow('nobody waits');
    await expect(tracer.read(leakOf(bytes), `${photo.phash}`, [mine], { signal })).rejects.toThrow('nobody waits');
  });
});
