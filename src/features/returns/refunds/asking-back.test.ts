import { afterAll, beforeAll, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { handOnUnanswered } from '#features/orders/asking-back.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import {
  connectPayouts,
  payAt,
  payToOpen,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRefunds } from '../refunding.ts';
import { runRefundsCommand } from './refunds-command.ts';

let app: TestApp;
let shared: SharedAlbum;
const hour = 3_600_000;
const operatorEmail = 'operator@example.com';

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

let buyers = 0;
/** Somebody pays. */
async function sell(kind: 'album' | 'tip' = 'album') {
  const email = `buyer-${++buyers}@example.com`;
  const { slug } = await shared.makeLink(kind === 'tip' ? tipToOpen(1000) : payToOpen(1000));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  const more = { offerId: kind === 'tip' ? 'tip' : 'pay' };
  const sessionId = sessionOf((await tapPay(app, slug, buyer, 1000, more)).body.url);
  await payAt(app, sessionId, { email });
  const orderId = (await syncSession(app.engines, sessionId))?.id ?? '';
  return { orderId, code: receiptCode(app.engines, orderId), email, buyer };
}

const ask = (code: string, reason = 'satisfaction', text = '') =>
  app.call('refunds.ask', { code, reason, text }, newBrowser());
const answer = (orderId: string, isRefunded: boolean, text = '') =>
  app.call('refunds.answer', { orderId, isRefunded, text }, shared.creator.browser);
const waiting = async () =>
  (await must(app, 'refunds.waiting', {}, shared.creator.browser)).requests.map(
    (request: { orderId: string }) => request.orderId,
  );
const asking = async (code: string) => (await must(app, 'money.receipt', { code }, newBrowser())).asking;
const pf = (verb?: string, id?: string, note?: string) =>
  runRefundsCommand(app.engines, { verb, id, reason: undefined, note });
const textsTo = async (email: string) =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000)))
    .filter(({ to }) => to === email)
    .map(({ text }) => text)
    .join('\n');
const stateOf = async (id: string) =>
  (await readRows(app, 'select state from checkout_orders where id = $1', [id]))[0]?.state;

it('who bought asks with a receipt, once; the creator is told and gives the money back, and both know', async () => {
  const { orderId, code, email } = await sell();
  expect(await asking(code)).toBe('refund');
  expect((await ask('of nobody')).status).toBe(404);
  const asked = await Promise.all([ask(code, 'satisfaction', 'Only one photo.'), ask(code)]);
  expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect([await asking(code), await waiting()]).toEqual(['asked', [orderId]]);
  expect(await textsTo(shared.creator.email)).toContain('A buyer asks for their money back');
  expect(await textsTo(shared.creator.email), 'who asks is not said').not.toContain(email);
  expect(await textsTo(email)).toContain('The creator has 72 hours to answer');
  expect((await answer(orderId, true)).status).toBe(200);
  expect([await stateOf(orderId), await waiting(), await asking(code)]).toEqual(['refunded', [], 'returned']);
  expect(await textsTo(email)).toContain('$10.00 is on its way back');
  expect((await answer(orderId, true)).status).toBe(409);
});

it('the creator declines with her words, which the buyer reads; there is no second request', async () => {
  const { orderId, code, email } = await sell();
  await ask(code);
  expect((await answer(orderId, false)).body).toMatchObject({ data: { field: 'text' } });
  expect((await answer(orderId, false, 'All 24 photos were there.')).status).toBe(200);
  expect(await textsTo(email)).toContain('All 24 photos were there.');
  expect([await stateOf(orderId), await asking(code), (await ask(code)).status]).toEqual(['paid', 'declined', 409]);
});

it('silence of 72 hours goes to the operator, who decides and tells both', async () => {
  const [yes, no] = [await sell(), await sell()];
  for (const { code } of [yes, no]) await ask(code, 'not_delivered', 'It stays black.');
  advance(app, 72 * hour - 1000);
  await handOnUnanswered(app.engines);
  expect((await waiting()).length).toBe(2);
  advance(app, 1000);
  await handOnUnanswered(app.engines);
  await handOnUnanswered(app.engines);
  expect(await waiting()).toEqual([]);
  expect((await answer(yes.orderId, true)).status, 'her time is over').toBe(409);
  expect((await textsTo(operatorEmail)).split(yes.orderId)).toHaveLength(3);
  expect(await pf()).toContain(`asked for by the buyer, not_delivered (It stays black.)  WAITS FOR YOU`);
  await expect(pf('accept', yes.orderId)).rejects.toThrow('Say why');
  expect(await pf('accept', yes.orderId, 'It did not open.')).toContain('$10.00');
  expect(await pf('decline', no.orderId, 'It was opened for an hour.')).toContain('declined');
  await runRefunds(app.engines);
  expect([await stateOf(yes.orderId), await stateOf(no.orderId)]).toEqual(['refunded', 'paid']);
  expect(await textsTo(yes.email)).toContain('It did not open.');
  expect(await textsTo(no.email)).toContain('It was opened for an hour.');
  expect(await textsTo(shared.creator.email)).toContain('we declined it');
});

it('a tip goes back only when it was paid twice or by another, and the operator decides', async () => {
  const { orderId, code } = await sell('tip');
  expect((await ask(code, 'satisfaction')).body).toMatchObject({ data: { field: 'reason' } });
  expect((await ask(code, 'duplicate')).status).toBe(200);
  expect(await waiting()).toEqual([]);
  expect(await textsTo(operatorEmail)).toContain(`refunds accept ${orderId}`);
});

it('after two weeks it is too late, and said so', async () => {
  const { code } = await sell();
  advance(app, 14 * 24 * hour);
  expect((await ask(code)).body).toMatchObject({ code: 'REFUND_WINDOW', message: 'The time for a refund has passed.' });
  expect(await asking(code)).toBe('too_late');
});

it('what went back another way needs no answer any more', async () => {
  const { orderId, code, email } = await sell();
  await ask(code);
  await must(app, 'money.refund', { orderId }, shared.creator.browser);
  expect([await waiting(), await asking(code)]).toEqual([[], 'returned']);
  expect(await textsTo(email)).toContain('$10.00 is on its way back');
});

it('stands on the list of what was bought', async () => {
  const { code, buyer } = await sell();
  const rows = async () => (await must(app, 'viewing.purchases', {}, buyer)).rows;
  expect(await rows()).toMatchObject([{ asking: 'refund' }]);
  await ask(code);
  expect(await rows()).toMatchObject([{ asking: 'asked' }]);
});
