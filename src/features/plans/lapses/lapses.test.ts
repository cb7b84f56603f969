import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { destroyDeletedAlbums } from '#features/albums/jobs.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, payAt, payToOpen, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { tendLapses } from './lapses.ts';

const day = 86_400_000;
let app: TestApp;
let shared: SharedAlbum;
const opened: TestApp[] = [];

beforeEach(async () => {
  app = await openTestApp({ workJobs: false });
  opened.push(app);
  shared = await shareAlbum(app, { count: 1 });
  await readRow(
    app,
    `update users set subscription_status = 'active', trial_ends_at = null, is_free_user = false where id = $1 returning id`,
    [shared.creator.userId],
  );
});
afterAll(async () => {
  for (const one of opened) await one.close();
});

const setPlan = (status: string) =>
  readRow(app, 'update users set subscription_status = $2 where id = $1 returning id', [shared.creator.userId, status]);
const mails = async () =>
  (
    await readRows<{ template: string; body_text: string }>(
      app,
      `select template, body_text from mail_outbox where recipient = $1 and template like 'albums_%' order by created_at, id`,
      [shared.creator.email],
    )
  ).map(({ template, body_text: text }) => [template, /\d+ \w+ \d{4}/.exec(text)?.[0]]);
const albums = async () =>
  (await readRows<{ state: string }>(app, 'select state from albums where user_id = $1', [shared.creator.userId])).map(
    ({ state }) => state,
  );
/** Nights go by. */
async function nights(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    advance(app, day);
    await tendLapses(app.engines);
  }
}

describe('what somebody without a plan has stored', () => {
  it('is kept for 90 days, told on the first night, after 30, 60 and 83, and then goes the way of a deleted album', async () => {
    await nights(3);
    expect(await mails(), 'a plan that runs is none of this').toEqual([]);
    await setPlan('inactive');
    await tendLapses(app.engines);
    expect(await mails()).toEqual([['albums_kept', '22 February 2027']]);
    await nights(29);
    expect(await mails()).toHaveLength(1);
    await nights(1);
    await nights(30);
    expect((await mails()).map(([template]) => template)).toEqual(['albums_kept', 'albums_kept', 'albums_kept']);
    await nights(22);
    expect(await mails()).toHaveLength(3);
    await nights(1);
    expect((await mails()).at(-1)).toEqual(['albums_go_soon', '22 February 2027']);
    await nights(6);
    expect(await albums(), 'the day before').toEqual(['ready']);
    await nights(1);
    expect(await albums()).toEqual(['deleting']);
    expect((await mails()).at(-1)).toEqual(['albums_removed', undefined]);
    advance(app, 4 * day);
    await destroyDeletedAlbums(app.engines);
    expect(await albums()).toEqual([]);
    expect(await readRows(app, `select id from media where deleted_at is null`)).toEqual([]);
    await nights(10);
    expect(await mails(), 'each of them once').toHaveLength(5);
    expect(await readRow(app, 'select status from users where id = $1', [shared.creator.userId])).toEqual({
      status: 'active',
    });
  });

  it('stays as it is for who takes a plan again, and begins again when that ends', async () => {
    await setPlan('inactive');
    await nights(85);
    expect(await mails()).toHaveLength(4);
    await setPlan('active');
    await nights(30);
    expect(await albums()).toEqual(['ready']);
    await setPlan('inactive');
    await nights(60);
    expect([await albums(), (await mails()).length]).toEqual([['ready'], 6]);
  });

  it('can be brought back on the day on which it goes', async () => {
    await setPlan('inactive');
    await nights(91);
    expect(await albums()).toEqual(['deleting']);
    await setPlan('active');
    const browser = await signInQuickly(app, shared.creator.userId);
    await must(app, 'albums.restore', { albumId: shared.albumId }, browser);
    expect(await albums()).toEqual(['ready']);
  });

  it('never goes without a week of warning, though the machine stood still', async () => {
    await setPlan('inactive');
    await tendLapses(app.engines);
    advance(app, 200 * day);
    await tendLapses(app.engines);
    expect(await mails()).toEqual([
      ['albums_kept', '19 February 2027'],
      ['albums_go_soon', '16 June 2027'],
    ]);
    await nights(6);
    expect(await albums()).toEqual(['ready']);
    await nights(1);
    expect(await albums()).toEqual(['deleting']);
  });

  it('is told once, though two processes look at the same time or one dies half-way', async () => {
    await setPlan('inactive');
    await Promise.all([1, 2, 3].map(() => tendLapses(app.engines)));
    expect(await mails()).toHaveLength(1);
    advance(app, 30 * day);
    const { send } = app.engines.jobs;
    app.engines.jobs.send = async () => {
      throw new Error('the process dies');
    };
    await expect(tendLapses(app.engines)).rejects.toThrow('the process dies');
    app.engines.jobs.send = send;
    expect(await mails(), 'nothing of it stays').toHaveLength(1);
    await Promise.all([1, 2, 3].map(() => tendLapses(app.engines)));
    expect(await mails()).toHaveLength(2);
  });

  it('stays a year after the last sale where somebody can still open it, and not for a link that is gone', async () => {
    await connectPayouts(app, shared.creator);
    const { slug, id } = await shared.makeLink(payToOpen(1500), { expiry: { kind: 'never' } });
    const buyer = newBrowser();
    await tapDoor(app, slug, buyer);
    await payAt(app, sessionOf((await tapPay(app, slug, buyer, 1500, { offerId: 'pay' })).body.url));
    await settleOpen(app.engines, 0);
    await setPlan('inactive');
    await tendLapses(app.engines);
    expect(await mails()).toEqual([['albums_kept', '21 November 2027']]);
    await nights(100);
    expect([await albums(), (await mails()).length]).toEqual([['ready'], 3]);
    await readRow(app, 'update magic_links set is_revoked = true, revoked_at = now() where id = $1 returning id', [id]);
    await nights(1);
    expect((await mails()).at(-1)?.[0]).toBe('albums_go_soon');
    await nights(7);
    expect(await albums()).toEqual(['deleting']);
  });

  it('stays a year as well where its only sale was custom work', async () => {
    await connectPayouts(app, shared.creator);
    await takeRequests(app, shared.creator);
    const asked = await askAtLink(app, shared);
    await must(app, 'requests.accept', { requestId: asked.id, days: 30 }, shared.creator.browser);
    await payFor(app, asked);
    await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
    await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
    await setPlan('inactive');
    await nights(92);
    expect(await albums()).toEqual(['ready']);
    await readRows(app, 'update magic_links set is_revoked = true where user_id = $1', [shared.creator.userId]);
    await nights(8);
    expect(await albums(), 'nobody can open it any more').toEqual(['deleting']);
  });

  it('is nobody’s to delete where she is free, an administrator, or nobody can take a plan', async () => {
    await setPlan('inactive');
    await readRow(app, 'update users set is_free_user = true where id = $1 returning id', [shared.creator.userId]);
    await nights(3);
    expect(await mails()).toEqual([]);
    await readRow(app, 'update users set is_free_user = false where id = $1 returning id', [shared.creator.userId]);
    const { payments } = app.engines;
    app.engines.payments = { ...payments, isOff: true };
    await nights(3);
    app.engines.payments = payments;
    expect(await mails()).toEqual([]);
  });
});
