import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Policy } from '#features/links/policy.ts';
import type { VideoLease } from '#features/media/contract.ts';
import { newId } from '#kit/ids.ts';
import { type Look, type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { seedVideo } from '#tests/support/media/videos.ts';
import { giveReadableSlug } from '#tests/support/money/credits.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';
import { gates, openWatched } from '../viewers/closing-gates.ts';

guards('src/features/media/**', 'src/engines/video/**');

/** What went wrong elsewhere with pictures, asked of videos: a video has more ways to its bytes than a picture. */
const leaseMs = 30_000;
const noon = '2026-11-21T12:00:00Z';

let app: TestApp;
let shared: SharedVideo;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, now: noon });
  shared = await shareVideo(app);
});
afterAll(() => app.close());

const playlists = ['main.m3u8', 'v720.m3u8', 'v480.m3u8', 'audio.m3u8'];
const batch = [
  { track: 'v720', from: 0, count: 3 },
  { track: 'v480', from: 0, count: 3 },
  { track: 'audio', from: 0, count: 2 },
];
const stills = () => ['poster', 'storyboard'].map((rendition) => ({ mediaId: shared.video.mediaId, rendition }));

const updateLink = (linkId: string, change: object) =>
  must(app, 'links.update', { linkId, ...change }, shared.creator.browser);

/** Statuses of the three bytes of a rendition: its beginning, and the first of each variant. */
const askParts = async ({ packId, track, token }: Pick<VideoLease, 'packId' | 'track' | 'token'>) => {
  const parts = track === 'audio' ? ['init', '0'] : ['init', '0', '1'];
  return Promise.all(
    parts.map(
      async (part) => (await shared.askBytes(packId, part, token, part === 'init' ? undefined : '0-15')).status,
    ),
  );
};
/** What each way of a player gives, asked directly: true where it gives anything of the video. */
async function waysOpen(look: Look): Promise<Record<string, boolean>> {
  const { visitId, browser } = look;
  const found: Record<string, boolean> = {};
  for (const name of playlists) found[name] = /EXTM3U|pfkey/.test((await shared.askPlaylist(look, name)).text);
  const keys = await shared.askKeys(look, batch);
  found.keys = keys.status === 200 || /"keys"|"token"/.test(JSON.stringify(keys.body));
  const leased = await shared.viewerApi.lease(visitId, stills(), browser);
  found.stills = leased.pictures.length > 0 || leased.head !== undefined;
  found.renewal = (await app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser)).status === 200;
  return found;
}
const everyWay = [...playlists, 'keys', 'stills', 'renewal'];
const waysGiven = async (look: Look) => Object.entries(await waysOpen(look)).flatMap(([way, is]) => (is ? [way] : []));

test.each(Object.entries(gates))(
  'immich#29599: a video behind a closed gate (%s) gives no playlist, key, still or byte, each asked directly',
  async (name, gate) => {
    const world = { app, shared };
    const look = await openWatched(world, shared.videoAlbumId);
    expect(await waysGiven(look)).toEqual(everyWay);
    const lent = await shared.someKeys(look, batch);
    for (const lease of lent) expect(new Set(await askParts(lease))).toEqual(new Set([200, 206]));
    // Somebody who knows every address and was never let in.
    const stranger = { ...look, browser: newBrowser() };
    expect(await waysGiven(stranger)).toEqual([]);

    onTestFinished(async () => {
      await gate.reopen?.(world, look);
      app.setNow(noon);
    });
    await gate.close(world, look);
    const { browser, body } = gate.asker?.(look) ?? { browser: look.browser, body: {} };

    expect([name, await waysGiven({ ...look, browser }), await waysGiven(stranger)]).toEqual([name, [], []]);
    const again = await shared.viewerApi.tap(look.slug, body, browser);
    expect([again.pictures.length, again.head, again.refusal?.reason]).toEqual([0, undefined, gate.says]);
    for (const { packId, track } of lent) {
      const other = lent.find((lease) => lease.packId !== packId)?.token ?? '';
      for (const token of ['', other, other.slice(0, -2)])
        expect([name, track, await askParts({ packId, track, token })]).toEqual([
          name,
          track,
          [404, 404, 404].slice(track === 'audio' ? 1 : 0),
        ]);
    }
    // What was lent before ends with its lease.
    advance(app, leaseMs + 1);
    for (const lease of lent) expect(new Set(await askParts(lease))).toEqual(new Set([404]));
  },
);

/** A browser on a computer, which every link lets in unless its rules say otherwise. */
const desk =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

