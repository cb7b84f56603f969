import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { closeObjectLocks, withObjectLock } from '#features/books/object-lock.ts';
import { insertReceipt } from '#features/orders/payments/receipt-numbers-store.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleOpen } from '../reconcile.ts';
import { workInbox } from './inbox.ts';

let app: TestApp;
let shared: SharedAlbum;
let reported: unknown[];
const hour = 3_600_000;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: (about: object) => void reported.push(about) };
  app = await openTestApp({ workJobs: false, log });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  app.engines.sandbox?.deliverTo(undefined);
});
beforeEach(() => {
  reported = [];
});
afterAll(() => app.close());

/** Somebody is about to pay. @returns where */
async function begin(rules: object = {}): Promise<{ sessionId: string; id: string; slug: string }> {
  const { slug, id } = await shared.makeLink({ ...tipToOpen(1000), ...rules });
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  return { slug, id, sessionId: sessionOf((await tapPay(app, slug, browser)).body.url) };
}

const system = { kind: 'system' } as const;
const orderOf = (sessionId: string) =>
  readRow<{ id: string; state: string; version: number }>(
    app,
    'select id, state, synced_version as version from checkout_orders where session_id = $1',
    [sessionId],
  );

describe('what the provider says of a payment', () => {
  it('is asked and written by one at a time, in this process and in another', async () => {
    const { database } = app.engines;
    // Another process has a session of its own with the database.
    const elsewhere = { database: { ...database, connection: { ...database.connection } } };
    let [inside, most, runs] = [0, 0, 0];
    const work = async () => {
      inside++;
      most = Math.max(most, inside);
      await pause(5);
      inside--;
      runs++;
    };
    const places = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? app.engines : elsewhere));
    await Promise.all(places.map((engines) => withObjectLock(engines, 'one', work)));
    expect([most, runs]).toEqual([1, 12]);
    let both = 0;
    await withObjectLock(app.engines, 'one', () => withObjectLock(elsewhere, 'two', async () => void both++));
    expect(both).toBe(1);
    await closeObjectLocks(elsewhere);
  });

  it('is asked for again when somebody else has written meanwhile, so nothing old is written over it', async () => {
    const { sessionId } = await begin();
    const own = app.engines.payments;
    let asked = 0;
    app.engines.payments = {
      ...own,
      async findCheckout(id) {
        const answer = await own.findCheckout(id);
        if (++asked > 1) return answer;
        // Before this answer is written it is paid, and another process writes the order.
        await payAt(app, sessionId);
        await readRows(app, 'update checkout_orders set synced_version = synced_version + 1 where session_id = $1', [
          id,
        ]);
        return answer;
      },
    };
    const order = await syncSession(app.engines, sessionId).finally(() => {
      app.engines.payments = own;
    });
    expect([order?.state, asked]).toEqual(['paid', 2]);
  });

  it('makes one receipt, whoever comes first', async () => {
    const { sessionId } = await begin();
    const { id } = await orderOf(sessionId);
    const { database } = app.engines;
    const number = () => database.work(system, (tx) => insertReceipt(tx, id, new Date(app.engines.clock())));
    const numbers = await Promise.all([number(), number(), number(), number()]);
    expect(numbers.filter((one) => one !== undefined)).toHaveLength(1);
    await payAt(app, sessionId, { email: 'twice@example.com' });
    await syncSession(app.engines, sessionId);
    expect(await readRows(app, 'select from receipts where order_id = $1', [id])).toHaveLength(1);
    expect(await readRows(app, 'select from mail_outbox where recipient = $1', ['twice@example.com'])).toEqual([]);
  });
});

