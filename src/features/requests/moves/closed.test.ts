import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSuspend } from '#features/money/commands.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { runRefunds } from '#features/returns/refunding.ts';
import { hourMs } from '#kit/time.ts';
import { removeAlbum } from '#tests/support/money/removing.ts';
import { type Asked, askAtLink, emailsTo, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, fillAccount, payAt, sessionOf } from '#tests/support/money/selling.ts';
import { must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRequestsCommand } from '../commands.ts';
import { tendRequests } from '../jobs.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
});
afterAll(() => app.close());

type Stage = SharedAlbum & { accountId: string };

/** A creator who takes requests. */
async function openCreator(): Promise<Stage> {
  const shared = await shareAlbum(app, { count: 1 });
  const accountId = await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
  await fillAccount(app, accountId);
  return { ...shared, accountId };
}

/** A request that is paid and in work. */
async function paid(shared: SharedAlbum): Promise<Asked> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  return asked;
}

async function delivered(shared: SharedAlbum): Promise<Asked> {
  const asked = await paid(shared);
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  return asked;
}

const show = ({ code }: Asked) => must(app, 'requests.show', { code }, newBrowser());
const refundsOf = ({ id }: Asked) =>
  readRows(
    app,
    'select r.amount_cents, r.state, r.reason, r.by_kind, r.note, r.cause from refunds r join checkout_orders o on o.id = r.order_id where o.request_id = $1',
    [id],
  );
const receiptOf = async ({ id }: Asked) => {
  const find = 'select id from checkout_orders where request_id = $1';
  const { id: orderId } = await readRow<{ id: string }>(app, find, [id]);
  return must(app, 'money.receipt', { code: receiptCode(app.engines, orderId) }, newBrowser());
};
const heldOf = async ({ id }: Asked) => {
  await reconcile(app.engines);
  const sum = `select coalesce(sum(e.amount_cents), 0)::int as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.key = $1`;
  return (await readRow<{ cents: number }>(app, sum, [`liability:held:${id}`])).cents;
};

const atAccount = async ({ accountId }: Stage) => {
  const { available, pending } = await app.engines.payments.balance(accountId);
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
};
/** Returns how often whoever asked was told that it went back. */
const toldOf = async ({ email }: Asked, amount = '$40.00') =>
  (await emailsTo(app, email)).filter((text) =>
    text.includes(`We looked at it. ${amount} is on its way back to the card you paid with.`),
  ).length;
/** Which sums its creator was told of as refunded. */
const noticesOf = async ({ creator }: SharedAlbum) =>
  (
    await readRows<{ cents: number }>(
      app,
      `select (about ->> 'amountCents')::int as cents from notices where user_id = $1 and event = 'request' and about ->> 'stage' = 'refunded'`,
      [creator.userId],
    )
  )
    .map(({ cents }) => cents)
    .toSorted();

it('what was delivered and is taken down goes back in full, once, also while somebody is to decide about it', async () => {
  const shared = await openCreator();
  const [unlooked, complained, working] = [await delivered(shared), await delivered(shared), await paid(shared)];
  await must(app, 'requests.say', { code: complained.code, what: 'complain', text: 'Not me.' }, complained.browser);
  await tendRequests(app.engines);
  expect(await show(unlooked)).toMatchObject({ state: 'delivered' });
  await removeAlbum(app, shared.albumId);
  await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
  await tendRequests(app.engines);
  const note = 'What was paid for was taken down.';
  const whole = {
    amount_cents: 4000,
    state: 'succeeded',
    reason: 'platform_decision',
    by_kind: 'system',
    note,
    cause: null,
  };
  for (const asked of [unlooked, complained]) {
    const end = { state: 'refunded', endReason: 'decided', refundedCents: 4000, canOpen: false };
    expect(await show(asked)).toMatchObject(end);
    expect(await refundsOf(asked)).toEqual([whole]);
    expect(await heldOf(asked)).toBe(0);
    expect(await toldOf(asked)).toBe(1);
  }
  expect(await noticesOf(shared)).toEqual([4000, 4000]);
  expect(await show(working), 'nothing of it was delivered').toMatchObject({ state: 'paid' });
  expect(await findDrift(app.engines)).toEqual([]);
});

it('what was released in the 90 days before goes back as well, and its creator returns her part', async () => {
  const shared = await openCreator();
  const [old, recent] = [await delivered(shared), await delivered(shared)];
  for (const { code, browser } of [old, recent]) await must(app, 'requests.say', { code, what: 'accept' }, browser);
  const part = await delivered(shared);
  await must(app, 'requests.say', { code: part.code, what: 'complain', text: 'Only half.' }, part.browser);
  const half = { verb: 'refund', id: part.id, amount: '20', note: 'Half of it was missing.' };
  await runRequestsCommand(app.engines, half);
  await readRows(app, `update checkout_orders set paid_at = paid_at - interval '91 days' where request_id = $1`, [
    old.id,
  ]);
  const before = await atAccount(shared);
  await removeAlbum(app, shared.albumId);
  await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
  await tendRequests(app.engines);
  await runRefunds(app.engines);
  for (const asked of [recent, part]) {
    expect(await show(asked)).toMatchObject({ state: 'refunded', endReason: 'decided', refundedCents: 4000 });
    expect(await heldOf(asked)).toBe(0);
  }
  expect([await toldOf(recent), await toldOf(part, '$20.00')], 'of what had not gone back').toEqual([1, 1]);
  expect(await noticesOf(shared), 'the same to her').toEqual([2000, 4000]);
  expect(await refundsOf(recent)).toMatchObject([{ amount_cents: 4000, state: 'succeeded' }]);
  expect(await refundsOf(part)).toMatchObject([{ amount_cents: 2000 }, { amount_cents: 2000, by_kind: 'system' }]);
  expect(await show(old), 'longer ago').toMatchObject({ state: 'released', refundedCents: 0 });
  expect((await atAccount(shared)) - before).toBe(-3600 - 1800);
  const fees = `select coalesce(sum(e.amount_cents), 0)::int as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id
    join ledger_transactions t on t.id = e.transaction_id where a.key = 'income:platform_fee' and t.source_key like 'refund-released:%'`;
  expect(await readRow(app, fees)).toEqual({ cents: 600 });
  expect(await findDrift(app.engines)).toEqual([]);
});

