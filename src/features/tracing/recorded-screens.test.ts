import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { canDrawClips, tellNoClips } from '#tests/support/clips.ts';
import { type HouseInTest, headersOf, openHouse } from '#tests/support/house.ts';
import { drawFilm, recordScreen } from '#tests/support/leaked-clips.ts';
import { type LeakWorld, openLeakWorld, untilTraced, upload } from '#tests/support/leaks.ts';
import { pass } from '#tests/support/people.ts';
import { verifyEvidence } from './verify-evidence.ts';

if (!canDrawClips) tellNoClips();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

describe.runIf(canDrawClips)('a recording of a screen with photos', () => {
  let house: HouseInTest;
  let world: LeakWorld;
  beforeAll(async () => {
    house = await openHouse();
    world = await openLeakWorld(house, { count: 3 });
  });
  beforeEach(() => pass(house, 1000));
  afterAll(() => house.close());

  const trace = async (bytes: Buffer) => {
    pass(house, 1000);
    const { status, body } = await upload(world, bytes, world.creator.browser);
    expect(status).toBe(201);
    return untilTraced(world, body.traceId, world.creator.browser, 200);
  };

  it('names the link by all photos that it shows, and its evidence can be checked', async () => {
    const guest = await world.invite('Bob');
    await world.invite('Carl');
    const clip = await recordScreen(guest.screenshots);
    const answer = await trace(clip);
    expect(answer).toMatchObject({
      outcome: 'traced',
      leak: { stills: 3, width: 720, height: 1280 },
      hasPreview: true,
      hasOriginal: false,
      links: [{ linkId: guest.linkId, word: 'traced' }],
    });
    const found = answer.items.map(({ mediaId }: { mediaId: string }) => mediaId);
    expect(found.toSorted()).toEqual(world.photos.map(({ mediaId }) => mediaId).toSorted());
    const headers = headersOf(world.creator.browser) as Record<string, string>;
    const fetched = await world.salon.fetch(
      `/api/traces/${answer.id}/evidence.json`,
      { method: 'POST', headers },
      world.creator.browser,
    );
    const evidence = await fetched.text();
    expect(JSON.parse(evidence).leak).toMatchObject({ stills: 3, mime: 'video/mp4' });
    expect(verifyEvidence(evidence, { leaks: [clip] }).filter(({ is }) => is === 'wrong')).toEqual([]);
  });

  it('of something else is of nothing of hers', async () => {
    const sentence = 'Nothing of your albums was found in this clip. If it shows photos, hand in a screenshot of each.';
    const stranger = await drawFilm({ seconds: 4, seed: 91 });
    expect(await trace(stranger)).toMatchObject({ outcome: 'no_match', sentence, leak: { stills: null }, items: [] });
  });
});