/** For every rule of a policy: the change, and why the next batch of keys is refused; `undefined` where who watches may go on. */
const bites: Record<keyof Policy, { rules?: Partial<Policy>; more?: object; reason?: string }> = {
  notBefore: { rules: { notBefore: '2026-11-22T12:00:00Z' }, reason: 'NOT_YET' },
  openForMs: { rules: { openForMs: 60_000 }, reason: 'TIMED_OUT' },
  viewBudgetMs: { rules: { viewBudgetMs: 60_000 }, reason: 'TIME_USED' },
  maxVisits: { rules: { maxVisits: 1 } },
  maxViewers: { rules: { maxViewers: 1 } },
  bindFirstViewer: { rules: { bindFirstViewer: true } },
  maxConcurrent: { rules: { maxConcurrent: 1 } },
  ageGate: { rules: { ageGate: true }, reason: 'NEED_AGE' },
  password: { more: { password: 'sea glass' }, reason: 'NEED_PASSWORD' },
  geo: { rules: { geo: { mode: 'allow', countries: ['JP'], whenUnknown: 'deny' } }, reason: 'GEO_BLOCKED' },
  email: { rules: { email: { verify: true, allow: [] } }, reason: 'NEED_EMAIL' },
  agreementId: { rules: { agreementId: '0199a5c0-0000-7000-8000-000000000001' }, reason: 'NEED_AGREEMENT' },
  offers: { rules: { offers: [{ id: 'a', all: [{ kind: 'approval' }] }] }, reason: 'NEED_APPROVAL' },
  mark: { rules: { mark: 'off' } },
  blurWhenUnfocused: { rules: { blurWhenUnfocused: false } },
  recipientInMark: { rules: { recipientInMark: true } },
  holdToView: { rules: { holdToView: true } },
  desktopAllowed: { rules: { desktopAllowed: false }, reason: 'NEED_PHONE' },
  autoResponse: { rules: { autoResponse: { do: 'close', threshold: 3 } } },
};
/** Not to be offered yet: written as a later version will write them. */
const laterOn = new Set(['email', 'agreementId', 'offers']);
const writeRules = (linkId: string, rules: object) =>
  readRows(app, 'update magic_links set policy = $2, policy_version = policy_version + 1 where id = $1', [
    linkId,
    JSON.stringify(Policy.parse({ ageGate: false, ...rules })),
  ]);

test('immich#25497: there is a change for every field of a policy', () => {
  expect(Object.keys(bites).sort()).toEqual(Object.keys(Policy.shape).sort());
});

test.each(Object.entries(bites))(
  'immich#25497: %s, changed while a video plays, is felt by the next batch of its keys, and no later',
  async (field, { rules, more, reason }) => {
    const look = await shared.open();
    look.browser.headers = { 'user-agent': desk };
    // Beats, as a page sends them, while the video plays for more than a minute.
    for (let n = 0; n < 8; n++) {
      advance(app, 10_000);
      const samples = [{ mediaId: shared.video.mediaId, visibleMs: 10_000 }];
      const beat = { visitId: look.visitId, samples, idleMs: 0, lookingAt: shared.video.mediaId };
      expect((await app.call('viewing.renew', beat, look.browser)).status).toBe(200);
    }
    await shared.someKeys(look);

    if (laterOn.has(field)) await writeRules(look.linkId, rules ?? {});
    else await updateLink(look.linkId, { ...(rules && { rules: { ageGate: false, ...rules } }), ...more });

    const next = await shared.askKeys(look, [{ track: 'v720', from: 10, count: 10 }]);
    expect([field, next.status, next.body.data?.reason]).toEqual([field, reason ? 410 : 200, reason]);
    const ways = reason ? [] : everyWay;
    expect([field, await waysGiven(look)]).toEqual([field, ways]);
    // And back: nothing keeps the answer from before.
    await writeRules(look.linkId, {});
    const { head } = await shared.viewerApi.tap(look.slug, {}, look.browser);
    expect([field, await waysGiven({ ...look, visitId: head.visitId })]).toEqual([field, everyWay]);
  },
);

