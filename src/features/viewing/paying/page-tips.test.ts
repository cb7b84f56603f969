import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilSynced } from '#features/books/ledger-sync.ts';
import { reconcile, settleOpen } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { pageTipRule } from '#features/notices/refund-promise.ts';
import { answerDisputes } from '#features/returns/disputes/answering-disputes.ts';
import { runDisputesCommand } from '#features/returns/disputes/disputes-command.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import { connectPayouts, payAt, post, sessionOf } from '#tests/support/money/selling.ts';
import { advance, must, type Person, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mara: Person;
let accountId: string;
const hour = 3_600_000;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  mara = await signUpCreator(app);
  await readRow(app, `update users set handle = 'mara_lights' where id = $1 returning id`, [mara.userId]);
  accountId = await connectPayouts(app, mara);
  await must(app, 'accounts.setPublicPage', { isOn: true }, mara.browser);
});
afterAll(() => app.close());

/** A tap on Pay, as the page sends it: a browser that is new gets its cookie first. */
async function tip(browser: Browser, more: object = {}) {
  advance(app, 1000);
  const params = { handle: 'mara_lights', amountCents: 1000, shownTerms: pageTipRule, ...more };
  const first = await app.call('viewing.tipOnPage', params, browser);
  return first.body.url === null ? app.call('viewing.tipOnPage', params, browser) : first;
}
const orders = () =>
  readRows(app, 'select state, amount_cents from checkout_orders where creator_id = $1 order by created_at, id', [
    mara.userId,
  ]);
const statusOf = (sessionId: string, browser: Browser) => must(app, 'viewing.checkoutStatus', { sessionId }, browser);

