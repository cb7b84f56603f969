import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClipReader } from '#features/tracing/clips/clip-reader.ts';
import { verifyEvidence } from '#features/tracing/evidence/verify-evidence.ts';
import { sealCodewords } from '#features/tracing/jobs.ts';
import { readCopy } from '#features/tracing/work/read-copy.ts';
import { openTraceWork, type TraceWork } from '#features/tracing/work/trace-work.ts';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { recordScreen } from '#tests/support/media/with-ffmpeg.ts';
import { advance } from '#tests/support/people.ts';
import { plantedDeeds } from '#tests/support/planted/planted-sheet-deeds.ts';
import { openPlantedDesks } from '#tests/support/planted/planted-sheets.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeCopy, openToldWork } from '#tests/support/tracing/described-copies.ts';
import { type Guest, type LeakWorld, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { openTraceContext } from '#tests/support/tracing/trace-context.ts';
import { guards } from '../counts.ts';

guards('src/features/tracing/**');

if (!canDrawClips) warnNoClips();
describe.runIf(canDrawClips)('a recording of a screen with photos', () => {
  let app: TestApp;
  let world: LeakWorld;
  let bob: Guest;
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false });
    world = await openLeakWorld(app, { count: 2 });
    bob = await world.invite('Bob');
    await world.invite('Carl');
    await sealCodewords(app.engines);
  });
  beforeEach(() => advance(app, 3_600_000));
  afterAll(() => app.close());

  const hand = async (bytes: Buffer) => (await upload(world, bytes, world.creator.browser)).body.traceId;
  const ask = async (traceId: string) => (await app.call('tracing.one', { traceId }, world.creator.browser)).body;
  const run = async (by: TraceWork, traceId: string) => {
    await by.run(traceId, new AbortController().signal);
    await by.close();
    return ask(traceId);
  };
  const fetchEvidence = async (traceId: string) => {
    const headers = headersOf(world.creator.browser) as Record<string, string>;
    const file = `/api/traces/${traceId}/evidence.json`;
    return (await world.viewerApi.fetch(file, { method: 'POST', headers }, world.creator.browser)).text();
  };

  it('names the link by all photos that it shows, and its evidence can be checked', async () => {
    const clip = await recordScreen(bob.screenshots, { seconds: 2, width: 540, height: 960 });
    const traceId = await hand(clip);
    const answer = await run(openTraceWork(app.engines, { arePhotosFirst: false }), traceId);
    expect(answer).toMatchObject({
      outcome: 'traced',
      leak: { stills: 2, width: 540, height: 960 },
      hasPreview: true,
      hasOriginal: false,
      links: [{ linkId: bob.linkId, word: 'traced' }],
    });
    const found = answer.items.map(({ mediaId }: { mediaId: string }) => mediaId);
    expect(found.toSorted()).toEqual(world.photos.map(({ mediaId }) => mediaId).toSorted());
    const evidence = await fetchEvidence(answer.id);
    const { stills, mime } = JSON.parse(evidence).leak;
    expect([mime, stills.map(Math.floor)]).toEqual(['video/mp4', [1, 3]]);
    expect(verifyEvidence(evidence, { leaks: [clip] }).filter(({ is }) => is === 'wrong')).toEqual([]);
    await rememberOf(answer, stills);
  });

  /** A photo that is submitted with it, and a third copy with both: what each was is told still, also when it is gone. */
  async function rememberOf({ id: clipId, sha256 }: { id: string; sha256: string }, stills: number[]) {
    const traceWith = async (other: string) => {
      const copy = describeCopy(world, bob);
      const { traceId } = (await upload(world, copy, world.creator.browser, `?with=${other}`)).body;
      return run(openToldWork(app.engines), traceId);
    };
    const photo = await traceWith(clipId);
    const third = await traceWith(photo.id);
    await app.call('tracing.remove', { traceId: clipId }, world.creator.browser);
    const { together } = JSON.parse(await fetchEvidence(third.id));
    expect(together).toEqual([
      { traceId: clipId, sha256, stills },
      { traceId: photo.id, sha256: photo.sha256 },
    ]);
  }

  it('whose pictures cannot be laid side by side is a clip of nothing, whatever its child does', async () => {
    const clip = await recordScreen(bob.screenshots, { seconds: 2, width: 180, height: 320 });
    const { walls, open } = await openPlantedDesks();
    const captured = open();
    const { context, close } = await openTraceContext(app, walls, await hand(clip));
    const reported = vi.spyOn(app.engines.log, 'warn');
    // A strange answer, a refusal and a slip: of each kind one.
    const deeds = ['answers what it likes', 'dies', 'reports an error'] as const;
    for (const deed of deeds) {
      const width = plantedDeeds.indexOf(deed);
      const drawSheet: ClipReader['drawSheet'] = (_clip, stills) =>
        captured.drawSheet({ size: { width, height: 10 } }, stills);
      const read = await readCopy({ ...context, clipReader: { ...context.clipReader, drawSheet } });
      expect(read, deed).toMatchObject({
        outcome: 'read',
        result: { print: { width: 180, height: 320 }, read: { items: [], hasOriginal: false } },
      });
    }
    expect(reported.mock.calls.map(([, words]) => words)).toEqual(
      deeds.map(() => 'the pictures of a clip were not read'),
    );
    await Promise.all([close(), captured.close()]);
  });
});
