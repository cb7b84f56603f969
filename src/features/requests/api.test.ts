import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilSynced } from '#features/books/ledger-sync.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { hourMs } from '#kit/time.ts';
import {
  type Asked,
  askAtLink,
  beginTogether,
  deliverAsked,
  emailsTo,
  payAccepted,
  payFor,
  takeRequests,
} from '#tests/support/money/requests.ts';
import { connectPayouts, tapDoor } from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRequestsCommand } from './commands.ts';
import { tendRequests } from './jobs.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
const operatorEmail = 'operator@example.com';

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());

const show = async ({ code }: Asked, browser = newBrowser()) => must(app, 'requests.show', { code }, browser);
const hers = (what: string, input: object) => app.call(`requests.${what}`, input, shared.creator.browser);
const say = ({ code, browser }: Asked, what: string, text = '') =>
  app.call('requests.say', { code, what, text }, browser);

const paid = (params: object = {}) => payAccepted(app, shared, params);
const delivered = () => deliverAsked(app, shared);
const inOneMoment = <T>(asked: Asked, begin: () => Promise<T>[]) => beginTogether(app, asked, begin);

const transfersOf = async ({ id }: Asked) =>
  Number(
    (
      await readRows(
        app,
        "select count(*) as n from sandbox_objects where type = 'transfer' and body->>'transfer_group' = $1",
        [`req_${id}`],
      )
    )[0]?.n,
  );
const heldOf = async ({ id }: Asked) => {
  await reconcile(app.engines);
  const rows = await readRows(
    app,
    `select coalesce(sum(e.amount_cents), 0)::int as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.key = $1`,
    [`liability:held:${id}`],
  );
  return rows[0]?.cents;
};
const atAccount = async () => {
  const { available, pending } = await app.engines.payments.balance(accountId);
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
};

describe('from asking to delivery', () => {
  it('is followed by both sides, opens for whoever paid alone, and is paid to its creator once', async () => {
    const asked = await askAtLink(app, shared);
    const { id: requestId } = asked;
    expect(await show(asked)).toMatchObject({ state: 'requested', isYours: false, email: 'a•••@example.com' });
    expect(await show(asked, asked.browser)).toMatchObject({ isYours: true, title: 'Ten photos at the beach' });
    expect((await hers('list', {})).body).toMatchObject({ rows: [{ id: requestId, state: 'requested' }], waiting: 1 });
    expect(JSON.stringify((await hers('one', { requestId })).body)).not.toContain(asked.email);

    expect((await hers('accept', { requestId, days: 7 })).body).toMatchObject({ state: 'quoted', agreedCents: 4000 });
    expect((await hers('accept', { requestId, days: 7 })).status).toBe(409);
    await payFor(app, asked);
    expect(await show(asked)).toMatchObject({ state: 'paid' });
    expect([await heldOf(asked), await transfersOf(asked), await atAccount()]).toEqual([-4000, 0, 0]);

    const given = await hers('deliver', { requestId, albumId: shared.albumId, text: 'I hope you like it.' });
    expect(given.body).toMatchObject({ state: 'delivered', album: { id: shared.albumId } });
    const { viewPath } = await must(app, 'requests.open', { code: asked.code }, asked.browser);
    const slug = viewPath.split('/').at(-1);
    expect((await tapDoor(app, slug, newBrowser())).status, 'nobody else').not.toBe(200);
    expect((await tapDoor(app, slug, asked.browser)).status).toBe(200);

    expect((await say(asked, 'accept')).body).toMatchObject({ state: 'released' });
    expect((await say(asked, 'accept')).status).toBe(409);
    expect([await heldOf(asked), await transfersOf(asked), await atAccount()]).toEqual([0, 1, 3600]);
    expect(await findDrift(app.engines)).toEqual([]);
    const mails = (await emailsTo(app, asked.email)).join('\n');
    for (const words of ['You pay only if it is accepted', 'Accepted. Pay to start.', 'Delivered – open it.', 'Done.'])
      expect(mails).toContain(words);
    expect((await must(app, 'money.earnings', {}, shared.creator.browser)).earnings).toMatchObject({
      monthlyCustom: 3600,
      totalEarned: 3600,
    });
    const { rows } = await must(app, 'money.listEarnings', { filter: 'customs' }, shared.creator.browser);
    expect(rows).toMatchObject([{ kind: 'request', amountCents: 3600, grossCents: 4000, canRefund: false }]);
  });

  it('is delivered however long its title is, behind a link whose name is cut between two letters', async () => {
    const asked = await paid({ title: '🌊'.repeat(40) });
    const longest = await paid({ title: 'W'.repeat(80) });
    for (const { id: requestId } of [asked, longest])
      expect((await hers('deliver', { requestId, albumId: shared.albumId })).status).toBe(200);
    const { links } = await must(app, 'links.list', {}, shared.creator.browser);
    const names = links.map(({ linkName }: { linkName: string }) => linkName);
    expect(names).toEqual(expect.arrayContaining([`Custom: ${'🌊'.repeat(35)}…`, `Custom: ${'W'.repeat(71)}…`]));
  });

  it('a counter-offer is paid at its price, and at no other', async () => {
    const asked = await askAtLink(app, shared);
    await hers('counter', { requestId: asked.id, cents: 6000, days: 3, text: 'It takes a whole day.' });
    expect(await show(asked)).toMatchObject({ state: 'quoted', isCounter: true, agreedCents: 6000 });
    const atOld = await app.call('requests.pay', { code: asked.code, amountCents: 4000 }, asked.browser);
    expect(atOld.body.code).toBe('PRICE_CHANGED');
    await payFor(app, asked, 6000);
    expect(await show(asked)).toMatchObject({ state: 'paid' });
  });

  it('one change is made within the brief, and then no other', async () => {
    const asked = await delivered();
    expect((await say(asked, 'revise')).body.data.field).toBe('text');
    expect((await say(asked, 'revise', 'Please in blue.')).body).toMatchObject({ state: 'revision_requested' });
    const again = { requestId: asked.id, albumId: shared.albumId };
    expect((await hers('deliver', again)).body).toMatchObject({ state: 'delivered', wasRevised: true });
    expect((await say(asked, 'revise', 'And in red.')).status).toBe(409);
  });

  it('works in another browser by a mailed link, and not by its address alone', async () => {
    const asked = await delivered();
    const other = newBrowser();
    const { code } = asked;
    for (const [call, input] of [
      ['requests.open', { code }],
      ['requests.say', { code, what: 'accept' }],
    ] as const)
      expect((await app.call(call, input, other)).status).toBe(404);
    await must(app, 'requests.mailLink', { code }, other);
    const token = /#(\S+)/.exec((await emailsTo(app, asked.email)).join('\n'))?.[1] ?? '';
    await must(app, 'requests.claim', { code, token }, other);
    expect((await app.call('requests.claim', { code, token }, newBrowser())).body.code).toBe('GONE');
    expect(await show(asked, other)).toMatchObject({ isYours: true });
    const { viewPath } = await must(app, 'requests.open', { code }, other);
    expect((await tapDoor(app, viewPath.split('/').at(-1), other)).status).toBe(200);
  });
});