describe('an event', () => {
  const inbox = (id: string) =>
    readRows(app, 'select attempts, processed_at is not null as "isDone" from webhook_inbox where event_id = $1', [id]);

  /** Tells an event as the provider does. @returns how it is answered */
  async function tell(id: string, objectId: string, livemode = false): Promise<number> {
    const about = {
      id,
      object: 'event',
      type: 'checkout.session.completed',
      created: app.engines.clock() / 1000,
      livemode,
    };
    const payload = JSON.stringify({ ...about, data: { object: { id: objectId } } });
    const signature = String(await app.engines.sandbox?.sign('stripe', payload));
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    return (await app.fastify.inject({ method: 'POST', url: '/api/hooks/stripe', headers, payload })).statusCode;
  }

  it('is acknowledged only when it is kept', async () => {
    const { sessionId } = await begin();
    const own = app.engines.database;
    const value = () => Promise.reject(new Error('the disk is full'));
    const broken = Object.create(own, { work: { value }, query: { value } });
    app.engines.database = broken;
    const refused = await tell('evt_kept', sessionId).finally(() => {
      app.engines.database = own;
    });
    expect([refused, await inbox('evt_kept')]).toEqual([500, []]);
    expect([await tell('evt_kept', sessionId), await inbox('evt_kept')]).toEqual([200, [expect.anything()]]);
  });

  it('of real money is kept and not acted upon where money is a test', async () => {
    const { sessionId } = await begin();
    await payAt(app, sessionId);
    expect(await tell('evt_live', sessionId, true)).toBe(200);
    await workInbox(app.engines);
    expect(await inbox('evt_live')).toEqual([{ attempts: 0, isDone: false }]);
    expect(await orderOf(sessionId)).toMatchObject({ state: 'pending' });
    expect(await tell('evt_test', sessionId)).toBe(200);
    await workInbox(app.engines);
    await vi.waitFor(async () => expect(await inbox('evt_test')).toEqual([{ attempts: 1, isDone: true }]));
    expect(await orderOf(sessionId)).toMatchObject({ state: 'paid' });
  });
});

describe('an order', () => {
  it('that never came to a checkout ends, and its place is free again', async () => {
    const { slug, id } = await shared.makeLink({ ...tipToOpen(1000), maxViewers: 1 });
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const own = app.engines.payments;
    app.engines.payments = { ...own, openCheckout: () => Promise.reject(new PaymentsAway('a test')) };
    await tapPay(app, slug, browser);
    app.engines.payments = own;
    const about = `select o.state, l.places_taken from checkout_orders o join magic_links l on l.id = o.link_id where l.id = $1`;
    await settleOpen(app.engines, 0);
    expect(await readRows(app, about, [id])).toEqual([{ state: 'pending', places_taken: 1 }]);
    advance(app, 2 * hour);
    await settleOpen(app.engines, 0);
    expect(await readRows(app, about, [id])).toEqual([{ state: 'failed', places_taken: 0 }]);
  });

  it('that is disputed closes what it opened, and cannot be paid back as well; won, it opens again', async () => {
    const { slug } = await shared.makeLink(tipToOpen(1000));
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
    await payAt(app, sessionId);
    const isOpen = async () => (await post(app, `/api/view/${slug}/open`, {}, browser)).body === undefined;
    expect(await isOpen()).toBe(true);
    const own = app.engines.payments;
    const disputed = (isDisputed: boolean) => {
      app.engines.payments = { ...own, findCheckout: async (id) => ({ ...(await own.findCheckout(id)), isDisputed }) };
    };
    disputed(true);
    const order = await syncSession(app.engines, sessionId);
    expect([order?.state, await isOpen()]).toEqual(['disputed', false]);
    const refund = await app.call('money.refund', { orderId: order?.id }, shared.creator.browser);
    expect(refund.body.code).toBe('DISPUTED');
    disputed(false);
    expect([(await syncSession(app.engines, sessionId))?.state, await isOpen()]).toEqual(['paid', true]);
    app.engines.payments = own;
  });
});

describe('a browser', () => {
  it('begins ten checkouts in a minute', async () => {
    const { slug } = await shared.makeLink(tipToOpen(1000));
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const tap = async () => (await tapPay(app, slug, browser)).status;
    const first = await tap();
    // At once: the provider is asked about one checkout every two seconds, for all who tap by then.
    const others = await Promise.all(Array.from({ length: 10 }, tap));
    expect([first, ...others.toSorted()]).toEqual([...Array(10).fill(200), 429]);
    advance(app, 61_000);
    expect((await tapPay(app, slug, browser)).status).toBe(200);
  });
});
