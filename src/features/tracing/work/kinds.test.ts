import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { blockhashOf } from '#features/media/blockhash.ts';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { makeHeic } from '#tests/support/media/heic.ts';
import { openPainting, paint } from '#tests/support/media/paint.ts';
import { advance } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeCopy, openToldWork } from '#tests/support/tracing/described-copies.ts';
import { type LeakWorld, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { openTracer } from '../photos/tracer.ts';
import { bitsApart, nearBits } from '../rules.ts';
import type { TraceWork } from './trace-work.ts';

if (!canDrawClips) warnNoClips();

const tracer = openTracer(await openWalls({ hidden: [] }));
afterAll(() => tracer.close());
const painting = paint(7, 400, 300);
const shown = openPainting(painting);

describe('a leaked copy', () => {
  it.for([
    ['webp', true, () => shown.clone().webp({ quality: 80 }).toBuffer()],
    ['heic', canDrawClips, async () => makeHeic(await shown.clone().png().toBuffer())],
    ['avif', true, () => shown.clone().avif({ quality: 70, effort: 0 }).toBuffer()],
  ] as const)('is looked at as %s', async ([kind, canMake, save], { skip }) => {
    if (!canMake) return skip('there is no ffmpeg to make one');
    const bytes = await save();
    const print = await tracer.fingerprint({ sizeBytes: bytes.length, open: async () => Readable.from([bytes]) });
    expect(print).toMatchObject({ outcome: 'read', result: { mime: `image/${kind}`, width: 400, height: 300 } });
    if (print.outcome === 'failed') return;
    expect(bitsApart(print.result.blockhash, await blockhashOf(painting))).toBeLessThanOrEqual(nearBits);
  });
});

describe('whoever is named', () => {
  let app: TestApp;
  let world: LeakWorld;
  let work: TraceWork;
  beforeAll(async () => {
    // What stands before the app says where somebody comes from.
    app = await openTestApp({ workJobs: false, server: { trustedProxies: '127.0.0.1' } });
    world = await openLeakWorld(app, { isTold: true });
    work = openToldWork(app.engines);
  });
  afterAll(async () => {
    await work.close();
    await app.close();
  });

  it.for([
    ['NL', '193.0.6.139'],
    ['JP', '133.11.0.1'],
    ['US', '8.8.8.8'],
  ] as const)('is told with the country of their visit: %s', async ([country, address]) => {
    const browser = newBrowser({ 'x-forwarded-for': address });
    const guest = await world.invite(country, undefined, browser);
    advance(app, 1000);
    const { traceId } = (await upload(world, describeCopy(world, guest), world.creator.browser)).body;
    await work.run(traceId, new AbortController().signal);
    expect((await app.call('tracing.one', { traceId }, world.creator.browser)).body).toMatchObject({
      state: 'done',
      outcome: 'traced',
      links: [{ linkId: guest.linkId, people: [{ visits: 1, country, isCountryEstimated: false }] }],
    });
  });
});
