import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { photoLimits } from '#features/media/photo-limits.ts';
import { chunksOf } from '#tests/support/media/open-pack.ts';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { drawClouds, leakOf, makeTracedPhotos, tilesRead, traceAll } from '#tests/support/tracing/traced-photos.ts';
import type { Candidate, FoundItem, Leak, TraceProgress } from '../findings.ts';
import type { MatchCheckpoint } from '../progress/match-checkpoint.ts';
import { openTracer } from './tracer.ts';

const planted = fileURLToPath(new URL('../../../../tests/support/planted/planted-tracer-child.ts', import.meta.url));
const walls = await openWalls({ hidden: [], readable: [planted] });
const tracer = openTracer(walls);
const { photo, mine, other, even, plain, seen } = await makeTracedPhotos();

afterAll(() => tracer.close());

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
    const received: TraceProgress[] = [];
    const { items, compared } = await traceAll(
      tracer,
      await seen().jpeg({ quality: 60 }).toBuffer(),
      [other, mine],
      received,
    );
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
    expect(received).toEqual([{ step: 'reading', done: 0, of: 1, isFirstLook: true }]);
  });

  it('that was cut out, mirrored and framed is found by its features, and everything counts that it was compared with', async () => {
    const cut = seen().extract({ left: 500, top: 200, width: 600, height: 500 }).flop();
    const received: TraceProgress[] = [];
    const bytes = await sharp(await cut.png().toBuffer())
      .extend({ top: 300, bottom: 200, background: '#123' })
      .jpeg({ quality: 75 })
      .toBuffer();
    const { items, compared } = await traceAll(tracer, bytes, [other, mine], received);
    expect(items.map(({ mediaId, isMirrored }) => [mediaId, isMirrored])).toEqual([['mine', true]]);
    expect(compared).toBe(2);
    const [item] = items as [FoundItem];
    expect(tilesRead(item).count).toBeGreaterThan(40);
    expect(tilesRead(item).rightShare).toBeGreaterThan(0.95);
    // Its upper left corner lies right of the leak, because the leak is mirrored.
    expect(item.corners[0]?.[0]).toBeCloseTo(1100 / 600, 1);
    expect(item.corners[0]?.[1]).toBeCloseTo(100 / 1000, 1);
    // How often is said depends on the time that it takes.
    expect([...new Set(received.map(({ step }) => step))]).toEqual(['matching', 'reading']);
  });

  it('of something else is a copy of nothing', async () => {
    const stranger = await drawClouds(1000, 700);
    expect(await traceAll(tracer, stranger, [other, mine])).toEqual({ items: [], compared: 2 });
    expect(await traceAll(tracer, stranger, [])).toEqual({ items: [], compared: 0 });
  });
});

describe('a library', () => {
  const named = (mediaId: string, candidate: Candidate): Candidate => ({ ...candidate, mediaId });
  it('is compared in the order of its ids, and goes on from a place', async () => {
    const leak = leakOf(even);
    const many = Array.from({ length: 10 }, (_, n) => named(`0${n}`, plain));
    const places: MatchCheckpoint[] = [];
    const onPlace = async (place: MatchCheckpoint) => void places.push(place);
    const received: TraceProgress[] = [];
    const onProgress = (progress: TraceProgress) => received.push(progress);
    await tracer.read(leak, 'f'.repeat(64), many.toReversed(), { onPlace });
    expect(places.map(({ after }) => after)).toEqual(['07', '09']);
    await tracer.read(leak, 'f'.repeat(64), many, { place: places[0], onPlace, onProgress });
    expect(received).toEqual([{ step: 'matching', done: 8, of: 10 }]);
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