describe("a tip on a creator's page", () => {
  it('needs no account and no link, pays her 90 %, and stands among her earnings with its words', async () => {
    const browser = newBrowser();
    const words = { message: 'For the sea', signedBy: 'Bob' };
    const { status, body } = await tip(browser, words);
    expect([status, body]).toEqual([200, { url: expect.stringContaining('/sandbox/pay/cs_test_') }]);
    const sessionId = sessionOf(body.url);
    expect(await payAt(app, sessionId)).toEqual({
      url: `http://localhost:3000/tip-success?session_id=${sessionId}`,
    });
    const order = await readRow(app, 'select terms_shown from checkout_orders where session_id = $1', [sessionId]);
    expect(order).toEqual({ terms_shown: pageTipRule });
    const reported = await statusOf(sessionId, browser);
    expect(reported).toMatchObject({ state: 'done', kind: 'tip', amountCents: 1000, pagePath: '/@mara_lights' });
    expect([reported.viewPath, reported.receiptPath]).toEqual([undefined, expect.stringContaining('/receipt/')]);
    const receipt = await must(app, 'money.receipt', { code: reported.receiptPath.split('/').at(-1) }, browser);
    expect(receipt).toMatchObject({ terms: pageTipRule, isOnPage: true });
    await untilSynced(app.engines);
    const { rows } = await must(app, 'money.listEarnings', {}, mara.browser);
    expect(rows).toEqual([
      expect.objectContaining({
        kind: 'tip',
        amountCents: 900,
        grossCents: 1000,
        link: null,
        isOnPage: true,
        message: 'For the sea',
        signedBy: 'Bob',
        canRefund: true,
      }),
    ]);
    expect((await must(app, 'money.earnings', {}, mara.browser)).earnings.monthlyTips).toBe(900);
    const mails = 'select template from mail_outbox where recipient = $1';
    expect(await readRows(app, mails, ['bob@example.com'])).toEqual([{ template: 'receipt' }]);
  });

  it('is told to its creator as one on her page', async () => {
    const [notice] = await readRows(app, 'select about from notices where user_id = $1', [mara.userId]);
    expect(notice).toMatchObject({ about: { isOnPage: true, shareCents: 900 } });
  });

  it('is listed among the purchases of its browser, as sent and not as something that has ended', async () => {
    const browser = newBrowser();
    await payAt(app, sessionOf((await tip(browser)).body.url));
    await settleOpen(app.engines, 0);
    const { rows } = await must(app, 'viewing.purchases', {}, browser);
    expect(rows).toEqual([expect.objectContaining({ kind: 'tip', state: 'sent', amountCents: 1000 })]);
    const opened = await app.call('viewing.openPurchase', { orderId: rows[0].orderId }, browser);
    expect(opened.status).toBe(404);
  });

  it('that is disputed is told to the bank as a gift that opened nothing', async () => {
    const browser = newBrowser();
    const sessionId = sessionOf((await tip(browser)).body.url);
    await payAt(app, sessionId);
    await settleOpen(app.engines, 0);
    const { chargeId = '' } = await app.engines.payments.findCheckout(sessionId);
    const id = (await app.engines.sandbox?.dispute(chargeId)) ?? '';
    await syncObject(app.engines, id);
    const [mail] = await readRows<{ text: string }>(
      app,
      `select body_text as text from mail_outbox where user_id = $1 and template = 'dispute'`,
      [mara.userId],
    );
    expect(mail?.text).toContain('Tip: $10.00');
    expect(mail?.text).not.toContain('closed');
    await answerDisputes(app.engines);
    const said = await runDisputesCommand(app.engines, { verb: 'show', id, folder: undefined, note: undefined });
    for (const part of [
      'sent on their public page as a gift',
      pageTipRule,
      'opens nothing, so there is nothing to log',
    ])
      expect(said).toContain(part);
    expect(said).not.toMatch(/album of photos|you are refunded automatically|not opened|Nothing was delivered/);
    await app.engines.sandbox?.decideDispute(id, true);
    await syncObject(app.engines, id);
  });

  it('is one order however often it is tapped, and another amount ends the first', async () => {
    const before = (await orders()).length;
    const browser = newBrowser();
    await tip(browser, { amountCents: 2000 });
    const taps = await Promise.all([1, 2, 3, 4].map(() => tip({ ...browser }, { amountCents: 2000 })));
    expect(new Set(taps.map(({ body }) => body.url)).size).toBe(1);
    const first = sessionOf(taps[0]?.body.url);
    const second = sessionOf((await tip(browser, { amountCents: 5000 })).body.url);
    expect(second).not.toBe(first);
    expect(await app.engines.sandbox?.findCheckout(first)).toMatchObject({ isOpen: false });
    expect((await orders()).slice(before)).toEqual([
      { state: 'expired', amount_cents: 2000 },
      { state: 'pending', amount_cents: 5000 },
    ]);
    await payAt(app, second);
    const again = await tip(browser, { amountCents: 5000 });
    expect([again.status, sessionOf(again.body.url) === second]).toEqual([200, false]);
  });

  it('keeps to the amounts that are shown, and to browsers that can be known again', async () => {
    const browser = newBrowser();
    await tip(browser);
    for (const amountCents of [499, 10_001, -1000]) {
      const { status, body } = await tip(browser, { amountCents });
      expect([status, body.message]).toEqual([422, expect.stringContaining('Choose between $5 and $100.')]);
    }
    const unknown = await post(app, '/rpc/viewing/tipOnPage', { json: { handle: 'mara_lights', amountCents: 1000 } });
    expect([unknown.status, unknown.body.json]).toEqual([200, { url: null }]);
  });

  it('reaches nobody whose page is closed, who has no plan, or who is nobody, and is one answer', async () => {
    const browser = newBrowser();
    await tip(browser);
    const nobody = (await tip(browser, { handle: 'nobody_at_all' })).body;
    await must(app, 'accounts.setPublicPage', { isOn: false }, mara.browser);
    expect((await tip(browser)).body).toEqual(nobody);
    await must(app, 'accounts.setPublicPage', { isOn: true }, mara.browser);
    await readRow(app, `update users set subscription_status = 'inactive' where id = $1 returning id`, [mara.userId]);
    expect((await tip(browser)).body).toEqual(nobody);
    await readRow(app, `update users set subscription_status = 'trialing' where id = $1 returning id`, [mara.userId]);
    expect((await tip(browser)).status).toBe(200);
  });

  it('is not taken where she cannot be paid, nor from a viewer whom she has blocked', async () => {
    const browser = newBrowser();
    await tip(browser);
    await app.engines.sandbox?.answerOnboarding(accountId, false);
    await must(app, 'money.checkAccount', {}, mara.browser);
    const closed = await tip(browser, { amountCents: 2000 });
    expect([closed.status, closed.body.message]).toEqual([
      409,
      'Not accepting payments right now. Please try again later.',
    ]);
    await app.engines.sandbox?.answerOnboarding(accountId, true);
    await must(app, 'money.checkAccount', {}, mara.browser);
    await readRow(
      app,
      `insert into viewer_blocks (creator_id, viewer_id, at, reason) select creator_id, viewer_id, now(), 'other' from checkout_orders
       where creator_id = $1 order by created_at desc, id desc limit 1 returning viewer_id`,
      [mara.userId],
    );
    expect((await tip(browser)).body).toEqual(closed.body);
  });

  it('is a gift: it is not paid back because she closes her page or her account, and by her own hand it is', async () => {
    const browser = newBrowser();
    const sessionId = sessionOf((await tip(browser, { amountCents: 1500 })).body.url);
    await payAt(app, sessionId);
    await statusOf(sessionId, browser);
    await must(app, 'accounts.setPublicPage', { isOn: false }, mara.browser);
    expect((await statusOf(sessionId, browser)).pagePath).toBeUndefined();
    await readRow(app, `update users set status = 'deleting' where id = $1 returning id`, [mara.userId]);
    advance(app, 25 * hour);
    await refundOwed(app.engines);
    expect(await readRows(app, 'select id from refunds')).toEqual([]);
    await readRow(app, `update users set status = 'active' where id = $1 returning id`, [mara.userId]);
    await must(app, 'accounts.setPublicPage', { isOn: true }, mara.browser);
    await untilSynced(app.engines);
    const { rows } = await must(app, 'money.listEarnings', { filter: 'tips' }, mara.browser);
    await must(app, 'money.refund', { orderId: rows[0].orderId }, mara.browser);
    expect(await statusOf(sessionId, browser)).toMatchObject({ state: 'returned' });
    expect(await reconcile(app.engines)).toEqual([]);
  });
});
