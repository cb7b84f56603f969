import { afterAll, beforeAll, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { connectPayouts, payAt, payToOpen, post, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundOwed, runRefunds } from '../refunding.ts';
import { runRefundsCommand } from './refunds-command.ts';

let app: TestApp;
let shared: SharedAlbum;
const hour = 3_600_000;
const operatorEmail = 'operator@example.com';

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

/** Somebody pays for a link and opens it. */
async function buy(slug: string) {
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  const sessionId = sessionOf((await tapPay(app, slug, buyer, 1000, { offerId: 'pay' })).body.url);
  await payAt(app, sessionId);
  const orderId = (await syncSession(app.engines, sessionId))?.id ?? '';
  await open(slug, buyer);
  return { buyer, orderId };
}

const open = (slug: string, buyer: Browser) => post(app, `/api/view/${slug}/open`, {}, buyer);

/** A copy was traced to whoever paid this order. */
const trace = (orderId: string) =>
  readRows(
    app,
    `insert into traces (id, creator_id, is_everywhere, state, outcome, bytes, sha256, result, created_at, expires_at)
     select gen_random_uuid(), k.creator_id, true, 'done', 'traced', 1, '', jsonb_build_object('named',
       jsonb_build_object('links', jsonb_build_array(jsonb_build_object('grants', jsonb_build_array(jsonb_build_object('grantId', k.id)))))), now(), now()
     from link_viewers k join checkout_orders o on o.link_id = k.link_id and o.viewer_id = k.viewer_id where o.id = $1`,
    [orderId],
  );
const revoke = (linkId: string, reason?: string) =>
  app.call(
    'links.revoke',
    { linkIds: [linkId], ...(reason !== undefined && { brokeRules: { reason } }) },
    shared.creator.browser,
  );
const stateOf = async (id: string) =>
  (await readRows(app, 'select state from checkout_orders where id = $1', [id]))[0]?.state;
const cost = (linkId: string) => must(app, 'links.revokeCost', { linkIds: [linkId] }, shared.creator.browser);

it('ending access says what goes back, to the people who paid lately', async () => {
  const { slug, id } = await shared.makeLink(payToOpen(1000));
  const first = await buy(slug);
  await buy(slug);
  expect(await cost(id)).toEqual({ people: 2, cents: 2000, currency: 'usd', isRecent: true, breakers: 0 });
  await trace(first.orderId);
  expect(await cost(id)).toMatchObject({ people: 2, breakers: 1 });
  const { browser } = (await shareAlbum(app, { count: 1 })).creator;
  expect((await app.call('links.revokeCost', { linkIds: [id] }, browser)).status, 'of another').toBe(404);
});

it('who broke the rules is not paid back, the others are, and each reads what becomes of the money', async () => {
  const { slug, id } = await shared.makeLink(payToOpen(1000));
  const [leaker, other] = [await buy(slug), await buy(slug)];
  expect((await revoke(id, 'A photo was posted.')).status, 'nothing tells of anybody').toBe(409);
  expect((await open(slug, leaker.buyer)).status, 'and nothing was revoked').toBe(200);
  await trace(leaker.orderId);
  expect((await revoke(id, ' ')).status).toBe(422);
  expect((await revoke(id, 'A photo was posted.')).status).toBe(200);
  expect((await open(slug, leaker.buyer)).body.text).toBe(
    'The creator has ended access to this link. Not refundable – see terms shown at purchase.',
  );
  expect((await open(slug, other.buyer)).body.text).toContain('Your refund of $10.00 is on its way.');
  expect((await open(slug, newBrowser())).body.text, 'a stranger').not.toContain('refund');
  advance(app, 25 * hour);
  await refundOwed(app.engines);
  expect([await stateOf(leaker.orderId), await stateOf(other.orderId)]).toEqual(['paid', 'refunded']);
  expect((await open(slug, other.buyer)).body.text).toContain('Your refund of $10.00 is on its way.');
});

it('an undo forgets it: access is back, and a later end pays back', async () => {
  const { slug, id } = await shared.makeLink(payToOpen(1000));
  const { buyer, orderId } = await buy(slug);
  await trace(orderId);
  await revoke(id, 'A photo was posted.');
  await must(app, 'links.undoRevoke', { linkIds: [id] }, shared.creator.browser);
  expect((await open(slug, buyer)).status).toBe(200);
  await revoke(id);
  advance(app, 25 * hour);
  await refundOwed(app.engines);
  expect(await stateOf(orderId)).toBe('refunded');
});

it('who got nothing back complains, and the operator decides', async () => {
  const { slug, id } = await shared.makeLink(payToOpen(1000));
  const { orderId } = await buy(slug);
  await trace(orderId);
  await revoke(id, 'A photo was posted.');
  const code = receiptCode(app.engines, orderId);
  expect((await must(app, 'money.receipt', { code }, newBrowser())).asking).toBe('complaint');
  await must(app, 'refunds.ask', { code, reason: 'customer_request', text: 'It was not me.' }, newBrowser());
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100));
  expect(emails.find(({ to }) => to === operatorEmail)?.text).toContain('It was not me.');
  const about = { id: orderId, reason: undefined, note: 'The trace names two people.' };
  await runRefundsCommand(app.engines, { verb: 'accept', ...about });
  await runRefunds(app.engines);
  expect(await stateOf(orderId)).toBe('refunded');
});
