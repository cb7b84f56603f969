import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { traceFile, verifyEvidenceFile } from '#features/tracing/commands.ts';
import { LeakRefused } from '#features/tracing/photos/trace-task.ts';
import { readCopy } from '#features/tracing/work/read-copy.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { watchVideo } from '#tests/support/media/watch-video.ts';
import { openVideoWorld, type VideoWorld, type Watcher } from '#tests/support/media/watched-video.ts';
import { recordScreen, withFfmpeg } from '#tests/support/media/with-ffmpeg.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { drawVideo, recode, shootFrame } from '#tests/support/tracing/leaked-clips.ts';
import { drawPack, freeTraces, untilTraced, upload } from '#tests/support/tracing/leaks.ts';
import { openTraceContext } from '#tests/support/tracing/trace-context.ts';
import { guards } from '../counts.ts';

guards('src/features/tracing/**', 'src/features/media/**', 'src/engines/video/**');

/**
 * What becomes of clips of one video, through the whole product: cut, cropped, mirrored, joined with another, with photos between,
 * of its creator's own looks, and as a still.
 */
if (!canDrawClips) warnNoClips();
let app: TestApp;
let world: VideoWorld;

async function trace(bytes: Buffer, query = `?albumId=${world.albumId}`) {
  advance(app, 1000);
  const { status, body } = await upload(world, bytes, world.creator.browser, query);
  expect(status).toBe(201);
  return untilTraced(world, body.traceId, world.creator.browser, 300);
}

