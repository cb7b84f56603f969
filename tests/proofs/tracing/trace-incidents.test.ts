import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTraceWork } from '#features/tracing/work/trace-work.ts';
import { newId } from '#kit/ids.ts';
import { readContents } from '#tests/support/database/row-counts.ts';
import { advance, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type Guest, type LeakWorld, listStored, openLeakWorld, resave, upload } from '#tests/support/tracing/leaks.ts';
import { guards } from '../counts.ts';

guards('src/features/tracing/**');

/** What went wrong elsewhere with pictures, asked of traces: a copy, what was read of it and its evidence are one creator's alone. */
let app: TestApp;
let world: LeakWorld;
let bob: Guest;
let copy: Buffer;
let traceId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openLeakWorld(app);
  bob = await world.invite('Bob');
  copy = await resave(bob);
  traceId = (await upload(world, copy, world.creator.browser)).body.traceId;
  const work = openTraceWork(app.engines, { arePhotosFirst: false });
  await work.run(traceId, new AbortController().signal);
  await work.close();
});
beforeEach(() => advance(app, 1000));
afterAll(() => app.close());

const files = [
  ['GET', 'preview'],
  ['POST', 'evidence.json'],
  ['POST', 'evidence.pdf'],
] as const;
const ask = (address: string, method: string, browser: Browser) => world.viewerApi.fetch(address, { method }, browser);

/** What each way to a trace gives this browser, asked directly. */
async function waysOf(browser: Browser, id = traceId): Promise<Record<string, number>> {
  const ways: Record<string, number> = {};
  for (const [method, file] of files) ways[file] = (await ask(`/api/traces/${id}/${file}`, method, browser)).status;
  ways.original = (await ask(`/api/traces/${id}/original`, 'GET', browser)).status;
  ways.one = (await app.call('tracing.one', { traceId: id }, browser)).status;
  ways.list = (await app.call('tracing.list', {}, browser)).status;
  ways.upload = (await upload(world, copy.subarray(0, 100), browser)).status;
  return ways;
}
const same = (status: number) => ({
  preview: status,
  'evidence.json': status,
  'evidence.pdf': status,
  original: status,
  one: status,
  list: status,
  upload: status,
});

/** What its creator gets; of a photo there is no moment to look at. */
const open = { ...same(200), original: 404, upload: 201 };

/** Each gate of the studio alone: how it is closed for somebody who is signed in. */
const gates: Record<string, string> = {
  'an account that was stopped': `status = 'suspended'`,
  'an account whose owner leaves': `status = 'deleting'`,
  'an address that was never confirmed': 'email_verified = false',
  'a plan that has ended': `is_free_user = false, subscription_status = 'inactive', trial_ends_at = null`,
};

test('immich#29599: a gate that is closed closes every way to a trace, its files and its evidence included', async () => {
  const { browser, userId } = world.creator;
  expect(await waysOf(browser)).toEqual(open);
  const [before] = await readRows(app, 'select * from users where id = $1', [userId]);
  const columns = ['status', 'email_verified', 'is_free_user', 'subscription_status', 'trial_ends_at'];
  for (const [gate, change] of Object.entries(gates)) {
    await readRows(app, `update users set ${change} where id = $1`, [userId]);
    expect([gate, await waysOf(browser)]).toEqual([gate, same(403)]);
    const set = columns.map((name, n) => `${name} = $${n + 2}`).join(', ');
    await readRows(app, `update users set ${set} where id = $1`, [userId, ...columns.map((name) => before?.[name])]);
    expect([gate, await waysOf(browser)]).toEqual([gate, open]);
  }
  expect(await waysOf(newBrowser())).toEqual(same(401));
  expect(await waysOf(bob.browser)).toEqual(same(401));
});

