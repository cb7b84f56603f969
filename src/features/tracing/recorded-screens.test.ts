import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { canDrawClips, tellNoClips } from '#tests/support/clips.ts';
import { type HouseInTest, headersOf, openHouse } from '#tests/support/house.ts';
import { drawFilm } from '#tests/support/leaked-clips.ts';
import { type Guest, type LeakWorld, openLeakWorld, resave, upload } from '#tests/support/leaks.ts';
import { pass, readRows } from '#tests/support/people.ts';
import { recordScreen } from '#tests/support/with-ffmpeg.ts';
import { sealCodewords } from './jobs.ts';
import { openTraceWork } from './trace-work.ts';
import { verifyEvidence } from './verify-evidence.ts';

if (!canDrawClips) tellNoClips();
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });
const never = new AbortController().signal;

describe.runIf(canDrawClips)('a recording of a screen with photos', () => {
  let house: HouseInTest;
  let world: LeakWorld;
  let bob: Guest;
  beforeAll(async () => {
    house = await openHouse({ workJobs: false });
    world = await openLeakWorld(house, { count: 3 });
    bob = await world.invite('Bob');
    await world.invite('Carl');
    await sealCodewords(house.engines);
  });
  beforeEach(() => pass(house, 3_600_000));
  afterAll(() => house.close());

  const hand = async (bytes: Buffer) => (await upload(world, bytes, world.creator.browser)).body.traceId;
  const ask = async (traceId: string) => (await house.call('tracing.one', { traceId }, world.creator.browser)).body;
  const turn = async (traceId: string, turnMs?: number) => {
    const work = openTraceWork(house.engines, { arePhotosFirst: false, ...(turnMs !== undefined && { turnMs }) });
    await work.run(traceId, never);
    await work.close();
    return ask(traceId);
  };
  const fetchEvidence = async (traceId: string) => {
    const headers = headersOf(world.creator.browser) as Record<string, string>;
    const file = `/api/traces/${traceId}/evidence.json`;
    return (await world.salon.fetch(file, { method: 'POST', headers }, world.creator.browser)).text();
  };
  const placeOf = async (traceId: string) =>
    (await readRows(house, 'select place from traces where id = $1', [traceId]))[0]?.place;

  it('names the link by all photos that it shows, also when others went first, and its evidence can be checked', async () => {
    const clip = await recordScreen(bob.screenshots);
    const traceId = await hand(clip);
    expect((await turn(traceId, 0)).state).toBe('matching');
    expect(await placeOf(traceId)).toMatchObject({ films: [], hits: expect.any(Array) });
    const answer = await turn(traceId);
    expect(answer).toMatchObject({
      outcome: 'traced',
      leak: { stills: 3, width: 720, height: 1280 },
      hasPreview: true,
      hasOriginal: false,
      links: [{ linkId: bob.linkId, word: 'traced' }],
    });
    const found = answer.items.map(({ mediaId }: { mediaId: string }) => mediaId);
    expect(found.toSorted()).toEqual(world.photos.map(({ mediaId }) => mediaId).toSorted());
    const evidence = await fetchEvidence(answer.id);
    expect(JSON.parse(evidence).leak).toMatchObject({ stills: [2.3, 5.3, 8.3], mime: 'video/mp4' });
    expect(verifyEvidence(evidence, { leaks: [clip] }).filter(({ is }) => is === 'wrong')).toEqual([]);
    await rememberOf(answer);
  });

  /** A photo that is handed in with it, and a third copy with both: what each was is told still, also when it is gone. */
  async function rememberOf({ id: clipId, sha256 }: { id: string; sha256: string }) {
    const handWith = async (other: string) =>
      (await upload(world, await resave(bob), world.creator.browser, `?with=${other}`)).body.traceId;
    const photo = await turn(await handWith(clipId));
    const third = await turn(await handWith(photo.id));
    await house.call('tracing.remove', { traceId: clipId }, world.creator.browser);
    const { together } = JSON.parse(await fetchEvidence(third.id));
    expect(together).toEqual([
      { traceId: clipId, sha256, stills: [2.3, 5.3, 8.3] },
      { traceId: photo.id, sha256: photo.sha256 },
    ]);
  }

  it.for([
    // Of the last photo it has no frame after that with which it came.
    ['that has frames only where something moves', { isUneven: true, seconds: 5 }, 2],
    ['as a messenger sends it on', { width: 360, height: 640, crf: 30 }, 3],
  ] as const)('%s names its link too', async ([_how, wish, stills]) => {
    const guest = await world.invite('Dora');
    pass(house, 1000);
    const answer = await turn(await hand(await recordScreen(guest.screenshots, wish)));
    expect(answer).toMatchObject({ outcome: 'traced', leak: { stills }, links: [{ linkId: guest.linkId }] });
  });

  it('of something else is of nothing of hers', async () => {
    const sentence = 'Nothing of your albums was found in this clip. If it shows photos, hand in a screenshot of each.';
    const answer = await turn(await hand(await drawFilm({ seconds: 4, seed: 91 })));
    expect(answer).toMatchObject({ outcome: 'no_match', sentence, leak: { stills: null }, items: [] });
  });
});