describe('the list of whoever asked', () => {
  it('holds what this browser asked for, with its word, price and way', async () => {
    const asked = await askAtLink(app, shared);
    const mine = async (browser: Browser) => (await must(app, 'requests.mine', {}, browser)).rows;
    const row = { code: asked.code, title: 'Ten photos at the beach', state: 'requested', offeredCents: 4000 };
    expect(await mine(asked.browser)).toMatchObject([row]);
    expect(await mine(newBrowser())).toEqual([]);
    const other = await askAtLink(app, shared);
    expect(await mine(other.browser)).toMatchObject([{ code: other.code }]);
  });

  it('is found by the address alone in another browser, where nothing was paid', async () => {
    const asked = await askAtLink(app, shared);
    const other = newBrowser();
    await must(app, 'viewing.findPurchases', { email: asked.email }, other);
    const mails = (await emailsTo(app, asked.email)).join('\n');
    const token = /find-my-purchases#(\w{43})/.exec(mails)?.[1] ?? '';
    await must(app, 'viewing.claimPurchases', { token }, other);
    expect((await must(app, 'requests.mine', {}, other)).rows).toMatchObject([{ code: asked.code }]);
    expect(await show(asked, other)).toMatchObject({ isYours: true });
  });
});

describe('the clocks', () => {
  it('what is not answered in 72 hours expires, and what is not paid in 48', async () => {
    const [unanswered, unpaid] = [await askAtLink(app, shared), await askAtLink(app, shared)];
    await hers('accept', { requestId: unpaid.id, days: 7 });
    advance(app, 48 * hourMs);
    await tendRequests(app.engines);
    expect(await show(unpaid)).toMatchObject({ state: 'expired', endReason: 'unpaid' });
    expect(await show(unanswered)).toMatchObject({ state: 'requested' });
    advance(app, 24 * hourMs);
    expect((await hers('accept', { requestId: unanswered.id, days: 7 })).body.code).toBe('GONE');
    await tendRequests(app.engines);
    expect(await show(unanswered)).toMatchObject({ state: 'expired', endReason: 'unanswered' });
  });

  it('what is not delivered two days after its day goes back in full by itself', async () => {
    const asked = await paid();
    advance(app, 9 * 24 * hourMs - 1000);
    await tendRequests(app.engines);
    expect(await show(asked)).toMatchObject({ state: 'paid' });
    advance(app, 1000);
    await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
    expect(await show(asked)).toMatchObject({ state: 'refunded', endReason: 'not_delivered', refundedCents: 4000 });
    expect([await heldOf(asked), await transfersOf(asked)]).toEqual([0, 0]);
    expect((await emailsTo(app, asked.email)).join('\n')).toContain('$40.00 is on its way back to the card');
  });

  it('what nobody looks at for 72 hours is released, and an acceptance in that moment releases it once', async () => {
    const asked = await delivered();
    advance(app, 72 * hourMs);
    const before = await atAccount();
    const went = await inOneMoment<unknown>(asked, () => [
      say(asked, 'accept'),
      say(asked, 'accept'),
      tendRequests(app.engines),
      tendRequests(app.engines),
    ]);
    const accepted = went.filter((one) => (one as { status?: number } | undefined)?.status === 200);
    expect(accepted.length, 'one of them at most').toBeLessThanOrEqual(1);
    expect(await show(asked)).toMatchObject({ state: 'released' });
    expect([await transfersOf(asked), (await atAccount()) - before]).toEqual([1, 3600]);
    expect(await heldOf(asked)).toBe(0);
  });
});

