import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { canDrawClips, drawClip, tellNoClips } from '#tests/support/clips.ts';
import { openDoing } from '#tests/support/doing.ts';
import { type Browser, type HouseInTest, newBrowser, openHouse } from '#tests/support/house.ts';
import { drawFilm, recode, shootFrame } from '#tests/support/leaked-clips.ts';
import { drawPack, untilTraced, upload } from '#tests/support/leaks.ts';
import { type Person, pass, readRows, signUpCreator } from '#tests/support/people.ts';
import { seedAlbum, seedPhoto } from '#tests/support/pictures.ts';
import { openSalon, type Salon } from '#tests/support/salon.ts';
import { sendFile } from '#tests/support/send-file.ts';
import { watchFilm } from '#tests/support/watch-film.ts';
import { recordScreen, withFfmpeg } from '#tests/support/with-ffmpeg.ts';
import { traceFile, verifyEvidenceFile } from './commands.ts';
import { readCopy } from './read-copy.ts';
import { LeakRefused } from './trace-task.ts';
import { verifyEvidence } from './verify-evidence.ts';

if (!canDrawClips) tellNoClips();
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let house: HouseInTest;
let salon: Salon;
let creator: Person;
let albumId: string;
let filmId: string;

/** Somebody whose link shows the film, and what their player got of it. */
interface Watcher {
  linkId: string;
  browser: Browser;
  visitId: string;
  film: Buffer;
}

async function invite(linkName: string, albumIds = [albumId]): Promise<Watcher> {
  const rules = { ageGate: false };
  const input = { albumIds, linkName, recipientName: linkName, rules, isLaxConfirmed: true };
  const { body: link } = await house.call('links.create', input, creator.browser);
  pass(house, 1000);
  const browser = newBrowser();
  const { visitId } = (await salon.tap(link.slug, {}, browser)).head;
  return { linkId: link.id, browser, visitId, film: await watchFilm({ house, salon, visitId, browser }, filmId) };
}

async function trace(bytes: Buffer, query = `?albumId=${albumId}`) {
  pass(house, 1000);
  const { status, body } = await upload({ salon }, bytes, creator.browser, query);
  expect(status).toBe(201);
  return untilTraced({ house }, body.traceId, creator.browser, 300);
}

