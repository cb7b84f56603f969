import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { markReleased } from '#features/held/releases-store.ts';
import { runReleases } from '#features/held/releasing.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { refundHeld, releaseHeld } from '#features/returns/held-payments.ts';
import { hourMs } from '#kit/time.ts';
import { stopWriting, untilWaiting } from '#tests/support/database/waiting.ts';
import { type Asked, askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, payAt, sessionOf } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRequestsCommand } from '../commands.ts';
import { tendRequests } from '../jobs.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator, { mostOpen: 10 });
});
afterAll(() => app.close());

const work = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
const show = async ({ code }: Asked) => must(app, 'requests.show', { code }, newBrowser());
const hers = async ({ id }: Asked, what: string, more: object = {}) =>
  app.call(`requests.${what}`, { requestId: id, ...more }, shared.creator.browser);
const say = ({ code, browser }: Asked, what: string, text = '') =>
  app.call('requests.say', { code, what, text }, browser);
const deliver = (asked: Asked) => hers(asked, 'deliver', { albumId: shared.albumId });
const tapPay = ({ code, browser }: Asked) => app.call('requests.pay', { code, amountCents: 4000 }, browser);

/** What was done about it, in order. */
const historyOf = async ({ id }: Asked) =>
  (await readRows(app, 'select what from custom_request_events where request_id = $1 order by id', [id])).map(
    ({ what }) => what,
  );
const movedOf = ({ id }: Asked) =>
  readRow(
    app,
    `select (select count(*)::int from refunds r join checkout_orders o on o.id = r.order_id where o.request_id = $1) as refunds,
      (select count(*)::int from held_releases where request_id = $1) as releases`,
    [id],
  );
const orderOf = async ({ id }: Asked) =>
  (await readRow<{ id: string }>(app, 'select id from checkout_orders where request_id = $1', [id])).id;

async function quoted(): Promise<Asked> {
  const asked = await askAtLink(app, shared);
  expect((await hers(asked, 'accept', { days: 7 })).status).toBe(200);
  return asked;
}
async function paid(): Promise<Asked> {
  const asked = await quoted();
  await payFor(app, asked);
  return asked;
}
async function delivered(): Promise<Asked> {
  const asked = await paid();
  expect((await deliver(asked)).status).toBe(200);
  return asked;
}

/**
 * The first has decided and written its state, but not what it did: there it is stopped until the second has read what it can. Time may
 * pass between them.
 */
async function interleave<A, B>(first: () => Promise<A>, second: () => Promise<B>, betweenMs = 0): Promise<[A, B]> {
  const goOn = await stopWriting(app, 'custom_request_events');
  try {
    const one = first();
    await untilWaiting(app, 1);
    if (betweenMs > 0) advance(app, betweenMs);
    const other = second();
    await untilWaiting(app, 2);
    await goOn();
    return [await one, await other];
  } catch (error) {
    await goOn().catch(() => undefined);
    throw error;
  }
}

/** Two transactions of which the second comes to the same row while the first isn't over. */
async function bothAtOnce<A, B>(first: (tx: Tx) => Promise<A>, second: (tx: Tx) => Promise<B>): Promise<[A, B]> {
  let other: Promise<B> | undefined;
  const one = await work(async (tx) => {
    const done = await first(tx);
    other = work(second);
    await untilWaiting(app, 1);
    return done;
  });
  return [one, await (other as Promise<B>)];
}

