import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HookName } from '#engines/payments/payments.ts';
import { dayMs } from '#kit/time.ts';
import { takeEvents, tell } from '#tests/support/money/published-events.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { workInbox } from './inbox.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  app.engines.sandbox?.deliverTo(undefined);
});
afterAll(() => app.close());

const isKept = async (id: string) =>
  (await readRows(app, 'select from webhook_inbox where event_id = $1', [id])).length === 1;

/** Tells of an object, signed, and says how that was answered. */
async function send(id: string, type: string, object: object, hook: HookName = 'stripe'): Promise<number> {
  const about = { id, object: 'event', type, created: app.engines.clock() / 1000, livemode: false, data: { object } };
  const payload = JSON.stringify(about);
  const signature = String(await app.engines.sandbox?.sign(hook, payload));
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  return (await app.fastify.inject({ method: 'POST', url: `/api/hooks/${hook}`, headers, payload })).statusCode;
}

describe('a hook', () => {
  it('acknowledges what it has no use for, and keeps nothing of it', async () => {
    expect(await send('evt_product', 'product.updated', { id: 'prod_1' })).toBe(200);
    expect(await send('evt_newer', 'invention.of.a.newer.version', { id: 'inv_1' })).toBe(200);
    expect(await send('evt_nameless', 'charge.succeeded', { object: 'charge' })).toBe(200);
    const ids = ['evt_product', 'evt_newer', 'evt_nameless'];
    expect(await Promise.all(ids.map(isKept))).toEqual([false, false, false]);
  });

  it('keeps what is about an object that nobody knows, and tries it again', async () => {
    expect(await send('evt_unknown', 'charge.refunded', { id: 'py_unknown' })).toBe(200);
    await workInbox(app.engines);
    const about = 'select attempts, processed_at from webhook_inbox where event_id = $1';
    expect(await readRow(app, about, ['evt_unknown'])).toEqual({ attempts: 1, processed_at: null });
    advance(app, 60_000);
    await workInbox(app.engines);
    expect(await readRow(app, about, ['evt_unknown'])).toEqual({ attempts: 2, processed_at: null });
    await readRows(app, `delete from webhook_inbox where event_id = 'evt_unknown'`);
  });

  it('of connected accounts takes payouts alone: their payments are those of the platform, seen from the other side', async () => {
    expect(await send('evt_seen', 'charge.refunded', { id: 'py_theirs' }, 'stripe-connect')).toBe(200);
    expect(await send('evt_paid_out', 'payout.paid', { id: 'po_1' }, 'stripe-connect')).toBe(200);
    expect([await isKept('evt_seen'), await isKept('evt_paid_out')]).toEqual([false, true]);
    await readRows(app, `delete from webhook_inbox where event_id = 'evt_paid_out'`);
  });

  it('is told that money became available, which is about no object: of the platform and of an account', async () => {
    const { slug } = await shared.makeLink(tipToOpen(1000));
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await payAt(app, sessionOf((await tapPay(app, slug, browser)).body.url));
    advance(app, 3 * dayMs);
    await app.engines.sandbox?.deliverDue();
    const missed: string[] = [];
    for await (const { type } of app.engines.payments.undelivered()) missed.push(type);
    expect([missed.includes('checkout.session.completed'), missed.includes('balance.available')]).toEqual([
      true,
      false,
    ]);
    const reported = (await takeEvents(app)).filter(({ body }) => body.type === 'balance.available');
    expect(reported.map(({ hook }) => hook).toSorted()).toEqual(['stripe', 'stripe-connect']);
    expect(reported.map(({ body }) => body.data?.object.id)).toEqual([undefined, undefined]);
    for (const event of reported) expect(await tell(app, event)).toBe(200);
    expect(await Promise.all(reported.map(({ id }) => isKept(id)))).toEqual([false, false]);
    await app.engines.sandbox?.deliverDue();
    expect((await takeEvents(app)).filter(({ body }) => body.type === 'balance.available')).toEqual([]);
  });
});