test("immich#12835: whoever plays a video learns neither its owner's address nor its file's name, place or time", async () => {
  const { creator, video, videoAlbumId } = shared;
  const secret = { name: 'MOV_SECRET_4711.MOV', taken: '2019-03-04' };
  await readRows(app, 'update media set original_name = $2, taken_at = $3 where id = $1', [
    video.mediaId,
    secret.name,
    secret.taken,
  ]);
  const look = await shared.open();
  const opened = await shared.viewerApi.tap(look.slug, {}, look.browser);
  const leased = await shared.viewerApi.lease(opened.head.visitId, stills(), look.browser);
  const own = { ...look, visitId: opened.head.visitId };
  const lists = await Promise.all(playlists.map((name) => shared.askPlaylist(own, name)));
  const keys = await shared.askKeys(own, batch);
  const parts = await Promise.all(
    keys.body.leases.map(({ packId, token }: VideoLease) => shared.askBytes(packId, 'init', token)),
  );
  expect([leased.pictures.length, keys.status, parts.length]).toEqual([2, 200, 3]);
  expect(lists.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const headers = [opened, leased, ...lists, ...parts].map((answer) => [...answer.headers]);
  const said = JSON.stringify([opened.head, leased.head, lists.map(({ text }) => text), keys.body, headers]);
  const never = [
    creator.email,
    creator.userId,
    'MOV_SECRET',
    '.MOV',
    'media/',
    '2019-03',
    'takenAt',
    'exif',
    'segment_files',
  ];
  for (const word of [...never, videoAlbumId, look.linkId]) expect([word, said.includes(word)]).toEqual([word, false]);
});

test('immich#20528, #20819, #21443: however a viewer came in, every way to every piece of a video works', async () => {
  const more = { albumIds: [shared.videoAlbumId] };
  const plain = await shared.makeLink({}, more);
  const readable = await giveReadableSlug(app, shared.creator, (await shared.makeLink({}, more)).id);
  const locked = await shared.makeLink({}, { ...more, password: 'blue orchard' });
  const ways: [string, Browser, string, object][] = [
    ['a slug', newBrowser(), plain.slug, {}],
    ['a readable slug', newBrowser(), readable, {}],
    ['a password', newBrowser(), locked.slug, { password: 'blue orchard' }],
  ];
  const { head } = await shared.viewerApi.tap(plain.slug, {}, newBrowser());
  ways.push(['a resume code', newBrowser(), plain.slug, { resumeCode: head.resumeCode }]);
  for (const [way, browser, slug, body] of ways)
    for (const again of [false, true]) {
      const opened = await shared.viewerApi.tap(slug, again ? {} : body, browser);
      const look = { browser, visitId: opened.head.visitId, linkId: '', slug };
      expect([way, again, await waysGiven(look)]).toEqual([way, again, everyWay]);
      for (const [list, track] of [
        ['v720.m3u8', 'v720'],
        ['v480.m3u8', 'v480'],
        ['audio.m3u8', 'audio'],
      ] as const) {
        const { text } = await shared.askPlaylist(look, list);
        const [lease] = await shared.someKeys(look, [{ track, from: 0, count: 4 }]);
        const listed = [...text.matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)\n\/m\/s\/([^/]+)\/(\d)/g)].slice(0, 4);
        expect(listed).toHaveLength(4);
        for (const [, length, from, packId = '', slot = ''] of listed) {
          const range = `${from}-${Number(from) + Number(length) - 1}`;
          const { status, bytes } = await shared.askBytes(packId, slot, lease?.token ?? '', range);
          expect([way, again, track, status, bytes.length]).toEqual([way, again, track, 206, Number(length)]);
        }
      }
    }
});

test("PiGallery2 3.6, Ghost 6.65: no address leads a viewer to a video's original, and none is guessed from its segments", async () => {
  const { video, creator } = shared;
  const { tracks, mediaId } = video;
  const sibling = await seedVideo(app, creator.userId, { seconds: 5 });
  const look = await shared.open();
  const [lease] = await shared.someKeys(look);
  const { token } = lease as VideoLease;
  const own = `/m/s/${tracks.v720.packId}`;
  const folder = `media/${mediaId}/${tracks.v720.packId}/v720`;
  const guesses = [
    ...['', '/', '/2', '/00', '/01', '/-1', '/1.mp4', '/0_o', '/original', '/init.mp4', '/v720.m3u8', '/../init'].map(
      (end) => `${own}${end}`,
    ),
    ...['init', '0', '1'].flatMap((part) =>
      [
        tracks.v480.packId,
        tracks.audio.packId,
        video.packs.poster,
        sibling.tracks.v720.packId,
        mediaId,
        newId(app.engines.clock()),
      ].map((id) => `/m/s/${id}/${part}`),
    ),
    `/m/c/${tracks.v720.packId}/AAAAAAAAAAAAAAAA`,
    `/m/o/${mediaId}`,
    `/media/${mediaId}/original`,
    `/${folder}/0`,
    `/data/files/${folder}/0`,
    `/files/${mediaId}`,
    `/api/media/${mediaId}/original`,
    `/api/media/${mediaId}/video/main.m3u8`,
    ...['', '/original', '/main', '/v720', '/v720.mp4', '/v1080.m3u8', '/poster.m3u8', '/main.m3u8.m3u8'].map(
      (end) => `/api/view/videos/${look.visitId}/${mediaId}${end}`,
    ),
    ...playlists.map((name) => `/api/view/videos/${look.visitId}/${sibling.mediaId}/${name}`),
  ];
  for (const guess of guesses)
    for (const range of [undefined, 'bytes=0-15']) {
      const headers: Record<string, string> = { 'pf-lease': token, ...(range !== undefined && { range }) };
      const { status } = await shared.viewerApi.fetch(guess, { headers }, look.browser);
      expect([guess, range, status >= 400 && status < 500]).toEqual([guess, range, true]);
    }
  // The right one, at the same moment, is there.
  expect((await shared.askBytes(tracks.v720.packId, 0, token, '0-15')).status).toBe(206);
});
