import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VideoLease } from '#features/media/contract.ts';
import { type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedVideo;

beforeAll(async () => {
  app = await openTestApp();
  shared = await shareVideo(app);
});
afterAll(() => app.close());

describe('the bytes of a video', () => {
  test('come with the token of its lease, the beginning in the clear and the rest by range', async () => {
    const [lease] = await shared.someKeys(await shared.open());
    const { packId, token } = lease as VideoLease;
    const init = await shared.askBytes(packId, 'init', token);
    expect([init.status, init.bytes]).toEqual([200, shared.video.tracks.v720.init]);
    expect(init.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    const some = await shared.askBytes(packId, 1, token, '16-47');
    expect([some.status, some.bytes]).toEqual([206, shared.video.tracks.v720.files[1]?.subarray(16, 48)]);
  });

  test.each([
    ['without a range', undefined],
    ['with an open range', '0-'],
    ['with a range behind the end', '0-99999999'],
    ['with a range backwards', '20-10'],
    ['with two ranges', '0-1,4-5'],
  ])('are refused %s', async (_, range) => {
    const [lease] = await shared.someKeys(await shared.open());
    const { packId, token } = lease as VideoLease;
    expect((await shared.askBytes(packId, 0, token, range)).status).toBe(422);
  });

  test("do not exist without a token, with another rendition's, a changed one or an old one", async () => {
    const [video, sound] = await shared.someKeys(await shared.open(), [
      { track: 'v720', from: 0, count: 1 },
      { track: 'audio', from: 0, count: 1 },
    ]);
    const { packId, token } = video as VideoLease;
    const forged = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    for (const bad of ['', 'x', forged, sound?.token ?? '']) {
      expect((await shared.askBytes(packId, 'init', bad)).status).toBe(404);
      expect((await shared.askBytes(packId, 0, bad, '0-15')).status).toBe(404);
    }
    for (const part of ['2', '00', 'init2', '-1'])
      expect((await shared.askBytes(packId, part, token, '0-15')).status).toBe(404);
    expect((await shared.askBytes(sound?.packId ?? '', 1, sound?.token ?? '', '0-15')).status).toBe(404);
    app.setNow(new Date(app.engines.clock() + 30_001).toISOString());
    expect((await shared.askBytes(packId, 0, token, '0-15')).status).toBe(404);
  });

  test("are no pack: the way of the photos does not know them, nor the videos' way a photo", async () => {
    const look = await shared.open();
    const [lease] = await shared.someKeys(look);
    const { packId, token } = lease as VideoLease;
    const asPack = await shared.viewerApi.fetch(
      `/m/c/${packId}/AAAAAAAAAAAAAAAA`,
      { headers: { 'pf-lease': token } },
      look.browser,
    );
    expect(asPack.status).toBe(404);
    const { head } = await shared.viewerApi.tap(look.slug, {}, look.browser);
    const [poster] = head.leases;
    expect((await shared.askBytes(poster.packId, 'init', poster.token)).status).toBe(404);
  });
});
