import { writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { openVideoWorld, type VideoWorld } from '#tests/support/media/watched-video.ts';
import { advance } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { drawVideo, recode } from '#tests/support/tracing/leaked-clips.ts';
import { untilTraced, upload } from '#tests/support/tracing/leaks.ts';
import { traceFile } from '../commands.ts';
import { verifyEvidence } from '../evidence/verify-evidence.ts';

if (!canDrawClips) warnNoClips();
/** Hardly longer than a clip has to be that names its link, and small. */
const video = { seconds: 36, width: 256, height: 144 };

describe.runIf(canDrawClips)('a leaked clip', () => {
  let app: TestApp;
  let world: VideoWorld;
  beforeAll(async () => {
    app = await openTestApp();
    world = await openVideoWorld(app, await drawVideo(video));
  });
  beforeEach(() => advance(app, 1000));
  afterAll(() => app.close());

  const trace = async (bytes: Buffer) => {
    advance(app, 1000);
    const { body } = await upload(world, bytes, world.creator.browser, `?albumId=${world.albumId}`);
    return untilTraced(world, body.traceId, world.creator.browser, 300);
  };
  const fetchFile = (file: string, method: string, browser = world.creator.browser) =>
    world.viewerApi.fetch(`/api/traces/${file}`, { method }, browser);

  it('names the link whose mixture it is, coded again with another clock and bars, on the page, by the command and in its evidence', async () => {
    const bob = await world.invite('Bob');
    const bars = 'scale=232:130,pad=232:160:0:15,fps=25';
    const clip = await recode(bob.video, ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-vf', bars], 'mov');
    const file = path.join(app.engines.installation.dataDir, 'clip.mov');
    writeFileSync(file, clip);
    const words = await traceFile(app.engines, file, world.creator.email);
    const { mediaId } = world;
    expect(words).toMatch(
      /^This copy was made from what .*was shown through (the link “Bob”|Bob)\. The chance .* 1 in [\d,]+\.\n/,
    );
    expect(words).toMatch(new RegExp(`^· video ${mediaId}: \\d+ of ${video.seconds} seconds were read$`, 'm'));
    expect(words).toMatch(new RegExp(`^· traced: link "Bob" ${bob.linkId}, chance of a coincidence below 1 in`, 'm'));
    expect(words).toMatch(/^· SHA-256 of the copy [0-9a-f]{64}$/m);
    expect(words).not.toContain('tiles');

    const [{ id: traceId }] = (await app.call('tracing.list', { limit: 1 }, world.creator.browser)).body.traces;
    const answer = (await app.call('tracing.one', { traceId }, world.creator.browser)).body;
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'traced',
      hasPreview: true,
      hasOriginal: true,
      numbers: { issued: 2 },
      sentence: words.split('\n')[0],
      links: [{ linkId: bob.linkId, word: 'traced', people: [{ name: 'Bob' }] }],
      items: [{ mediaId, kind: 'video', isMoving: true, isMirrored: false, columns: video.seconds, rows: 1 }],
    });
    expect(answer.items[0].tiles.filter(Boolean).length).toBeGreaterThan(video.seconds - 4);
    for (const picture of ['preview', 'original']) {
      const shown = await fetchFile(`${traceId}/${picture}`, 'GET');
      expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).format).toBe('webp');
      expect((await fetchFile(`${traceId}/${picture}`, 'GET', newBrowser())).status).toBe(401);
    }
    const evidence = await (await fetchFile(`${traceId}/evidence.json`, 'POST')).text();
    const checks = verifyEvidence(evidence, { leaks: [clip] });
    expect(checks.filter(({ is }) => is === 'wrong')).toEqual([]);
    // The link may be named by its half and its viewer's together, where the viewer cannot be: then their codeword stays closed.
    const named = checks.find(({ what }) => what.startsWith('What was read names link'));
    expect(['right', 'open']).toContain(named?.is);
    expect((await fetchFile(`${traceId}/evidence.pdf`, 'POST')).status).toBe(200);
  });

  it('that cannot be read ends in a clear answer', async () => {
    const sound = drawClip({ also: ['-vn'] });
    const broken = drawClip({ seconds: 4 }).subarray(0, 6000);
    const nested = Buffer.concat([drawClip({ seconds: 1 }).subarray(0, 40), Buffer.alloc(5000, 0xff)]);
    for (const [bytes, words] of [
      [sound, /isn't supported/],
      [broken, /damaged/],
      [nested, /damaged|isn't supported/],
    ] as const)
      expect(await trace(bytes)).toMatchObject({ state: 'failed', failText: expect.stringMatching(words) });
  });

  it('that is longer than is taken is refused with these words', async () => {
    const set = { key: 'limits.clipMinutes', value: 1, by: null, now: new Date(app.engines.clock()) } as const;
    await app.engines.database.work({ kind: 'system' }, (tx) => writeSetting(tx, set));
    await vi.waitFor(async () => expect((await settingsOf(app.engines))['limits.clipMinutes']).toBe(1));
    const long = drawClip({ seconds: 62, fps: 5, width: 64, height: 64, hasSound: false });
    expect(await trace(long)).toMatchObject({
      state: 'failed',
      failText: expect.stringMatching(/too large or too long/),
    });
  });
});
