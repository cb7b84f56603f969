import { randomBytes } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encryptOriginal } from '#features/media/original.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import {
  advance,
  listTemplates,
  must,
  readRow,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { eraseAccount } from '../deletion/erasing.ts';
import { buildExport } from './build-export.ts';
import { sweepExports } from './sweep-exports.ts';

const [hour, day] = [3_600_000, 86_400_000];
let app: TestApp;
let shared: SharedAlbum;
const originals = [randomBytes(1_500_000), randomBytes(40)];

beforeEach(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 2 });
  for (const [n, bytes] of originals.entries()) await storeOriginal(n, bytes);
});
afterEach(() => app.close());

/** Stores the original of a photo of the album, both under one name. */
async function storeOriginal(n: number, bytes: Buffer): Promise<void> {
  const photo = shared.photos[n];
  if (photo === undefined) throw new Error('no such photo');
  const path = `media/${photo.mediaId}/original.pfo`;
  const sealed = pipeline(Readable.from([bytes]), encryptOriginal(photo.mediaKey), () => undefined);
  await app.engines.storage.put(path, sealed);
  await readRows(app, "update media set original_path = $2, bytes = $3, original_name = '../Beach.jpg' where id = $1", [
    photo.mediaId,
    path,
    bytes.length,
  ]);
}

const show = (browser = shared.creator.browser) => must(app, 'privacy.showExport', {}, browser);
const request = (hasOriginals = true) => app.call('privacy.requestExport', { hasOriginals }, shared.creator.browser);
const openIt = (browser = shared.creator.browser, password = shared.creator.password) =>
  app.call('privacy.openExport', { password }, browser);
const idOf = async () =>
  (await readRow<{ id: string }>(app, 'select id from data_exports order by requested_at desc')).id;
const build = async (options: Partial<Parameters<typeof buildExport>[2]> = {}) =>
  buildExport(app.engines, await idOf(), { isLastTry: false, ...options });
const get = async (path: string, browser: Browser, headers: Record<string, string> = {}) =>
  app.fastify.inject({ url: path, headers: { ...headersOf(browser), ...headers } });
const filesLeft = async () => {
  const paths: string[] = [];
  for await (const path of app.engines.storage.list('exports/')) paths.push(path);
  return paths;
};

/** Asks for an export, builds it and opens its download. @returns where it is */
async function makeExport(hasOriginals = true): Promise<string> {
  expect((await request(hasOriginals)).status).toBe(200);
  await build();
  const { body } = await openIt();
  return body.path;
}

const textOf = (bytes: Buffer | undefined) => bytes?.toString('hex');
/** The originals of an export, the largest first: both photos came in one moment, so either may be the first. */
const originalsIn = (files: Map<string, Buffer>) =>
  ['originals/__Beach.jpg', 'originals/__Beach (2).jpg']
    .map((name) => textOf(files.get(name)))
    .toSorted((a = '', b = '') => b.length - a.length);

async function sell(): Promise<void> {
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  await payAt(app, sessionOf((await tapPay(app, slug, buyer)).body.url));
  await settleOpen(app.engines, 0);
  await post(app, `/api/view/${slug}/open`, {}, buyer);
}

