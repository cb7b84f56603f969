import { createDecipheriv, createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingKey } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { readBoxes } from '#tests/support/media/boxes.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { filesOf, mediumOf, whenEnded } from '#tests/support/media/kept-media.ts';
import { chunksOf } from '#tests/support/media/open-pack.ts';
import { openVideo } from '#tests/support/media/open-video.ts';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { type Person, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { decryptSegment, segmentKeysOf } from '../formats/keys.ts';
import { packIdBytes } from '../formats/pack.ts';
import { findMediaKey } from '../keys-store.ts';

if (!canDrawClips) warnNoClips();

let app: TestApp;
let ana: Person;
let albumId: string;
let viewerApi: ViewerApi;

interface SegmentFile {
  slot: number;
  path: string;
  lengths: number[];
  sha256: Buffer;
}

describe.runIf(canDrawClips)('a video', () => {
  beforeAll(async () => {
    app = await openTestApp();
    viewerApi = await openViewerApi(app);
    ana = await signUpCreator(app);
    if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    albumId = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, ana.browser)).body.id;
  });
  afterAll(() => app.close());

  const failureOf = async (id: string) => {
    await whenEnded(app, id);
    const { items } = (await app.call('albums.one', { albumId }, ana.browser)).body;
    const { failCode, failText } = items.find((item: { id: string }) => item.id === id);
    return [failCode, failText];
  };
  const keyOf = async (id: string) => {
    const key = await app.engines.database.work({ kind: 'system' }, (tx) => findMediaKey(tx, app.engines.keys, id));
    if (key === undefined) throw new Error('no key');
    return key;
  };

  const send = async (bytes: Buffer, name = 'clip.mp4') => (await sendFile(app, ana, albumId, { name, bytes })).id;

  // The smallest that has two rungs, with what a telephone writes into its videos.
  const reported = ['+48.8583+002.2945/', 'Telephone 9', 'our secret', '2019-07-14'];
  const drawTour = () => {
    const tags = [
      `location=${reported[0]}`,
      `make=${reported[1]}`,
      `comment=${reported[2]}`,
      `creation_time=${reported[3]}T10:00:00Z`,
    ];
    const also = [...tags.flatMap((tag) => ['-metadata', tag]), '-movflags', 'use_metadata_tags'];
    return drawClip({ seconds: 3, width: 568, height: 568, ending: 'mov', also });
  };

  describe('of two rungs', () => {
    let id: string;
    beforeAll(async () => {
      // It is what its bytes say, whatever it is called.
      id = await send(drawTour(), 'holiday.jpg');
      await whenEnded(app, id);
    });

    it('is stored in two variants of both, its sound, a poster and a storyboard, each under its own keys', async () => {
      const medium = await mediumOf(app, id);
      expect(medium).toMatchObject({
        state: 'ready',
        kind: 'video',
        mime_sniffed: 'video/quicktime',
        width: 568,
        height: 568,
        duration_ms: 3000,
        has_audio: true,
        hdr: false,
        fps: 30,
        progress: null,
      });
      const packs = await readRows(app, 'select * from packs where media_id = $1 order by rendition', [id]);
      expect(
        packs.map(({ rendition, mark, segments, width, height }) => [rendition, mark, segments, width, height]),
      ).toEqual([
        ['audio', '-', 1, null, null],
        ['poster', 'AB', null, 568, 568],
        ['posterthumb', 'AB', null, 512, 512],
        ['storyboard', 'AB', null, 1120, 960],
        ['v480', 'AB', 3, 480, 480],
        ['v720', 'AB', 3, 568, 568],
      ]);
      const named = await readRows(
        app,
        'select path from packs where media_id = $1 union all select s.path from segment_files s join packs p on p.id = s.pack_id where p.media_id = $1',
        [id],
      );
      const stored = [...named.map(({ path }) => path), medium?.original_path];
      expect((await filesOf(app, id)).toSorted()).toEqual(stored.toSorted());
    });

    it('is stored as segments that open with the keys of a codeword, and with no other', async () => {
      const mediaKey = await keyOf(id);
      const pack = await readRow<{ id: string; path: string }>(
        app,
        `select * from packs where media_id = $1 and rendition = 'v720'`,
        [id],
      );
      const files = await readRows<SegmentFile>(app, 'select * from segment_files where pack_id = $1 order by slot', [
        pack.id,
      ]);
      expect(files.map(({ slot, lengths }) => [slot, lengths.length])).toEqual([
        [0, 3],
        [1, 3],
      ]);
      const init = await app.engines.storage.read(pack.path);
      expect(readBoxes(init).map(({ path }) => path)).toEqual(expect.arrayContaining(['/ftyp', '/moov/mvex/trex']));
      const packId = packIdBytes(pack.id);
      const bits = Uint8Array.of(1, 0, 1);
      const keys = segmentKeysOf(mediaKey, packId, 'v720', bits, 0);
      for (const [n, bit] of bits.entries()) {
        const { path, lengths, sha256 } = files[bit] as SegmentFile;
        const stored = await app.engines.storage.read(path);
        expect(createHash('sha256').update(stored).digest().equals(sha256)).toBe(true);
        const from = lengths.slice(0, n).reduce((sum, length) => sum + length, 0);
        const segment = stored.subarray(from, from + (lengths[n] ?? 0));
        const iv = Buffer.alloc(16);
        iv.writeUInt32BE(n, 12);
        const decipher = createDecipheriv('aes-128-cbc', keys.subarray(16 * n, 16 * n + 16), iv);
        const clear = Buffer.concat([decipher.update(segment), decipher.final()]);
        expect(readBoxes(clear).map(({ path: box }) => box)).toEqual(expect.arrayContaining(['/moof', '/mdat']));
        expect(clear.equals(decryptSegment(mediaKey, packId, 'v720', bit as 0 | 1, n, segment))).toBe(true);
        expect(stored.includes('moof')).toBe(false);
      }
    });

    it('keeps nothing of where, when and with what it was made in anything that is stored for viewers', async () => {
      const medium = await mediumOf(app, id);
      expect(medium?.removed).toEqual(expect.arrayContaining(['location', 'device', 'text']));
      const search = (what: string, bytes: Buffer) =>
        expect([what, reported.filter((word) => bytes.includes(word))]).toEqual([what, []]);
      const tracks = new Set<string>();
      for await (const { what, bytes, kind } of openVideo(app, id)) {
        search(what, bytes);
        // Pictures have pixels and nothing else; what a video has is looked at beside this, box by box.
        if (kind !== 'video') expect([what, chunksOf(bytes)]).toEqual([what, ['VP8 ']]);
        tracks.add(what.split(' ', 2).join(' '));
      }
      expect([...tracks].toSorted()).toEqual(
        [
          'audio 0',
          'teaser',
          ...['poster', 'posterthumb', 'storyboard', 'v480', 'v720'].flatMap((track) => [`${track} 0`, `${track} 1`]),
        ].toSorted(),
      );
      const { items } = (await app.call('albums.one', { albumId }, ana.browser)).body;
      search('the list', Buffer.from(JSON.stringify(items)));
    });
  });

  it('that takes a while shows its poster first, tells how far it is, and lets photos pass', async () => {
    const received: string[] = [];
    const listening = await app.engines.database.listen(
      ({ kind, mediaId }) => void received.push(`${kind} ${mediaId}`),
      () => undefined,
    );
    const id = await send(drawClip({ seconds: 8, width: 640, height: 360 }));
    const photo = await send(await paintJpeg(5, 300, 200), 'photo.jpg');
    await vi.waitFor(async () => expect((await mediumOf(app, photo))?.state).toBe('ready'));
    await vi.waitFor(async () => expect((await mediumOf(app, id))?.thumbhash).not.toBeNull());
    expect(await mediumOf(app, id)).toMatchObject({ state: 'processing', duration_ms: 8000 });
    const packs = await readRows(app, 'select rendition from packs where media_id = $1 order by 1', [id]);
    expect(packs.map(({ rendition }) => rendition)).toEqual(['poster', 'posterthumb']);
    const own = await viewerApi.preview([{ mediaId: id, rendition: 'posterthumb' }], ana.browser);
    expect(own.pictures).toHaveLength(1);
    await vi.waitFor(
      async () => {
        const { items } = (await app.call('albums.one', { albumId }, ana.browser)).body;
        const item = items.find((each: { id: string }) => each.id === id);
        expect(item).toMatchObject({ state: 'processing', kind: 'video', durationMs: 8000 });
        expect(item.progress).toBeGreaterThan(0);
      },
      { interval: 100 },
    );
    expect((await whenEnded(app, id))?.state).toBe('ready');
    expect(received.filter((news) => news === `media.progress ${id}`).length).toBeGreaterThan(1);
    await vi.waitFor(() => expect(received).toContain(`media.ready ${id}`));
    await listening.close();
  });

  it('is refused with the words of its limit', async () => {
    const limit = async (key: SettingKey, value: number) => {
      const set = { key, value, by: null, now: new Date() };
      await app.engines.database.work({ kind: 'system' }, (tx) => writeSetting(tx, set));
      await vi.waitFor(async () => expect((await settingsOf(app.engines))[key]).toBe(value));
    };
    await limit('limits.videoMinutes', 1);
    const long = drawClip({ seconds: 62, fps: 5, width: 64, height: 64, hasSound: false });
    expect(await failureOf(await send(long))).toEqual(['TOO_LONG', 'Videos can be up to 1 minute.']);
    await limit('limits.videoFps', 30);
    const [code, text] = await failureOf(await send(drawClip({ fps: 60 })));
    expect([code, text]).toEqual(['TOO_BIG', 'Videos can be up to 30 frames per second.']);
    await limit('limits.videoFps', 120);
    await limit('limits.videoBytes', 1_000_000);
    const big = Buffer.concat([drawClip(), Buffer.alloc(1_000_001)]);
    expect(await failureOf(await send(big))).toEqual(['TOO_BIG', 'Videos can be up to 0.001 GB.']);
    await limit('limits.videoBytes', 4_000_000_000);
    await limit('limits.videoMinutes', 60);
  });

  it('whose picture ends before its sound is as long as its sound, and marked to its end', async () => {
    const clip = drawClip({ seconds: 3, width: 128, height: 96, also: ['-vf', 'trim=end_frame=1'] });
    const id = await send(clip, 'one picture.mp4');
    expect(await whenEnded(app, id)).toMatchObject({ state: 'ready', duration_ms: 3000, has_audio: true });
    const { segments, durations_us: lengths } = await readRow<{ segments: number; durations_us: number[] }>(
      app,
      `select segments, durations_us from packs where media_id = $1 and rendition = 'v720'`,
      [id],
    );
    expect([segments, lengths]).toEqual([3, [1e6, 1e6, 1e6]]);
  });

  it('is what its bytes say, whatever it is called', async () => {
    expect(await failureOf(await send(await paintJpeg(6, 300, 200), 'video.mp4'))).toEqual([null, null]);
    expect(await failureOf(await send(Buffer.from('#EXTM3U\nhttp://127.0.0.1:1/a.ts\n'), 'list.mp4'))).toEqual([
      'UNSUPPORTED',
      "This file type isn't supported",
    ]);
    expect(await failureOf(await send(drawClip({ also: ['-vn'] }), 'sound.mp4'))).toEqual([
      'NO_VIDEO_TRACK',
      "There's no video in this file",
    ]);
    const cut = drawClip({ seconds: 4, also: ['-movflags', '+faststart'] });
    expect(await failureOf(await send(cut.subarray(0, cut.length / 2), 'cut.mp4'))).toEqual([
      'CORRUPT',
      'This file is damaged – try exporting it again',
    ]);
  });
});