describe.runIf(canDrawClips)('a leaked clip', () => {
  let bob: Watcher;
  let carl: Watcher;
  let ownTraceId = '';
  beforeAll(async () => {
    app = await openTestApp();
    await freeTraces(app);
    world = await openVideoWorld(app, await drawVideo({ width: 512, height: 288 }));
    bob = await world.invite('Bob');
    carl = await world.invite('Carl');
  });
  beforeEach(() => advance(app, 1000));
  afterAll(() => app.close());

  const fetchEvidence = (traceId: string) =>
    world.viewerApi.fetch(`/api/traces/${traceId}/evidence.json`, { method: 'POST' }, world.creator.browser);

  // Whoever was named once is named by more only: each test that names has somebody of its own.
  it('is told of by the command as on the page, second by second, and one that cannot be read by its reason', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pf-clip-command-'));
    const tell = async (name: string, bytes: Buffer) => {
      writeFileSync(path.join(folder, name), bytes);
      return traceFile(app.engines, path.join(folder, name), world.creator.email);
    };
    try {
      const words = await tell('clip.mp4', await recode(carl.video, ['-c:v', 'libx264', '-crf', '24']));
      expect(words).toMatch(
        /^This copy was made from what .*was shown through (the link “Carl”|Carl)\. The chance .* 1 in [\d,]+\.\n/,
      );
      expect(words).toMatch(new RegExp(`^· video ${world.mediaId}: \\d+ of 40 seconds were read$`, 'm'));
      expect(words).toMatch(
        new RegExp(`^· traced: link "Carl" ${carl.linkId}, chance of a coincidence below 1 in`, 'm'),
      );
      expect(words).toMatch(/^· SHA-256 of the copy [0-9a-f]{64}$/m);
      expect(words).not.toMatch(/Bob|tiles/);
      const broken = await tell('broken.mp4', drawClip({ seconds: 4 }).subarray(0, 6000));
      expect(broken).toBe(
        "It couldn't be read: This file is damaged. Save it again from where you found it, and upload that.",
      );
      const other = await recode(await drawVideo({ seconds: 4, seed: 78 }), ['-c:v', 'libx264'], 'mkv');
      expect(await tell('other.mkv', other)).toMatch(
        /^Nothing from your albums was found in this clip\. If it shows photos, .*\n/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('of what its creator played in her studio is told to be her own, and names no link', async () => {
    const video = await watchVideo({ ...world, browser: world.creator.browser }, world.mediaId);
    const answer = await trace(await recode(video, ['-c:v', 'libx264', '-crf', '26']));
    expect(answer).toMatchObject({ outcome: 'traced', links: [] });
    expect(answer.sentence).toMatch(
      /^This copy was made from what you were shown yourself, in your studio\. The chance .* below 1 in/,
    );
    ownTraceId = answer.id;
  });

  it('has evidence that tells what of its video was lent, which a program compares with what was read', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pf-clip-evidence-'));
    const file = path.join(folder, 'evidence.json');
    /** As it is noted now. @returns what was lent, how far it was read, and the line of both */
    const verify = async () => {
      writeFileSync(file, await (await fetchEvidence(ownTraceId)).text());
      const { items, ownLooks } = JSON.parse(readFileSync(file, 'utf8'));
      const words = await verifyEvidenceFile(file, { leaks: [], key: undefined });
      expect(words).toMatch(/\nNo check failed\.$/);
      const line = words
        .split('\n')
        .find((each) => each.includes(`Every second of video ${world.mediaId} that was read`));
      return { lent: ownLooks[0].lent, upTo: items[0].secondsRead.at(-1)[1], line, words };
    };
    const note = (seconds: string | null) =>
      readRows(
        app,
        `update deliveries set lent_seconds = $1 where grant_id in (select id from grants where kind = 'owner')`,
        [seconds],
      );
    const warning = 'Lines marked ! are true and speak against the result.';
    const whole = await verify();
    expect(whole.lent).toEqual([{ mediaId: world.mediaId, stretches: [[0, 40]] }]);
    expect(whole.upTo).toBeGreaterThan(35);
    expect(whole.line).toMatch(/^✓ .* had been lent to grant \S+$/);
    expect(whole.words).not.toContain(warning);
    await note('{[0,20)}');
    const half = await verify();
    expect(half.line).toMatch(/^! .* had been lent to grant \S+: \d+ of \d+ had not$/);
    expect(half.words).toContain(warning);
    await note(null);
    expect((await verify()).line).toMatch(/^\? .*: not recorded at the time$/);
    rmSync(folder, { recursive: true });
  });

  it('is found when it is short, cut out of the middle, cropped and mirrored, and then names nobody', async () => {
    const cut = ['-vf', 'hflip,crop=iw*0.8:ih*0.8,fps=24', '-c:v', 'libx264', '-crf', '26'];
    const answer = await trace(await recode(bob.video, cut, 'mkv', ['-ss', '13.37', '-t', '9']));
    expect(answer).toMatchObject({
      outcome: 'inconclusive',
      sentence: 'Not enough of the mark could be read.',
      links: [],
      numbers: null,
      items: [{ mediaId: world.mediaId, isMoving: true, isMirrored: true }],
    });
    expect(answer.shownTo.map(({ linkName }: { linkName: string }) => linkName)).toEqual(['Bob', 'Carl']);
    const read = answer.items[0].tiles.flatMap((isRead: boolean, n: number) => (isRead ? [n] : []));
    expect([read.length > 5, read[0] >= 13, read.at(-1) <= 22]).toEqual([true, true, true]);
  });

  it.each([
    ['to its upper left', 'crop=iw*0.7:ih*0.7:0:0'],
    ['to its lower half', 'crop=iw:ih*0.5:0:ih*0.5'],
  ])('is found when it was cropped %s', async (_to, crop) => {
    const cut = ['-vf', crop, '-c:v', 'libx264', '-crf', '24'];
    const answer = await trace(await recode(bob.video, cut, 'mp4', ['-ss', '13.37', '-t', '9']));
    expect(answer.items).toMatchObject([{ mediaId: world.mediaId, isMirrored: false }]);
    const read = answer.items[0].tiles.flatMap((isRead: boolean, n: number) => (isRead ? [n] : []));
    expect([read.length > 4, read[0] >= 13, read.at(-1) <= 22]).toEqual([true, true, true]);
  });

  it('is weighed together with another of the same video: what neither tells alone both tell', async () => {
    const dora = await world.invite('Dora');
    const halfOf = (from: number) =>
      recode(dora.video, ['-c:v', 'libx264', '-crf', '24'], 'mp4', ['-ss', `${from}`, '-t', '20']);
    const first = await trace(await halfOf(0));
    expect(first.outcome).not.toBe('traced');
    const both = await trace(await halfOf(20), `?albumId=${world.albumId}&with=${first.id}`);
    expect(both.together).toBe(1);
    expect(both.links.map(({ linkId }: { linkId: string }) => linkId)).toEqual([dora.linkId]);
  });

  it('that shows a photo as well is read by both', async () => {
    const { mediaId } = await seedPhoto(app, world.creator.userId, { side: 1200, isAlike: true });
    const photosId = await seedAlbum(app, world.creator.userId, [mediaId]);
    const emil = await world.invite('Emil', [world.albumId, photosId]);
    const wanted = [{ mediaId, rendition: 'p2048' }];
    const { pictures } = await world.viewerApi.lease(emil.visitId, wanted, emil.browser);
    const photos = await Promise.all(pictures.map(({ pack, keys }) => drawPack(pack, keys)));
    const shown = await recordScreen(photos, { seconds: 5, width: 1280, height: 720 });
    const fit = 'scale=1280:720,fps=30,setsar=1,format=yuv420p';
    const filter = ['-filter_complex', `[0:v]${fit}[a];[1:v]${fit}[b];[a][b]concat=n=2[v]`, '-map', '[v]'];
    const files = { 'video.mp4': emil.video, 'shown.mp4': shown };
    const both = ['-t', '12', '-i', 'video.mp4', '-i', 'shown.mp4', ...filter, '-c:v', 'libx264', '-crf', '26'];
    const answer = await trace(await withFfmpeg(files, both, 'both.mp4'), '');
    expect(answer).toMatchObject({ outcome: 'traced', hasOriginal: false, links: [{ linkId: emil.linkId }] });
    expect(answer.leak.stills).toBeGreaterThan(0);
    const kinds = answer.items.map((item: { mediaId: string; isMoving: boolean }) => [item.mediaId, item.isMoving]);
    expect(kinds).toEqual([
      [world.mediaId, true],
      [mediaId, false],
    ]);
  });

  it('keeps what its video said when its pictures cannot be laid side by side', async () => {
    const { id } = await trace(
      await recode(bob.video, ['-c:v', 'libx264', '-crf', '26'], 'mp4', ['-ss', '13.37', '-t', '9']),
    );
    const { context, close } = await openTraceContext(app, await openWalls({ hidden: [] }), id);
    const drawSheet = () => Promise.reject(new LeakRefused('TIMEOUT', 'its child'));
    const read = await readCopy({ ...context, clipReader: { ...context.clipReader, drawSheet } });
    await close();
    expect(read).toMatchObject({
      outcome: 'read',
      result: { read: { items: [{ mediaId: world.mediaId }], hasOriginal: true } },
    });
  });

  it('of something else is of nothing of hers', async () => {
    const stranger = await recode(await drawVideo({ seconds: 6, seed: 77 }), ['-c:v', 'libx264']);
    const sentence = expect.stringContaining('Nothing from this album was found in this clip.');
    expect(await trace(stranger)).toMatchObject({ outcome: 'no_match', sentence });
  });

  describe('as a still', () => {
    it('out of the video finds it and names nobody', async () => {
      const answer = await trace(await shootFrame(bob.video, 21.5));
      expect(['inconclusive', 'no_match']).toContain(answer.outcome);
      expect(answer.links).toEqual([]);
    });
  });
});