describe('an export', () => {
  it('is asked for, built, mailed, and holds what is kept of its creator', async () => {
    await connectPayouts(app, shared.creator);
    await sell();
    expect(await show()).toMatchObject({ newest: null, originals: { count: 2, bytes: 1_500_040 }, nextAt: null });
    expect((await request()).status).toBe(200);
    expect((await show()).newest).toMatchObject({ state: 'requested', totalBytes: 1_500_040, path: null });
    await build();
    expect((await show()).newest).toMatchObject({ state: 'ready', path: null });
    expect(await listTemplates(app, shared.creator.email)).toContain('export_ready');
    const { body } = await openIt();
    const answer = await get(body.path, shared.creator.browser);
    expect(answer.headers).toMatchObject({ 'accept-ranges': 'bytes', 'cache-control': 'no-store' });
    const files = await readZip(answer.rawPayload);
    expect(originalsIn(files)).toEqual(originals.map(textOf));
    const [account] = JSON.parse(String(files.get('data/account.json')));
    expect(account).toMatchObject({ email: shared.creator.email });
    expect(String(files.get('data/sales.csv'))).toContain(',tip,paid,1000,100,');
    expect(String(files.get('data/visits.csv')).split('\r\n')).toHaveLength(3);
    expect(String(files.get('data/activity.csv'))).toContain('link.created');
    expect(JSON.parse(String(files.get('data/albums.json')))[0].items).toHaveLength(2);
  });

  it('names viewers only as their creator knows them', async () => {
    await connectPayouts(app, shared.creator);
    await sell();
    const { id, viewer } = await readRow<{ id: string; viewer: string }>(
      app,
      'select id, viewer_id as viewer from viewer_pseudonyms',
    );
    await must(app, 'access.block', { viewerId: id }, shared.creator.browser);
    const files = await readZip((await get(await makeExport(false), shared.creator.browser)).rawPayload);
    const text = [...files.values()].join('\n');
    expect(text).toContain(id);
    expect(text).not.toContain(viewer);
    expect(text).not.toContain('buyer@example.com');
  });

  it('goes on where a download broke', async () => {
    const path = await makeExport();
    const whole = (await get(path, shared.creator.browser)).rawPayload;
    const { etag } = (await get(path, shared.creator.browser, { range: 'bytes=0-0' })).headers;
    const part = await get(path, shared.creator.browser, { range: 'bytes=1000000-', 'if-range': String(etag) });
    expect([part.statusCode, part.rawPayload.equals(whole.subarray(1_000_000))]).toEqual([206, true]);
    expect((await get(path, shared.creator.browser, { range: `bytes=${whole.length}-` })).statusCode).toBe(416);
  });

  it('is given to the session alone that has entered the password, and not for longer than a download takes', async () => {
    const path = await makeExport(false);
    const other = await signInQuickly(app, shared.creator.userId);
    const stranger = (await signUpCreator(app)).browser;
    for (const [browser, status] of [
      [newBrowser(), 401],
      [other, 404],
      [stranger, 404],
      [shared.creator.browser, 200],
    ] as const)
      expect((await get(path, browser)).statusCode).toBe(status);
    expect((await openIt(shared.creator.browser, 'another one')).body.data?.field).toBe('password');
    advance(app, 12 * hour - 1);
    expect((await get(path, shared.creator.browser)).statusCode).toBe(200);
    advance(app, 1);
    expect((await get(path, shared.creator.browser)).statusCode).toBe(404);
    expect((await openIt()).status).toBe(200);
    expect((await get(path, shared.creator.browser)).statusCode).toBe(200);
  });

  it('takes a fresh code where there is a second factor', async () => {
    await request(false);
    await build();
    const phone = await setUpSecondFactor(app, shared.creator.browser, shared.creator.password);
    advance(app, 11 * 60_000);
    expect((await openIt()).body.code).toBe('CODE_REQUIRED');
    await must(app, 'secondFactor.enter', { code: phone.next() }, shared.creator.browser);
    expect((await openIt()).status).toBe(200);
  });

  it('is asked for once in 24 hours, and the next one takes the place of the last', async () => {
    const path = await makeExport(false);
    expect((await request(false)).status).toBe(409);
    advance(app, day - 1);
    expect((await request(false)).status).toBe(409);
    advance(app, 1);
    const answers = await Promise.all([request(false), request(false)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await get(path, shared.creator.browser)).statusCode).toBe(404);
    await sweepExports(app.engines);
    expect(await filesLeft()).toEqual([]);
  });

  it('is there for seven days, to the instant, and then neither key nor file is', async () => {
    await request(false);
    await build();
    advance(app, 7 * day - 1);
    const { path } = (await openIt()).body;
    await sweepExports(app.engines);
    expect((await get(path, shared.creator.browser)).statusCode).toBe(200);
    advance(app, 1);
    expect((await get(path, shared.creator.browser)).statusCode).toBe(404);
    expect((await show()).newest.state).toBe('expired');
    await sweepExports(app.engines);
    expect([await filesLeft(), await readRows(app, 'select 1 from export_keys')]).toEqual([[], []]);
  });
});

