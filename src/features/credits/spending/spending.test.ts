import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openModelAssistant } from '#engines/assistant/model.ts';
import { videoQueue } from '#features/media/queues.ts';
import { destroyMedium, failMedium } from '#features/media/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { newId } from '#kit/ids.ts';
import { countCredits, giveCredits } from '#tests/support/money/credits.ts';
import { advance, must, type Person, readRow, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openModelServer } from '#tests/support/servers/model-server.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openViewerApi } from '#tests/support/viewer-api.ts';

let app: TestApp;
let mia: Person;
let eve: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
beforeEach(async () => {
  [mia, eve] = [await signUpCreator(app), await signUpCreator(app)];
});
afterAll(() => app.close());

const usesOf = ({ browser }: Person) => must(app, 'credits.uses', {}, browser);
const balanceOf = async ({ browser }: Person) => (await must(app, 'credits.balance', {}, browser)).currentBalance;
const debitOf = (jobId: string) => readRow(app, 'select what, credits from credit_debits where job_id = $1', [jobId]);

describe('a readable address', () => {
  const makeLink = async () => {
    const albumIds = [await addReadyAlbum(app, mia.userId)];
    return must(app, 'links.create', { albumIds, isLaxConfirmed: true, linkName: 'Bob' }, mia.browser);
  };
  const give = (linkId: string, { browser } = mia, more: object = {}) =>
    app.call('credits.giveWord', { linkId, word: 'For Bób & co', credits: 5, ...more }, browser);

  it('costs five credits, once for a link, and ends the address that it had', async () => {
    const link = await makeLink();
    await giveCredits(app, mia.userId, 12);
    const before = await balanceOf(mia);
    expect((await usesOf(mia)).address).toEqual({
      credits: 5,
      links: [{ id: link.id, linkName: 'Bob', recipientName: null, isShared: false }],
    });
    expect(await give(link.id, mia, { credits: 4 })).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } });
    expect((await give(link.id, mia, { word: '!!!' })).status).toBe(422);
    const taps = await Promise.all([give(link.id), give(link.id)]);
    expect(taps.map(({ status }) => status).sort()).toEqual([200, 409]);
    const url = taps.find(({ status }) => status === 200)?.body.url;
    expect(url).toMatch(/\/view\/for-bob-co-[A-Za-z0-9]{10}$/);
    expect(await balanceOf(mia)).toBe(before - 5);
    expect(await debitOf(link.id)).toEqual({ what: 'address', credits: 5 });
    expect((await must(app, 'links.one', { linkId: link.id }, mia.browser)).url).toBe(url);
    const viewers = await openViewerApi(app);
    const tap = async (slug: string) => (await viewers.tap(slug, {}, newBrowser())).status;
    expect(await tap(link.slug)).toBe(410);
    expect(await tap(url.split('/').at(-1))).toBe(200);
  });

  it('is refused without credits, for somebody else and once it was opened, and costs nothing then', async () => {
    const link = await makeLink();
    // What the first album and the first link brought is spent.
    await usesOf(mia);
    await must(app, 'credits.addStorage', { credits: 10 }, mia.browser);
    const poor = await give(link.id, mia);
    expect(poor).toMatchObject({ status: 402, body: { code: 'CREDITS_NEEDED' } });
    expect((await must(app, 'links.one', { linkId: link.id }, mia.browser)).slug).toBe(link.slug);
    await Promise.all([giveCredits(app, mia.userId, 20), giveCredits(app, eve.userId, 20)]);
    expect((await give(link.id, eve)).status).toBe(404);
    await readRows(app, 'update magic_links set first_opened_at = created_at where id = $1', [link.id]);
    expect((await usesOf(mia)).address.links).toEqual([]);
    const before = await balanceOf(mia);
    expect(await give(link.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await balanceOf(mia)).toBe(before);
  });
});

