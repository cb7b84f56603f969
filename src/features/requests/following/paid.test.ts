import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Checkout } from '#engines/payments/payments.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { lateRequestMs } from '#features/orders/rules.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { type Asked, askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { badCard, connectPayouts, payAt, sessionOf } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

const reported = async (sessionId: string) => (await must(app, 'requests.paid', { sessionId }, newBrowser())).state;

async function accepted(): Promise<Asked> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  return asked;
}

async function dispute({ id }: Asked, isLost: boolean): Promise<void> {
  const find = 'select charge_id from checkout_orders where request_id = $1';
  const { charge_id: chargeId } = await readRow<{ charge_id: string }>(app, find, [id]);
  const disputeId = (await app.engines.sandbox?.dispute(chargeId)) ?? '';
  if (isLost) await app.engines.sandbox?.decideDispute(disputeId, false);
  await syncObject(app.engines, disputeId);
}

it('the days to deliver count from the payment, however long it took to pay', async () => {
  const asked = await accepted();
  const show = () => must(app, 'requests.show', { code: asked.code }, asked.browser);
  expect(await show()).toMatchObject({ state: 'quoted', dueAt: null, dueDays: 7 });
  const [mail] = await readRows<{ body_text: string }>(
    app,
    "select body_text from mail_outbox where recipient = $1 and template = 'request_quoted'",
    [asked.email.toLowerCase()],
  );
  expect(mail?.body_text).toContain('It is delivered within 7 days of your payment.');
  advance(app, 40 * hourMs);
  await payFor(app, asked);
  const paid = await readRow<{ paid_at: Date; act_until: Date }>(
    app,
    'select paid_at, act_until from custom_requests where id = $1',
    [asked.id],
  );
  const dueMs = paid.paid_at.getTime() + 7 * dayMs;
  expect(new Date((await show()).dueAt).getTime()).toBe(dueMs);
  expect(paid.act_until.getTime() - dueMs).toBe(lateRequestMs);
});

it('the page after a payment tells how it stands whenever it is read again', async () => {
  const asked = await accepted();
  const sessionId = await payFor(app, asked);
  expect(await reported(sessionId)).toBe('paid');
  const requestId = asked.id;
  await must(app, 'requests.deliver', { requestId, albumId: shared.albumId }, shared.creator.browser);
  expect(await reported(sessionId), 'nobody starts any more').toBe('done');
  await dispute(asked, false);
  expect(await reported(sessionId), 'nothing has gone back').toBe('disputed');
});

it('what the bank has returned is said to be, and so is what nobody waits for, before it has gone back', async () => {
  const lost = await accepted();
  const sessionId = await payFor(app, lost);
  await dispute(lost, true);
  expect(await reported(sessionId)).toBe('returned');

  const late = await accepted();
  const { url } = await must(app, 'requests.pay', { code: late.code, amountCents: 4000 }, late.browser);
  await readRows(app, `update custom_requests set state = 'declined' where id = $1`, [late.id]);
  await payAt(app, sessionOf(url), { email: late.email });
  expect(await reported(sessionOf(url))).toBe('returned');
});

/** Goes to where an accepted request is paid. @returns the reference of the payment */
async function beginPaying({ code, browser }: Asked): Promise<string> {
  return sessionOf((await must(app, 'requests.pay', { code, amountCents: 4000 }, browser)).url);
}
const askingCard = '4000000000003155';

it('a payment about which a bank asks first is under way, and after a refused card it can still be made', async () => {
  const asked = await accepted();
  const sessionId = await beginPaying(asked);
  expect(await payAt(app, sessionId, { email: asked.email, card: askingCard })).toEqual({ asksBank: true });
  expect(await reported(sessionId)).toBe('processing');
  expect(await payAt(app, sessionId, { email: asked.email, card: badCard })).toHaveProperty('declined');
  expect(await reported(sessionId)).toBe('processing');
  await payAt(app, sessionId, { email: asked.email });
  expect(await reported(sessionId)).toBe('paid');
});

it('a payment that nobody made in time, or that its bank refuses in the end, has failed', async () => {
  const left = await accepted();
  const unpaid = await beginPaying(left);
  await app.engines.payments.expireCheckout(unpaid);
  expect(await reported(unpaid)).toBe('failed');

  const late = await accepted();
  const sessionId = await beginPaying(late);
  const { payments } = app.engines;
  const find = payments.findCheckout.bind(payments);
  // The sandbox has no way to pay of which a bank decides once the payer has left.
  const bankSays = (state: Checkout['state']) =>
    vi
      .spyOn(payments, 'findCheckout')
      .mockImplementation(async (id) => ({ ...(await find(id)), state, url: undefined, paymentId: 'pi_late' }));
  bankSays('processing');
  expect(await reported(sessionId)).toBe('processing');
  bankSays('failed');
  expect(await reported(sessionId)).toBe('failed');
});