describe('money goes back', () => {
  it('when the creator cancels, also against an acceptance and a second tap', async () => {
    const asked = await paid();
    const taps = await inOneMoment(asked, () =>
      [1, 2].map(() => hers('cancel', { requestId: asked.id, text: 'I am ill.' })),
    );
    expect(taps.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await show(asked)).toMatchObject({ state: 'refunded', endReason: 'canceled', refundedCents: 4000 });
    const refunds = await readRows(
      app,
      'select r.id from refunds r join checkout_orders o on o.id = r.order_id where o.request_id = $1',
      [asked.id],
    );
    expect(refunds).toHaveLength(1);
    expect((await hers('deliver', { requestId: asked.id, albumId: shared.albumId })).status).toBe(409);
  });

  it('in part and in whole by staff, who are told that it waits; both sides read why', async () => {
    const [part, whole] = [await delivered(), await delivered()];
    for (const asked of [part, whole]) await say(asked, 'complain', 'Only half of it is there.');
    expect((await emailsTo(app, operatorEmail)).join('\n')).toContain(`requests release ${part.id}`);
    const pf = (verb?: string, id?: string, more: object = {}) =>
      runRequestsCommand(app.engines, { verb, id, amount: undefined, note: undefined, ...more });
    expect(await pf()).toContain('WAITS FOR YOU');
    expect(await pf('show', part.id)).toContain('Only half of it is there.');
    await expect(pf('refund', part.id)).rejects.toThrow('Say why');
    await expect(pf('refund', part.id, { note: 'Half.', amount: '40' })).rejects.toThrow('less than what is held');
    const before = await atAccount();
    const note = 'Half of it was missing.';
    expect(await pf('refund', part.id, { note, amount: '20' })).toContain('$20.00 of $40.00');
    expect(await show(part)).toMatchObject({ state: 'released', refundedCents: 2000 });
    expect([await heldOf(part), (await atAccount()) - before]).toEqual([0, 1800]);
    await pf('refund', whole.id, { note });
    expect(await show(whole)).toMatchObject({ state: 'refunded', refundedCents: 4000, canOpen: false });
    expect(await heldOf(whole)).toBe(0);
    await expect(pf('release', whole.id, { note })).rejects.toThrow('refunded');
    for (const address of [whole.email, shared.creator.email])
      expect((await emailsTo(app, address)).join('\n')).toContain(note);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('by no other door: neither the receipt, nor her earnings, nor `pf refunds`', async () => {
    const asked = await paid();
    const [order] = await readRows(app, 'select id from checkout_orders where request_id = $1', [asked.id]);
    expect((await app.call('money.refund', { orderId: order?.id }, shared.creator.browser)).status).toBe(404);
    const { receiptPath } = await show(asked, asked.browser);
    const ask = { code: receiptPath.split('/').at(-1), reason: 'satisfaction', text: '' };
    expect((await app.call('refunds.ask', ask, newBrowser())).status).toBe(409);
    await untilSynced(app.engines);
  });
});