describe('a video first', () => {
  const addWaiting = async (state = 'uploaded') => {
    const id = newId(Date.now());
    await readRows(
      app,
      `insert into media (id, creator_id, kind, state, original_name, bytes, sha256, created_at)
       values ($1, $2, 'video', $3, 'sea.mp4', 10, '\\x00', now())`,
      [id, mia.userId, state],
    );
    return id;
  };
  const move = (mediaId: string, { browser } = mia) =>
    app.call('credits.moveToFront', { mediaId, credits: 2 }, browser);
  const jobsOf = (mediaId: string) =>
    readRows(app, `select priority from pgboss.job where name = $1 and data->>'mediaId' = $2`, [videoQueue, mediaId]);

  it('costs two credits, once for a video, and puts it before all others', async () => {
    const mediaId = await addWaiting();
    await giveCredits(app, mia.userId, 5);
    expect((await usesOf(mia)).priority).toEqual({ credits: 2, videos: [{ id: mediaId, name: 'sea.mp4' }] });
    const taps = await Promise.all([move(mediaId), move(mediaId)]);
    expect(taps.map(({ status }) => status)).toEqual([200, 200]);
    expect(await balanceOf(mia)).toBe(3);
    expect(await debitOf(mediaId)).toEqual({ what: 'priority', credits: 2 });
    expect(await jobsOf(mediaId)).toEqual([{ priority: 1 }]);
  });

  it('is given back once when it fails, whatever failed it, and can then be paid for again', async () => {
    const [late, broken] = [await addWaiting(), await addWaiting()];
    await giveCredits(app, mia.userId, 10);
    for (const id of [late, broken]) await move(id);
    expect(await balanceOf(mia)).toBe(6);
    const fail = (id: string, code: 'TIMEOUT' | 'CORRUPT') =>
      app.engines.database.work({ kind: 'system' }, (tx) =>
        failMedium(tx, id, { code, now: new Date(app.engines.clock()) }),
      );
    await fail(late, 'TIMEOUT');
    await fail(broken, 'CORRUPT');
    // Whoever tries again at once gets it back as well.
    await must(app, 'media.retry', { mediaId: late }, mia.browser);
    expect(await Promise.all([balanceOf(mia), balanceOf(mia)])).toEqual([10, 10]);
    const { recentTransactions } = await must(app, 'credits.balance', {}, mia.browser);
    expect(recentTransactions.map(({ reason }: { reason: string }) => reason)).toContain(
      "Moved video that wasn't made, refunded",
    );
    expect((await move(late)).status).toBe(200);
    expect(await balanceOf(mia), 'not given back for the failure before').toBe(8);
    await fail(late, 'TIMEOUT');
    expect(await balanceOf(mia)).toBe(10);
    // One that is ready has had what was paid for, also when it is deleted then.
    await must(app, 'media.retry', { mediaId: late }, mia.browser);
    await move(late);
    await readRows(app, `update media set state = 'ready', ready_at = now(), deleted_at = now() where id = $1`, [late]);
    expect(await balanceOf(mia)).toBe(8);
    expect(await countCredits(app, mia.userId)).toEqual({ balance: 8, inLots: 8 });
  });

  it('is given back when it is deleted before it is ready, once it cannot be brought back', async () => {
    const albumId = await addReadyAlbum(app, mia.userId);
    const [first, second, before] = [await addWaiting(), await addWaiting(), await addWaiting()];
    const put = `insert into album_items (album_id, media_id, user_id, position, added_at)
      select $1, m.id, m.creator_id, 1000 + m.n, now() from (select *, row_number() over () as n from media where id = any($2)) m`;
    await readRows(app, put, [albumId, [first, second, before]]);
    await giveCredits(app, mia.userId, 10);
    for (const id of [first, second, before]) await move(id);
    // As if it had been deleted when nothing was given back for that.
    await readRows(app, 'update credit_debits set outlives_deletion = true where job_id = $1', [before]);
    await must(app, 'albums.deleteItems', { albumId, mediaIds: [first, second, before] }, mia.browser);
    const left = await balanceOf(mia);
    await must(app, 'albums.restoreItems', { albumId, mediaIds: [first] }, mia.browser);
    expect(await jobsOf(first), 'it still comes before all others').toContainEqual({ priority: 1 });
    expect(await countCredits(app, mia.userId)).toEqual({ balance: left, inLots: left });
    for (const id of [second, before])
      await app.engines.database.work({ kind: 'system' }, (tx) =>
        destroyMedium(tx, { id, creator_id: mia.userId, bytes: 10 }),
      );
    expect(await balanceOf(mia), 'for the second alone').toBe(left + 2);
    expect(await balanceOf(mia)).toBe(left + 2);
  });

  it('is refused for one that is being made, for somebody else and without credits', async () => {
    const [waiting, begun] = [await addWaiting(), await addWaiting('processing')];
    expect(await move(waiting)).toMatchObject({ status: 402, body: { code: 'CREDITS_NEEDED' } });
    expect(await jobsOf(waiting)).toEqual([]);
    await Promise.all([giveCredits(app, mia.userId, 5), giveCredits(app, eve.userId, 5)]);
    expect((await move(begun)).status).toBe(409);
    expect((await move(waiting, eve)).status).toBe(404);
    expect(await balanceOf(mia)).toBe(5);
  });
});