describe.runIf(canDrawClips)('a leaked clip', () => {
  let bob: Watcher;
  let carl: Watcher;
  let ownTraceId = '';
  beforeAll(async () => {
    house = await openHouse();
    salon = await openSalon(house);
    creator = await signUpCreator(house);
    if (!house.app.server.listening) await house.app.listen({ port: 0, host: '127.0.0.1' });
    albumId = (await house.call('albums.create', { name: 'Films' }, creator.browser)).body.id;
    filmId = (
      await sendFile(house, creator, albumId, { name: 'film.mp4', bytes: await drawFilm({ width: 512, height: 288 }) })
    ).id;
    const stateOf = () =>
      house.engines.database.work({ kind: 'system' }, ({ db }) =>
        db.selectFrom('media').select('state').where('id', '=', filmId).executeTakeFirst(),
      );
    await vi.waitFor(async () => expect((await stateOf())?.state).toBe('ready'), { timeout: 300_000, interval: 200 });
    bob = await invite('Bob');
    carl = await invite('Carl');
  });
  beforeEach(() => pass(house, 1000));
  afterAll(() => house.close());

  const fetchFile = (path: string, method: string, browser = creator.browser) =>
    salon.fetch(`/api/traces/${path}`, { method }, browser);

  it('names the link whose mixture it is, coded anew with another clock and bars, and its evidence can be checked', async () => {
    const bars = 'scale=456:256,pad=456:336:0:40,fps=25';
    const clip = await recode(bob.film, ['-c:v', 'libx264', '-crf', '26', '-vf', bars], 'mov');
    const answer = await trace(clip);
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'traced',
      hasPreview: true,
      hasOriginal: true,
      sentence: expect.stringMatching(
        /^This copy was made from what .*was shown through (the link “Bob”|Bob)\. The chance/,
      ),
      links: [{ linkId: bob.linkId, word: 'traced', people: [{ name: 'Bob' }] }],
      numbers: { issued: 4 },
      items: [{ mediaId: filmId, kind: 'video', isMoving: true, isMirrored: false, columns: 40, rows: 1 }],
    });
    expect(answer.items[0].tiles.filter(Boolean).length).toBeGreaterThan(35);
    for (const picture of ['preview', 'original']) {
      const shown = await fetchFile(`${answer.id}/${picture}`, 'GET');
      expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).format).toBe('webp');
      expect((await fetchFile(`${answer.id}/${picture}`, 'GET', newBrowser())).status).toBe(401);
    }
    const evidence = await (await fetchFile(`${answer.id}/evidence.json`, 'POST')).text();
    const checks = verifyEvidence(evidence, { leaks: [clip] });
    expect(checks.filter(({ is }) => is === 'wrong')).toEqual([]);
    // The link may be named by its half and its viewer's together, where the viewer cannot be: then their codeword stays closed.
    const named = checks.find(({ what }) => what.startsWith('What was read names link'));
    expect(['right', 'open']).toContain(named?.is);
    expect((await fetchFile(`${answer.id}/evidence.pdf`, 'POST')).status).toBe(200);
  });

  // Whoever was named once is named by more only: each test that names has somebody of its own.
  it('is told of by the command as on the page, second by second, and one that cannot be read by its reason', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pf-clip-command-'));
    const tell = async (name: string, bytes: Buffer) => {
      writeFileSync(path.join(folder, name), bytes);
      return traceFile(house.engines, path.join(folder, name), creator.email);
    };
    try {
      const words = await tell('clip.mp4', await recode(carl.film, ['-c:v', 'libx264', '-crf', '24']));
      expect(words).toMatch(
        /^This copy was made from what .*was shown through (the link “Carl”|Carl)\. The chance .* 1 in [\d,]+\.\n/,
      );
      expect(words).toMatch(new RegExp(`^· video ${filmId}: \\d+ of 40 seconds were read$`, 'm'));
      expect(words).toMatch(
        new RegExp(`^· traced: link "Carl" ${carl.linkId}, chance of a coincidence below 1 in`, 'm'),
      );
      expect(words).toMatch(/^· SHA-256 of the copy [0-9a-f]{64}$/m);
      expect(words).not.toMatch(/Bob|tiles/);
      const broken = await tell('broken.mp4', drawClip({ seconds: 4 }).subarray(0, 6000));
      expect(broken).toBe(
        'It could not be read: This file is damaged. Save it once more from where you found it, and upload that.',
      );
      const other = await recode(await drawFilm({ seconds: 4, seed: 78 }), ['-c:v', 'libx264'], 'mkv');
      expect(await tell('other.mkv', other)).toMatch(
        /^Nothing of your albums was found in this clip\. If it shows photos, .*\n/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('of what its creator played in her studio is told to be her own, and names no link', async () => {
    const film = await watchFilm({ house, salon, browser: creator.browser }, filmId);
    const answer = await trace(await recode(film, ['-c:v', 'libx264', '-crf', '26']));
    expect(answer).toMatchObject({ outcome: 'traced', links: [] });
    expect(answer.sentence).toMatch(
      /^This copy was made from what you were shown yourself, in your studio\. The chance .* below 1 in/,
    );
    ownTraceId = answer.id;
  });

  it('has evidence that tells what of its film was lent, which a program compares with what was read', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pf-clip-evidence-'));
    const file = path.join(folder, 'evidence.json');
    /** As it is noted now. @returns what was lent, how far it was read, and the line of both */
    const verify = async () => {
      writeFileSync(file, await (await fetchFile(`${ownTraceId}/evidence.json`, 'POST')).text());
      const { items, ownLooks } = JSON.parse(readFileSync(file, 'utf8'));
      const words = await verifyEvidenceFile(file, { leaks: [], key: undefined });
      expect(words).toMatch(/\nNothing in it is wrong\.$/);
      const line = words.split('\n').find((each) => each.includes(`Every second of video ${filmId} that was read`));
      return { lent: ownLooks[0].lent, upTo: items[0].secondsRead.at(-1)[1], line, words };
    };
    const note = (seconds: string | null) =>
      readRows(
        house,
        `update deliveries set lent_seconds = $1 where grant_id in (select id from grants where kind = 'owner')`,
        [seconds],
      );
    const warning = 'What is marked ! is true and speaks against the answer.';
    const whole = await verify();
    expect(whole.lent).toEqual([{ mediaId: filmId, stretches: [[0, 40]] }]);
    expect(whole.upTo).toBeGreaterThan(35);
    expect(whole.line).toMatch(/^✓ .* had been lent to grant \S+$/);
    expect(whole.words).not.toContain(warning);
    await note('{[0,20)}');
    const half = await verify();
    expect(half.line).toMatch(/^! .* had been lent to grant \S+: \d+ of \d+ had not$/);
    expect(half.words).toContain(warning);
    await note(null);
    expect((await verify()).line).toMatch(/^\? .*: not noted then$/);
    rmSync(folder, { recursive: true });
  });

  it('is found when it is short, cut out of the middle, cropped and mirrored, and then names nobody', async () => {
    const cut = ['-vf', 'hflip,crop=iw*0.8:ih*0.8,fps=24', '-c:v', 'libx264', '-crf', '26'];
    const answer = await trace(await recode(bob.film, cut, 'mkv', ['-ss', '13.37', '-t', '9']));
    expect(answer).toMatchObject({
      outcome: 'inconclusive',
      sentence: 'Not enough of the mark could be read.',
      links: [],
      numbers: null,
      items: [{ mediaId: filmId, isMoving: true, isMirrored: true }],
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
    const answer = await trace(await recode(bob.film, cut, 'mp4', ['-ss', '13.37', '-t', '9']));
    expect(answer.items).toMatchObject([{ mediaId: filmId, isMirrored: false }]);
    const read = answer.items[0].tiles.flatMap((isRead: boolean, n: number) => (isRead ? [n] : []));
    expect([read.length > 4, read[0] >= 13, read.at(-1) <= 22]).toEqual([true, true, true]);
  });

  it('is weighed together with another of the same film: what neither tells alone both tell', async () => {
    const dora = await invite('Dora');
    const halfOf = (from: number) =>
      recode(dora.film, ['-c:v', 'libx264', '-crf', '24'], 'mp4', ['-ss', `${from}`, '-t', '20']);
    const first = await trace(await halfOf(0));
    expect(first.outcome).not.toBe('traced');
    const both = await trace(await halfOf(20), `?albumId=${albumId}&with=${first.id}`);
    expect(both.together).toBe(1);
    expect(both.links.map(({ linkId }: { linkId: string }) => linkId)).toEqual([dora.linkId]);
  });

  it('that shows a photo as well is read by both', async () => {
    const { mediaId } = await seedPhoto(house, creator.userId, { side: 1200, isAlike: true });
    const photosId = await seedAlbum(house, creator.userId, [mediaId]);
    const emil = await invite('Emil', [albumId, photosId]);
    const wanted = [{ mediaId, rendition: 'p2048' }];
    const { pictures } = await salon.lease(emil.visitId, wanted, emil.browser);
    const photos = await Promise.all(pictures.map(({ pack, keys }) => drawPack(pack, keys)));
    const shown = await recordScreen(photos, { seconds: 5, width: 1280, height: 720 });
    const fit = 'scale=1280:720,fps=30,setsar=1,format=yuv420p';
    const filter = ['-filter_complex', `[0:v]${fit}[a];[1:v]${fit}[b];[a][b]concat=n=2[v]`, '-map', '[v]'];
    const files = { 'film.mp4': emil.film, 'shown.mp4': shown };
    const both = ['-t', '12', '-i', 'film.mp4', '-i', 'shown.mp4', ...filter, '-c:v', 'libx264', '-crf', '26'];
    const answer = await trace(await withFfmpeg(files, both, 'both.mp4'), '');
    expect(answer).toMatchObject({ outcome: 'traced', hasOriginal: false, links: [{ linkId: emil.linkId }] });
    expect(answer.leak.stills).toBeGreaterThan(0);
    const kinds = answer.items.map((item: { mediaId: string; isMoving: boolean }) => [item.mediaId, item.isMoving]);
    expect(kinds).toEqual([
      [filmId, true],
      [mediaId, false],
    ]);
  });

  it('keeps what its film said when its pictures cannot be laid side by side', async () => {
    const { id } = await trace(
      await recode(bob.film, ['-c:v', 'libx264', '-crf', '26'], 'mp4', ['-ss', '13.37', '-t', '9']),
    );
    const { doing, close } = await openDoing(house, await openWalls({ hidden: [] }), id);
    const drawSheet = () => Promise.reject(new LeakRefused('TIMEOUT', 'its child'));
    const read = await readCopy({ ...doing, desk: { ...doing.desk, drawSheet } });
    await close();
    expect(read).toMatchObject({
      outcome: 'read',
      result: { read: { items: [{ mediaId: filmId }], hasOriginal: true } },
    });
  });

  it('of something else is of nothing of hers', async () => {
    const stranger = await recode(await drawFilm({ seconds: 6, seed: 77 }), ['-c:v', 'libx264']);
    const sentence = expect.stringContaining('Nothing of this album was found in this clip.');
    expect(await trace(stranger)).toMatchObject({ outcome: 'no_match', sentence });
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
    const set = { key: 'limits.clipMinutes', value: 1, by: null, now: new Date(house.engines.clock()) } as const;
    await house.engines.database.work({ kind: 'system' }, (tx) => writeSetting(tx, set));
    await vi.waitFor(async () => expect((await settingsOf(house.engines))['limits.clipMinutes']).toBe(1));
    const long = drawClip({ seconds: 62, fps: 5, width: 64, height: 64, hasSound: false });
    expect(await trace(long)).toMatchObject({ state: 'failed', failText: expect.stringMatching(/larger or longer/) });
  });

  describe('as a still', () => {
    it('out of the film finds it and names nobody', async () => {
      const answer = await trace(await shootFrame(bob.film, 21.5));
      expect(['inconclusive', 'no_match']).toContain(answer.outcome);
      expect(answer.links).toEqual([]);
    });
  });
});