test('PiGallery2 3.6, Ghost 6.65: nobody but its creator gets a file of a trace, by its own address or a guessed one', async () => {
  const stranger = await signUpCreator(app);
  const theirs = (await upload(world, await resave(bob), stranger.browser)).body.traceId;
  const [preview, evidence] = await Promise.all([
    ask(`/api/traces/${traceId}/preview`, 'GET', world.creator.browser),
    ask(`/api/traces/${traceId}/evidence.json`, 'POST', world.creator.browser),
  ]);
  const secrets = [copy, Buffer.from(await preview.arrayBuffer()), Buffer.from((await evidence.text()).slice(0, 200))];
  expect(await listStored(app, traceId)).toEqual(['leak.pfo', 'preview.pfo', 'readings.pfo']);
  const stored = ['leak', 'preview', 'readings', 'leak.pfo', 'preview.pfo', 'readings.pfo', 'copy', 'key'];
  const own = ['preview', 'original', 'evidence.json', 'evidence.pdf'];
  const guesses = [
    ...[...own, ...stored].map((file) => `/api/traces/${traceId}/${file}`),
    ...own.flatMap((file) => [
      `/api/traces/${traceId.toUpperCase()}/${file}`,
      `/api/traces/${theirs}%2F..%2F${traceId}/${file}`,
      `/api/traces/${theirs}/${file}?traceId=${traceId}`,
      `/api/traces/${theirs}/..%2F${traceId}%2F${file}`,
    ]),
    ...stored.flatMap((file) => [
      `/files/traces/${traceId}/${file}`,
      `/data/files/traces/${traceId}/${file}`,
      `/m/s/${traceId}/${file}`,
    ]),
    `/files/${traceId}`,
    `/m/c/${traceId}/AAAAAAAAAAAAAAAA`,
    `/api/media/${traceId}/original`,
    `/api/v1/traces/${traceId}`,
    `/api/v1/traces/${traceId}/preview`,
  ];
  const headers = { 'pf-lease': 'AAAA' };
  for (const browser of [stranger.browser, bob.browser, newBrowser()])
    for (const guess of guesses)
      for (const method of ['GET', 'POST']) {
        const answer = await world.viewerApi.fetch(guess, { method, headers }, browser);
        const bytes = Buffer.from(await answer.arrayBuffer());
        const isTold = secrets.some((secret) => bytes.includes(secret.subarray(0, 40))) || bytes.includes('PFO1');
        expect([guess, method, isTold, answer.status >= 400]).toEqual([guess, method, false, true]);
      }
  // What is stored has no address for its creator either: there are the ones above and no more.
  for (const file of stored.filter((name) => !own.includes(name)))
    expect([file, (await ask(`/api/traces/${traceId}/${file}`, 'GET', world.creator.browser)).status]).toEqual([
      file,
      404,
    ]);
});

test("immich#12835: an evidence file, which is handed on, holds nobody's address, secret or network", async () => {
  await readRows(app, `update media set original_name = 'IMG_SECRET_4711.HEIC' where creator_id = $1`, [
    world.creator.userId,
  ]);
  const answer = await ask(`/api/traces/${traceId}/evidence.json`, 'POST', world.creator.browser);
  const said = await answer.text();
  expect(JSON.parse(said)).toMatchObject({ traceId });
  const cookies = [...world.creator.browser.cookies.values(), ...bob.browser.cookies.values()];
  for (const secret of [
    world.creator.email,
    'IMG_SECRET',
    '.HEIC',
    bob.slug,
    bob.browser.address ?? '-',
    'traces/',
    'media/',
    ...cookies,
  ])
    expect([secret, said.includes(secret)]).toEqual([secret, false]);
});

test('immich#20528, #20819, #21443: whichever list a trace was found in, every way to it works', async () => {
  const { browser } = world.creator;
  const lists = [{ albumId: world.albumId, limit: 100 }, { limit: 100 }];
  for (const list of lists) {
    const { body } = await app.call('tracing.list', list, browser);
    const listed = body.traces.find(({ id }: { id: string }) => id === traceId);
    expect([list, listed]).toMatchObject([list, { state: 'done', outcome: 'traced', hasPreview: true }]);
    expect([list, await waysOf(browser, listed.id)]).toEqual([list, open]);
    expect([list, (await ask(`/api/v1/traces/${listed.id}`, 'GET', browser)).status]).toEqual([list, 200]);
  }
});