describe('more video time', () => {
  const videoId = async (name: string) => {
    const id = newId(Date.now());
    const sql = `insert into media (id, creator_id, kind, state, fail_code, original_name, bytes, sha256, created_at)
       values ($1, $2, 'video', 'failed', 'NO_VIDEO_TIME', $3, 10, '\\x00', now())`;
    await readRows(app, sql, [id, mia.userId, name]);
    return id;
  };
  const stateOf = (id: string) => readRow(app, 'select state, fail_code from media where id = $1', [id]);

  it('costs five credits an hour, is bought once with a key, and has the videos made that waited for it', async () => {
    const waiting = [await videoId('a.mp4'), await videoId('b.mp4')];
    await giveCredits(app, mia.userId, 12);
    const none = { credits: 5, freeSeconds: 36_000, usedSeconds: 0, extraSeconds: 0, waiting: 2 };
    expect((await usesOf(mia)).videoTime).toEqual(none);
    const ask = (input: object, key: string = randomUUID(), { browser } = mia) =>
      app.call('credits.addVideoTime', input, { ...browser, headers: { 'idempotency-key': key } });
    expect(await ask({ credits: 4 })).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } });
    expect(await ask({ credits: 5 }, randomUUID(), eve)).toMatchObject({ status: 402 });
    const key = randomUUID();
    const both = await Promise.all([1, 2].map(() => ask({ count: 2, credits: 10 }, key)));
    expect(both.map(({ status, body }) => [status, body.extraSeconds])).toEqual([
      [200, 7200],
      [200, 7200],
    ]);
    expect(await balanceOf(mia)).toBe(2);
    expect(await debitOf(both[0]?.body.id)).toEqual({ what: 'video', credits: 10 });
    expect((await usesOf(mia)).videoTime).toEqual({ ...none, extraSeconds: 7200, waiting: 0 });
    for (const id of waiting) expect(await stateOf(id)).toEqual({ state: 'uploaded', fail_code: null });
    const jobs = await readRows(
      app,
      `select data->>'mediaId' as id from pgboss.job where name = $1 and data->>'mediaId' = any($2)`,
      [videoQueue, waiting],
    );
    expect(jobs).toHaveLength(2);
  });
});

describe("the model's answers", () => {
  /** Sets how many are free, and waits until that is in force. */
  async function setFree(value: number) {
    const { database, clock } = app.engines;
    const params = { key: 'assistant.freeAnswers', value, by: null, now: new Date(clock()) } as const;
    await database.work({ kind: 'system' }, (tx) => writeSetting(tx, params));
    await expect.poll(async () => (await settingsOf(app.engines))['assistant.freeAnswers']).toBe(value);
  }
  /** What Sofia says when they are asked, with a model behind them that says "By the model". */
  const ask = async ({ browser } = mia) =>
    (
      await must(
        app,
        'assistant.chat',
        { message: 'can i get a link back after sending it', isAuthenticated: true },
        browser,
      )
    ).response;

  it('are free up to a number a month; then the help texts answer until more were paid for', async () => {
    const { url, close } = await openModelServer(() => 'You can revoke a link on its page.');
    const usual = app.engines.assistant;
    app.engines.assistant = openModelAssistant({ url, key: 'k', model: 'm', log: app.engines.log });
    try {
      await setFree(2);
      await giveCredits(app, mia.userId, 3);
      expect((await usesOf(mia)).answers).toEqual({ credits: 1, each: 20, free: 2, used: 0, extra: 0 });
      const said = [await ask(), await ask(), await ask()];
      expect(said[0]).toBe('You can revoke a link on its page.');
      expect(said[1]).toBe(said[0]);
      expect(said[2]).not.toBe(said[0]);
      expect((await usesOf(mia)).answers).toMatchObject({ used: 2, extra: 0 });
      const key = { ...mia.browser, headers: { 'idempotency-key': randomUUID() } };
      const [one, two] = await Promise.all([1, 2].map(() => must(app, 'credits.addAnswers', { credits: 1 }, key)));
      expect(one).toEqual(two);
      expect(one).toMatchObject({ extra: 20 });
      expect(await balanceOf(mia)).toBe(2);
      expect(await debitOf(one.id)).toEqual({ what: 'answers', credits: 1 });
      expect(await ask()).toBe(said[0]);
      expect((await usesOf(mia)).answers).toMatchObject({ used: 2, extra: 19 });
      advance(app, 31 * 86_400_000);
      const nextMonth = { ...mia, browser: await signInQuickly(app, mia.userId) };
      expect((await usesOf(nextMonth)).answers).toMatchObject({ used: 0, extra: 19 });
      expect(await ask(nextMonth)).toBe(said[0]);
      expect((await usesOf(nextMonth)).answers).toMatchObject({ used: 1, extra: 19 });
    } finally {
      app.engines.assistant = usual;
      await close();
    }
  });

  it('are not spoken of where no model writes', async () => {
    expect((await usesOf(mia)).answers).toBeNull();
  });
});