describe('one request is moved by one at a time, held by its row', () => {
  it('what was withdrawn is not accepted any more', async () => {
    const asked = await askAtLink(app, shared);
    const [withdrawn, accepted] = await interleave(
      () => say(asked, 'withdraw'),
      () => hers(asked, 'accept', { days: 7 }),
    );
    expect([withdrawn.status, accepted.status]).toEqual([200, 409]);
    expect(await show(asked)).toMatchObject({ state: 'declined', endReason: 'withdrawn' });
    expect(await historyOf(asked)).toEqual(['asked', 'withdraw']);
  });

  it('what was declined is not paid any more, neither begun nor taken', async () => {
    const [asked, open] = [await quoted(), await quoted()];
    const sessionId = sessionOf((await tapPay(open)).body.url);
    const [, tapped] = await interleave(
      () => hers(asked, 'decline'),
      () => tapPay(asked),
    );
    expect(tapped.status).toBe(409);
    await payAt(app, sessionId, { email: open.email });
    await interleave(
      () => hers(open, 'decline'),
      () => must(app, 'requests.paid', { sessionId }, open.browser),
    );
    expect(await show(open)).toMatchObject({ state: 'declined' });
    expect(await movedOf(open)).toEqual({ refunds: 1, releases: 0 });
  });

  it('what was paid is not declined any more', async () => {
    const asked = await quoted();
    const sessionId = sessionOf((await tapPay(asked)).body.url);
    await payAt(app, sessionId, { email: asked.email });
    const [, declined] = await interleave(
      () => must(app, 'requests.paid', { sessionId }, asked.browser),
      () => hers(asked, 'decline'),
    );
    expect(declined.status).toBe(409);
    expect(await show(asked)).toMatchObject({ state: 'paid' });
    await hers(asked, 'cancel');
  });

  it('what was cancelled is not delivered, and what was delivered is not cancelled', async () => {
    const [one, other] = [await paid(), await paid()];
    const [cancelled, late] = await interleave(
      () => hers(one, 'cancel'),
      () => deliver(one),
    );
    expect([cancelled.status, late.status]).toEqual([200, 409]);
    expect(await show(one)).toMatchObject({ state: 'refunded', canOpen: false });
    const [given, tooLate] = await interleave(
      () => deliver(other),
      () => hers(other, 'cancel'),
    );
    expect([given.status, tooLate.status]).toEqual([200, 409]);
    expect(await show(other)).toMatchObject({ state: 'delivered' });
    expect(await movedOf(other)).toEqual({ refunds: 0, releases: 0 });
    await say(other, 'accept');
  });

  it('what is delivered in the last moment is not paid back by itself', async () => {
    const asked = await paid();
    advance(app, 9 * 24 * hourMs - 5000);
    const [given] = await interleave(
      () => deliver(asked),
      () => tendRequests(app.engines),
      10_000,
    );
    expect(given.status).toBe(200);
    expect(await show(asked)).toMatchObject({ state: 'delivered' });
    expect(await movedOf(asked)).toEqual({ refunds: 0, releases: 0 });
    await say(asked, 'accept');
  });

  it('what is complained about in the last moment is not released by silence', async () => {
    const asked = await delivered();
    advance(app, 72 * hourMs - 5000);
    const [said] = await interleave(
      () => say(asked, 'complain', 'Only half of it.'),
      () => tendRequests(app.engines),
      10_000,
    );
    expect(said.status).toBe(200);
    expect(await show(asked)).toMatchObject({ state: 'problem' });
    expect(await movedOf(asked)).toEqual({ refunds: 0, releases: 0 });
    const decision = { verb: 'release', id: asked.id, amount: undefined, note: 'It is whole.' };
    await runRequestsCommand(app.engines, decision);
  });
});

describe('the money of a request leaves once, whoever moves it', () => {
  it('wished for by an acceptance and by silence at once: one row for each request', async () => {
    const asked = await delivered();
    const params = { requestId: asked.id, orderId: await orderOf(asked), now: new Date(app.engines.clock()) };
    const both = await bothAtOnce(
      (tx) => releaseHeld(tx, params),
      (tx) => releaseHeld(tx, params),
    );
    expect(both).toEqual([3600, undefined]);
    await runReleases(app.engines);
  });

  it('not to both sides: what goes back is not released, and what is released does not go back', async () => {
    const [back, out] = [await delivered(), await delivered()];
    const now = new Date(app.engines.clock());
    const refund = { reason: 'not_delivered', note: '', by: { kind: 'system' }, now } as const;
    const [backOrder, outOrder] = [await orderOf(back), await orderOf(out)];
    expect(await work((tx) => refundHeld(tx, { ...refund, orderId: backOrder }))).toBe(true);
    expect(await work((tx) => releaseHeld(tx, { requestId: back.id, orderId: backOrder, now }))).toBeUndefined();
    expect(await work((tx) => releaseHeld(tx, { requestId: out.id, orderId: outOrder, now }))).toBe(3600);
    expect(await work((tx) => refundHeld(tx, { ...refund, orderId: outOrder }))).toBe(false);
  });

  it('the provider is asked for a release by one at a time, held by its name', async () => {
    const asked = await delivered();
    const params = { requestId: asked.id, orderId: await orderOf(asked), now: new Date(app.engines.clock()) };
    await work((tx) => releaseHeld(tx, params));
    const release = vi.spyOn(app.engines.payments, 'release');
    await Promise.all([1, 2, 3].map(() => runReleases(app.engines, asked.id)));
    expect(release).toHaveBeenCalledTimes(1);
    release.mockRestore();
    await reconcile(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('and two who have its answer note it once', async () => {
    const asked = await delivered();
    const params = { requestId: asked.id, orderId: await orderOf(asked), now: new Date(app.engines.clock()) };
    await work((tx) => releaseHeld(tx, params));
    const note = (tx: Tx) => markReleased(tx, asked.id, `tr_${asked.id}`, params.now);
    expect(await bothAtOnce(note, note)).toEqual([true, false]);
  });
});

describe('two taps on pay', () => {
  it('make one order, held by its own index, and lead to one page', async () => {
    const asked = await quoted();
    const goOn = await stopWriting(app, 'checkout_orders');
    const taps = [tapPay(asked), tapPay(asked)];
    await untilWaiting(app, 2);
    await goOn();
    const answers = await Promise.all(taps);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect(await readRows(app, 'select from checkout_orders where request_id = $1', [asked.id])).toHaveLength(1);
  });
});