it('what is held for a creator who is suspended goes back in full, once, delivered or not', async () => {
  const shared = await openCreator();
  const [working, unlooked, unpaid] = [await paid(shared), await delivered(shared), await askAtLink(app, shared)];
  const order = { email: shared.creator.email, reason: 'Shows somebody else.', isEnd: false };
  await runSuspend(app.engines, order);
  await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
  await tendRequests(app.engines);
  for (const asked of [working, unlooked]) {
    expect(await show(asked)).toMatchObject({ state: 'refunded', endReason: 'decided', refundedCents: 4000 });
    expect(await refundsOf(asked)).toMatchObject([
      { state: 'succeeded', note: 'Your account is suspended.', cause: 'suspended' },
    ]);
    expect(await receiptOf(asked)).toMatchObject({
      why: "The creator can't offer what you paid for any more.",
      terms: expect.stringContaining('held until delivery'),
    });
    expect(await heldOf(asked)).toBe(0);
    expect(await toldOf(asked)).toBe(1);
  }
  expect(await noticesOf(shared)).toEqual([4000, 4000]);
  expect(await show(unpaid), 'nobody has paid for it').toMatchObject({ state: 'requested' });
  expect(await findDrift(app.engines)).toEqual([]);
});

it('what a creator who leaves was paid goes back, delivered or not, and what was released in the last 30 days', async () => {
  const shared = await openCreator();
  const [old, recent] = [await delivered(shared), await delivered(shared)];
  for (const { code, browser } of [old, recent]) await must(app, 'requests.say', { code, what: 'accept' }, browser);
  const [unlooked, working] = [await delivered(shared), await paid(shared)];
  const month = 30 * 24 * hourMs;
  for (const [{ id }, ms] of [[old, month] as const, [recent, month - 1000] as const])
    await readRows(app, 'update checkout_orders set paid_at = $2 where request_id = $1', [
      id,
      new Date(app.engines.clock() - ms),
    ]);
  const before = await atAccount(shared);
  await readRows(app, `update users set status = 'deleting' where id = $1`, [shared.creator.userId]);
  await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
  await tendRequests(app.engines);
  await runRefunds(app.engines);
  for (const asked of [recent, unlooked, working]) {
    expect(await show(asked)).toMatchObject({ state: 'refunded', endReason: 'left', refundedCents: 4000 });
    expect(await refundsOf(asked)).toMatchObject([
      { state: 'succeeded', reason: 'access_revoked', cause: 'creator_left' },
    ]);
    expect((await receiptOf(asked)).why).toBe('The creator has closed their account.');
    expect(await heldOf(asked)).toBe(0);
    const reported = (await emailsTo(app, asked.email)).filter((text) =>
      text.includes('The creator is no longer on PrivateFans.'),
    );
    expect(reported).toHaveLength(1);
  }
  expect(await show(old), 'longer ago').toMatchObject({ state: 'released', refundedCents: 0 });
  expect((await atAccount(shared)) - before).toBe(-3600);
  expect(await findDrift(app.engines)).toEqual([]);
});

it('what is paid when nobody waits for it any more goes back, and whoever paid is told why', async () => {
  const shared = await openCreator();
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  const { url } = await must(app, 'requests.pay', { code: asked.code, amountCents: 4000 }, asked.browser);
  await readRows(app, `update custom_requests set state = 'declined' where id = $1`, [asked.id]);
  const sessionId = sessionOf(url);
  await payAt(app, sessionId, { email: asked.email });
  await must(app, 'requests.paid', { sessionId }, asked.browser);
  await Promise.all([runRefunds(app.engines), runRefunds(app.engines)]);
  expect(await refundsOf(asked)).toMatchObject([{ amount_cents: 4000, state: 'succeeded', cause: 'paid_after_end' }]);
  expect((await receiptOf(asked)).why).toBe('Your payment arrived when this was no longer for sale.');
  const why = 'This request was cancelled or changed. Your payment arrived after that';
  const reported = (await emailsTo(app, asked.email)).filter((text) => text.replaceAll(/\s+/g, ' ').includes(why));
  expect(reported).toHaveLength(1);
  expect(await noticesOf(shared), 'she had nothing of it').toEqual([]);
});

it('what a suspended creator has accepted is not paid any more', async () => {
  const shared = await openCreator();
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await runSuspend(app.engines, { email: shared.creator.email, reason: 'Stolen photos.', isEnd: false });
  const params = { code: asked.code, amountCents: 4000 };
  expect((await app.call('requests.pay', params, asked.browser)).body).toMatchObject({
    code: 'CONFLICT',
    message: 'Not accepting payments right now. Please try again later.',
  });
});
