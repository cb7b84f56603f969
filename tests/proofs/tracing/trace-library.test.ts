import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import type { FoundItem, TraceProgress } from '#features/tracing/findings.ts';
import { openTracer } from '#features/tracing/photos/tracer.ts';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { openPainting, paint, paintJpeg } from '#tests/support/media/paint.ts';
import {
  candidateOf,
  drawClouds,
  leakOf,
  makeTracedPhotos,
  storePhoto,
  tilesRead,
  traceAll,
  viewOf,
} from '#tests/support/tracing/traced-photos.ts';
import { guards } from '../counts.ts';

guards('src/features/tracing/photos/**', 'src/features/tracing/imaging/**', 'src/features/media/watermark/**');

/** Leaks that are harder to find: plain ones, several in one, and among many that look alike. */
const tracer = openTracer(await openWalls({ hidden: [], readable: [] }));
const { mine, other, seen, looksLike } = await makeTracedPhotos();
afterAll(() => tracer.close());

test('a leak of a plain wall has no features, and is read all the same as the whole that it is', async () => {
  const [wide, high] = [1000, 800];
  const rgb = Buffer.from(Array.from({ length: 3 * wide * high }, (_, i) => 110 + (40 * ((i / 3) % wide)) / wide));
  const wall = await storePhoto(
    await openPainting({ width: wide, height: high, rgb }).jpeg({ quality: 95 }).toBuffer(),
  );
  const shown = await viewOf(wall);
  const leak = await openPainting({ width: wide, height: high, rgb: shown }).jpeg({ quality: 85 }).toBuffer();
  const { items } = await traceAll(tracer, leak, [candidateOf('wall', wall)]);
  expect(items).toHaveLength(1);
  expect(tilesRead(items[0] as FoundItem).count).toBeGreaterThan(100);
  expect(tilesRead(items[0] as FoundItem).rightShare).toBeGreaterThan(0.9);
});

test('a leak that is a collage shows a plain photo beside a busy one', async () => {
  const quiet = openPainting(paint(11, 900, 900))
    .blur(3)
    .linear(0.35, 90);
  const calm = await storePhoto(await quiet.jpeg({ quality: 95 }).toBuffer());
  const shown = openPainting({ width: 900, height: 900, rgb: await viewOf(calm) }).resize(600);
  const beside = [{ input: await shown.png().toBuffer(), left: 810, top: 0 }];
  const collage = seen().resize(800, 600).extend({ right: 620, background: '#fff' }).composite(beside);
  const bytes = await collage.jpeg({ quality: 85 }).toBuffer();
  const { items } = await traceAll(tracer, bytes, [other, candidateOf('calm', calm), mine]);
  expect(items.map(({ mediaId }) => mediaId).toSorted()).toEqual(['calm', 'mine']);
  for (const item of items) expect(tilesRead(item).rightShare, item.mediaId).toBeGreaterThan(0.95);
});

test('a leak as HEIC is read like any other file', async () => {
  const file = findCameraMaterial()?.find(({ name }) => name === 'mdx__cheers_1440x960.heic');
  if (!file) return; // there are no camera files here
  const print = await tracer.fingerprint(leakOf(await readFile(file.path)));
  expect(print).toMatchObject({ outcome: 'read', result: { mime: 'image/heif', width: 1440, height: 960 } });
});

test('a library with many that look alike is read at the nearest six only, and then compared as a whole', async () => {
  const leak = await seen().jpeg({ quality: 80 }).toBuffer();
  const print = await tracer.fingerprint(leakOf(leak));
  if (print.outcome === 'failed') throw new Error(print.words);
  const alike = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ ...looksLike(`0${n}`, 0), blockhash: print.result.blockhash }));
  const received: TraceProgress[] = [];
  const { items, compared } = await traceAll(tracer, leak, [looksLike('mine', 3, mine), ...alike], received);
  expect([items.map(({ mediaId }) => mediaId), compared]).toEqual([['mine'], 8]);
  expect(received.map(({ step, done, of }) => `${step} ${done}/${of}`)).toEqual([
    ...[0, 1, 2, 3, 4, 5].map((done) => `reading ${done}/6`),
    'matching 0/2',
    'reading 0/1',
  ]);
});

test('a library in which another photo shows a corner of the same scene names the one that leaked', async () => {
  const corner = await sharp(await paintJpeg(7, 1200, 900))
    .extract({ left: 0, top: 0, width: 300, height: 220 })
    .toBuffer();
  const mixed = await sharp(await drawClouds(1200, 900))
    .composite([{ input: corner, left: 0, top: 0 }])
    .jpeg()
    .toBuffer();
  const neighbour = looksLike('neighbour', 0, candidateOf('neighbour', await storePhoto(mixed)));
  const leak = await seen().jpeg({ quality: 80 }).toBuffer();
  const { items, compared } = await traceAll(tracer, leak, [neighbour, looksLike('mine', 1, mine)]);
  expect([items.map(({ mediaId }) => mediaId), compared]).toEqual([['mine'], 2]);
});