const injections = [
  "name'; drop table traces; --",
  'newest, (select token from auth_sessions limit 1)',
  "1) or (select 1 from pg_sleep(5))::text = '1",
  "case when (select count(*) from users) > 0 then 'a' else 'b' end",
  "' union select wrapped from trace_keys --",
  '$1',
  "\\'; select 1; --",
];

/** Every call and address of videos and traces that takes words, with these in each place. */
function asksOf(text: string, { visitId, mediaId }: { visitId: string; mediaId: string }) {
  const [word, id] = [encodeURIComponent(text), newId(app.engines.clock())];
  const at = new Date(app.engines.clock()).toISOString();
  const cursors = [text, `${at}|${text}`, `${text}|${id}`, `${at}|${id}${text}`];
  const video = { visitId, mediaId, tracks: [{ track: 'v720', from: 0, count: 1 }] };
  const calls: [string, object][] = [
    ...cursors.map((cursor): [string, object] => ['tracing.list', { cursor }]),
    ['tracing.list', { albumId: text }],
    ['tracing.list', { limit: text }],
    ['tracing.list', { limit: 1, sort: text, order: text, filter: text }],
    ['tracing.one', { traceId: text }],
    ['tracing.remove', { traceId: text }],
    ['tracing.blockViewer', { viewerId: text }],
    ['tracing.unblockViewer', { viewerId: text }],
    ['insights.retention', { mediaId: text }],
    ['insights.videos', { days: text }],
    ['viewing.videoKeys', { ...video, visitId: text }],
    ['viewing.videoKeys', { ...video, mediaId: text }],
    ['viewing.videoKeys', { ...video, tracks: [{ track: text, from: 0, count: 1 }] }],
    ['viewing.videoKeys', { ...video, tracks: [{ track: 'v720', from: text, count: 1 }] }],
  ];
  const addresses = [
    ...['cursor', 'albumId', 'limit', 'sort'].map((name) => `/api/v1/traces?${name}=${word}`),
    `/api/v1/traces/${word}`,
    ...['preview', 'original'].flatMap((file) => [
      `/api/traces/${word}/${file}`,
      `/api/traces/${traceId}/${file}${word}`,
    ]),
    `/api/view/videos/${word}/${mediaId}/main.m3u8`,
    `/api/view/videos/${visitId}/${word}/main.m3u8`,
    `/api/view/videos/${visitId}/${mediaId}/${word}`,
    `/m/s/${word}/init`,
    `/m/s/${id}/${word}`,
  ];
  const queries = [`?albumId=${word}`, `?with=${word}`, `?albumId=${world.albumId}&with=${word}`];
  return { calls, addresses, queries };
}

test('CVE-2026-26980, CVE-2026-22596: words in cursors, filters, names of files and of videos are words', async () => {
  const { viewerApi, creator } = world;
  const { head } = await viewerApi.tap(bob.slug, {}, bob.browser);
  const things = { visitId: head.visitId, mediaId: world.photos[0]?.mediaId ?? '' };
  const before = await readContents(app.engines.database.connection);
  const answers: [string, number, string][] = [];
  for (const evil of injections) {
    const { calls, addresses, queries } = asksOf(evil, things);
    for (const [procedure, input] of calls) {
      const from = procedure.startsWith('viewing') ? bob.browser : creator.browser;
      const { status, body } = await app.call(procedure, input, from);
      answers.push([`${procedure} ${JSON.stringify(input)}`, status, JSON.stringify(body)]);
    }
    for (const address of addresses) {
      const answer = await viewerApi.fetch(address, {}, address.includes('traces') ? creator.browser : bob.browser);
      answers.push([address, answer.status, await answer.text()]);
    }
    for (const query of queries) {
      const { status, body } = await upload(world, Buffer.from('x'), creator.browser, query);
      answers.push([query, status, JSON.stringify(body)]);
    }
  }
  for (const [what, status, said] of answers) {
    expect([what, status < 500]).toEqual([what, true]);
    expect(said).not.toMatch(/argon2id|syntax error|relation "|auth_sessions/);
  }
  expect(await readContents(app.engines.database.connection)).toEqual(before);
});