describe('building an export', () => {
  it('begins again after a death at any step, and leaves one whole file and one email', async () => {
    await request();
    const { database, storage } = app.engines;
    const real = { work: database.work, put: storage.put, remove: storage.remove };
    let [rounds, left] = [0, 0];
    const dies =
      (run: (...args: never[]) => Promise<unknown>) =>
      (...args: never[]) =>
        left-- > 0 ? run(...args) : Promise.reject(new Error('the process died'));
    for (let state = ''; state !== 'ready'; ) {
      left = rounds++;
      Object.assign(database, { work: dies(real.work) });
      Object.assign(storage, { put: dies(real.put as never), remove: dies(real.remove as never) });
      await build().catch(() => undefined);
      Object.assign(database, { work: real.work });
      Object.assign(storage, { put: real.put, remove: real.remove });
      state = (await show()).newest.state;
      expect(['requested', 'building', 'ready']).toContain(state);
      if (state !== 'ready') expect((await openIt()).status).toBe(404);
    }
    expect(rounds).toBeGreaterThan(30);
    const { path } = (await openIt()).body;
    const files = await readZip((await get(path, shared.creator.browser)).rawPayload);
    expect(originalsIn(files)).toEqual(originals.map(textOf));
    expect((await listTemplates(app, shared.creator.email)).filter((name) => name === 'export_ready')).toHaveLength(1);
    expect(await filesLeft()).toHaveLength(1);
  });

  it.each([
    ['another attempt was begun', 'update data_exports set attempt = attempt + 1', 'building'],
    ['it was given up', "update data_exports set state = 'failed', failure = 'broken', ended_at = now()", 'failed'],
  ])('names nothing where meanwhile %s', async (_, meanwhile, state) => {
    await request(false);
    const { storage } = app.engines;
    const put = storage.put.bind(storage);
    storage.put = async (...args) => {
      await put(...args);
      await readRows(app, meanwhile);
    };
    await build();
    expect((await show()).newest.state).toBe(state);
    expect(await filesLeft()).toEqual([]);
  });

  it('ends as failed when its last try breaks, and may be asked for again an hour later', async () => {
    await request();
    await app.engines.storage.put(`media/${shared.photos[0]?.mediaId}/original.pfo`, Buffer.from('no original'));
    await expect(build()).rejects.toThrow();
    expect((await show()).newest.state).toBe('building');
    await expect(build({ isLastTry: true })).rejects.toThrow();
    expect(await show()).toMatchObject({ newest: { state: 'failed', failure: 'broken' } });
    await sweepExports(app.engines);
    expect(await filesLeft()).toEqual([]);
    expect((await request(false)).status).toBe(409);
    advance(app, hour);
    expect((await request(false)).status).toBe(200);
  });

  it('says so when there is no room, before it writes anything', async () => {
    await request();
    app.engines.storage.freeBytes = async () => 2e9 + 1_500_039;
    await build();
    expect((await show()).newest).toMatchObject({ state: 'failed', failure: 'no_room' });
    advance(app, hour);
    expect((await request()).body.message).toContain('no room');
    expect((await request(false)).status).toBe(200);
  });

  it('leaves out what was deleted since it was listed, and says which', async () => {
    await request();
    await readRows(app, 'delete from media_keys where media_id = $1', [shared.photos[0]?.mediaId]);
    await build();
    const { path } = (await openIt()).body;
    const files = await readZip((await get(path, shared.creator.browser)).rawPayload);
    expect([...files.keys()].filter((name) => name.startsWith('originals/'))).toEqual(['originals/__Beach.jpg']);
    expect(String(files.get('data/originals.csv'))).toContain(`${shared.photos[0]?.mediaId},,../Beach.jpg`);
  });

  it('is given up when nobody builds it any more', async () => {
    await request(false);
    advance(app, 2 * day);
    await sweepExports(app.engines);
    expect((await show()).newest).toMatchObject({ state: 'failed', failure: 'broken' });
  });

  it('goes with the account: its key is destroyed, and its files go', async () => {
    await makeExport(false);
    await must(
      app,
      'privacy.deleteAccount',
      { password: shared.creator.password, confirmation: 'DELETE' },
      shared.creator.browser,
    );
    advance(app, 6 * day);
    const { id } = await readRow<{ id: string }>(app, 'select id from account_deletions');
    await readRows(app, 'update account_deletions set erase_at = asked_at');
    await eraseAccount(app.engines, id);
    const { keys } = (
      await readRow<{ certificate: { keys: { kind: string }[] } }>(app, 'select certificate from account_deletions')
    ).certificate;
    expect(keys.map(({ kind }) => kind)).toContain('export');
    expect([await filesLeft(), await readRows(app, 'select 1 from data_exports')]).toEqual([[], []]);
  });
});
