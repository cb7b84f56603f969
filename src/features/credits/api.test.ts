import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findDrift } from '#features/money/reconcile.ts';
import { workInbox } from '#features/money/webhooks/inbox.ts';
import { newId } from '#kit/ids.ts';
import { buyPack, countCredits, giveCredits } from '#tests/support/money/credits.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { sessionOfSecret } from '#tests/support/money/planning.ts';
import { badCard, connectPayouts, goodCard } from '#tests/support/money/selling.ts';
import { advance, must, type Person, readRow, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { upload } from '#tests/support/tracing/leaks.ts';
import { openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { runCreditGrant } from './commands.ts';
import { settleCredits } from './lots/settling.ts';

const check = openExchangeCheck();
const day = 86_400_000;
let app: TestApp;
let mia: Person;
let viewerApi: ViewerApi;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
  viewerApi = await openViewerApi(app);
});
beforeEach(async () => {
  mia = await signUpCreator(app);
  const active = `update users set subscription_status = 'active', trial_ends_at = null where id = $1 returning id`;
  await readRow(app, active, [mia.userId]);
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

const balanceOf = ({ browser }: Pick<Person, 'browser'>) => must(app, 'credits.balance', {}, browser);
const usesOf = ({ browser }: Pick<Person, 'browser'>) => must(app, 'credits.uses', {}, browser);
const reported = (rows: { reason: string; type: string; amount: number }[]) =>
  rows.map(({ reason, type, amount }) => `${reason}: ${type} ${amount}`);

/** Time goes on; the session that was open is another one. */
async function later(ms: number): Promise<Person> {
  advance(app, ms);
  return { ...mia, browser: await signInQuickly(app, mia.userId) };
}

describe('the balance', () => {
  it('has the shape that others read, and is nothing for whoever has done nothing', async () => {
    expect(await balanceOf(mia)).toEqual({
      currentBalance: 0,
      totalEarned: 0,
      totalSpent: 0,
      recentTransactions: [],
    });
    const raw = await app.fastify.inject({ method: 'GET', url: '/api/v1/credits-balance' });
    expect(raw.statusCode).toBe(401);
    expect(await app.call('credits.balance', {}, newBrowser())).toMatchObject({ status: 401 });
  });

  it('grows by five for the first album, the first link and payouts, each once', async () => {
    const albumId = await addReadyAlbum(app, mia.userId);
    await addReadyAlbum(app, mia.userId, { name: 'Another one' });
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 5 });
    const link = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
    await must(app, 'links.create', link, mia.browser);
    await must(app, 'links.create', link, mia.browser);
    await connectPayouts(app, mia);
    await Promise.all([settleCredits(app.engines), settleCredits(app.engines), balanceOf(mia)]);
    const { currentBalance, totalEarned, recentTransactions } = await balanceOf(mia);
    expect([currentBalance, totalEarned]).toEqual([15, 15]);
    expect(reported(recentTransactions).sort()).toEqual([
      'Payouts connected: credit 5',
      'Your first album: credit 5',
      'Your first link: credit 5',
    ]);
  });

  it('grows by thirty in each month of the suite', async () => {
    await readRow(app, 'insert into user_entitlements (user_id, suite_user) values ($1, true) returning user_id', [
      mia.userId,
    ]);
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 30 });
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 30 });
    expect(await balanceOf(await later(31 * day))).toMatchObject({ currentBalance: 60 });
  });

  it('loses what was given at the very instant a year later, and never what was bought', async () => {
    await giveCredits(app, mia.userId, 40);
    await must(app, 'credits.arrive', { sessionId: await buyPack(app, mia) }, mia.browser);
    expect(await balanceOf(await later(365 * day - 1))).toMatchObject({ currentBalance: 90 });
    const after = await balanceOf(await later(1));
    expect(after).toMatchObject({ currentBalance: 50, totalEarned: 90, totalSpent: 0 });
    expect(reported(after.recentTransactions)[0]).toBe('Expired: debit 40');
  });

  it("is nobody else's, and shows the newest twenty movements", async () => {
    for (let n = 0; n < 22; n++) await giveCredits(app, mia.userId, n + 1);
    const { recentTransactions, currentBalance } = await balanceOf(mia);
    expect(recentTransactions).toHaveLength(20);
    expect([recentTransactions[0].amount, currentBalance]).toEqual([22, (22 * 23) / 2]);
    const ana = await signUpCreator(app);
    expect(await balanceOf(ana)).toMatchObject({ currentBalance: 0, recentTransactions: [] });
  });
});

describe('a pack', () => {
  it('is bought in a frame, gives its credits once whoever tells of it, and is income of the platform', async () => {
    const { clientSecret } = await must(app, 'credits.buy', { credits: 120, mode: 'embedded' }, mia.browser);
    const again = await must(app, 'credits.buy', { credits: 120, mode: 'embedded' }, mia.browser);
    const sessionId = sessionOfSecret(clientSecret);
    expect(sessionOfSecret(again.clientSecret)).toBe(sessionId);
    const arrive = () => must(app, 'credits.arrive', { sessionId }, mia.browser);
    expect(await arrive()).toEqual({ state: 'checking', credits: 120 });
    const { sandbox } = app.engines;
    const refused = await sandbox?.pay(sessionId, { email: mia.email, card: badCard });
    expect(refused).toMatchObject({ declined: expect.any(String) });
    await sandbox?.pay(sessionId, { email: mia.email, card: goodCard });
    await sandbox?.deliverDue();
    await Promise.all([workInbox(app.engines), arrive(), settleCredits(app.engines), balanceOf(mia)]);
    expect(await arrive()).toEqual({ state: 'ready', credits: 120 });
    expect(await countCredits(app, mia.userId)).toEqual({ balance: 120, inLots: 120 });
    const { income } = await readRow<{ income: number }>(
      app,
      `select -sum(e.amount_cents)::int as income from ledger_entries e join ledger_accounts a on a.id = e.account_id
      join ledger_transactions t on t.id = e.transaction_id join credit_orders o on o.charge_id = t.charge_id
      where a.key = 'income:credits' and o.session_id = $1`,
      [sessionId],
    );
    expect(income).toBe(1000);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('gives its credits also when nobody comes back and no event arrives', async () => {
    const { settleOpenPacks } = await import('#features/orders/packs.ts');
    await buyPack(app, mia, 300);
    await readRows(app, 'update sandbox_events set delivered_at = now()');
    await settleOpenPacks(app.engines, 0);
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 300 });
  });

  it('is another checkout when another size is chosen, and the first one can be paid no more', async () => {
    const first = await must(app, 'credits.buy', { credits: 50, mode: 'embedded' }, mia.browser);
    const second = await must(app, 'credits.buy', { credits: 300, mode: 'embedded' }, mia.browser);
    expect(sessionOfSecret(second.clientSecret)).not.toBe(sessionOfSecret(first.clientSecret));
    const gone = await app.engines.payments.findCheckout(sessionOfSecret(first.clientSecret));
    expect(gone.state).toBe('expired');
    expect(await app.call('credits.buy', { credits: 51, mode: 'embedded' }, mia.browser)).toMatchObject({
      status: 422,
    });
  });

  it('goes back as far as it is unused, once, within fourteen days', async () => {
    await buyPack(app, mia);
    await settle();
    await giveCredits(app, mia.userId, 10);
    const { packs } = await usesOf(mia);
    expect(packs).toMatchObject([{ credits: 50, unused: 50, back: { cents: 500 }, state: 'bought' }]);
    // What ends first goes first: ten that were given, then ten of the pack.
    await must(app, 'credits.addStorage', { credits: 10 }, mia.browser);
    await must(app, 'credits.addStorage', { credits: 10 }, mia.browser);
    expect((await usesOf(mia)).packs).toMatchObject([{ unused: 40, back: { cents: 400 } }]);
    const packId = packs[0].id;
    const ask = (browser = mia.browser) => app.call('credits.askBack', { packId }, browser);
    expect((await ask((await signUpCreator(app)).browser)).status).toBe(404);
    const all = await Promise.all([ask(), ask(), ask()]);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(all.find(({ status }) => status === 200)?.body).toEqual({ cents: 400, state: 'refunded' });
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 0, totalEarned: 20, totalSpent: 20 });
    expect((await usesOf(mia)).packs).toMatchObject([{ unused: 0, back: null, state: 'refunded' }]);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is not to be had back from the fifteenth day on', async () => {
    await buyPack(app, mia);
    await settle();
    const [{ id: packId }] = (await usesOf(mia)).packs;
    const { browser } = await later(14 * day);
    expect(await app.call('credits.askBack', { packId }, browser)).toMatchObject({
      status: 409,
      body: { code: 'REFUND_WINDOW' },
    });
    expect((await usesOf({ browser })).packs).toMatchObject([{ back: null }]);
  });

  it('that was spent and went back with its money leaves less than nothing, and nothing can be spent', async () => {
    await buyPack(app, mia);
    await settle();
    await must(app, 'credits.addStorage', { credits: 10 }, mia.browser);
    const { sessionId, paymentId } = await readRow<{ sessionId: string; paymentId: string }>(
      app,
      'select session_id as "sessionId", payment_id as "paymentId" from credit_orders where user_id = $1',
      [mia.userId],
    );
    const refund = { refundId: newId(0), orderId: 'o', paymentId, amountCents: 500, isOwnSale: true } as const;
    await app.engines.payments.refund({ ...refund, reason: 'duplicate' });
    expect(await must(app, 'credits.arrive', { sessionId }, mia.browser)).toMatchObject({ state: 'ready' });
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: -10 });
    const refused = await app.call('credits.addStorage', { credits: 10 }, mia.browser);
    expect(refused).toMatchObject({ status: 402, body: { code: 'CREDITS_NEEDED' } });
    expect(refused.body.message).toBe('Extra storage costs 10 credits, and you have 0.');
    await giveCredits(app, mia.userId, 15);
    expect(await countCredits(app, mia.userId)).toEqual({ balance: 5, inLots: 5 });
  });
});

const settle = () => import('#features/orders/packs.ts').then(({ settleOpenPacks }) => settleOpenPacks(app.engines, 0));

describe('extra storage', () => {
  it('lasts thirty days, is told before it is paid, and one tap is one', async () => {
    const { storage } = await must(app, 'accounts.me', {}, mia.browser);
    expect((await usesOf(mia)).storage).toEqual({ credits: 10, bytes: 10e9, days: 30, has: [] });
    await giveCredits(app, mia.userId, 12);
    expect(await app.call('credits.addStorage', { credits: 9 }, mia.browser)).toMatchObject({
      status: 409,
      body: { code: 'PRICE_CHANGED' },
    });
    const key = '0190a000-0000-7000-8000-000000000001';
    const tap = { ...mia.browser, headers: { 'idempotency-key': key } };
    const [one, two] = await Promise.all([1, 2].map(() => must(app, 'credits.addStorage', { credits: 10 }, tap)));
    expect(one).toEqual(two);
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 2, totalSpent: 10 });
    const has = (await must(app, 'accounts.me', {}, mia.browser)).storage.limitBytes - storage.limitBytes;
    expect(has).toBe(10e9);
    const debit = await readRow(app, 'select what, credits from credit_debits where job_id = $1', [one.id]);
    expect(debit).toEqual({ what: 'storage', credits: 10 });
    const { browser } = await later(30 * day);
    expect((await must(app, 'accounts.me', {}, browser)).storage.limitBytes).toBe(storage.limitBytes);
  });
});

describe('a leaked copy', () => {
  const noPicture = Buffer.from('this is no picture');
  const hand = (query = '', browser = mia.browser) => upload({ viewerApi }, noPicture, browser, query);

  it('is free five times a month, then is taken for five credits that were agreed to, and never without', async () => {
    for (let n = 0; n < 5; n++) expect((await hand()).status).toBe(201);
    const poor = await hand('?credits=5');
    expect(poor).toMatchObject({
      status: 402,
      body: { code: 'CREDITS_NEEDED', data: { credits: 5, reason: 'too_few' } },
    });
    expect(poor.body.message).toBe("You've used this month's 5 free traces. This one costs 5 credits, and you have 0.");
    await giveCredits(app, mia.userId, 9);
    const asked = await hand();
    expect(asked).toMatchObject({ status: 402, body: { data: { credits: 5, reason: 'agree' } } });
    expect(asked.body.message).toBe("You've used this month's 5 free traces. This one costs 5 credits; you have 9.");
    expect((await hand('?credits=4')).status).toBe(402);
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 9 });
    const both = await Promise.all([hand('?credits=5'), hand('?credits=5')]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 402]);
    expect((await usesOf(mia)).traces).toEqual({ credits: 5, free: 5, usedThisMonth: 6 });
    const traceId = both.find(({ status }) => status === 201)?.body.traceId;
    expect(await readRow(app, 'select what, credits from credit_debits where job_id = $1', [traceId])).toEqual({
      what: 'trace',
      credits: 5,
    });
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 4, totalSpent: 5 });
    expect((await hand('', (await later(31 * day)).browser)).status).toBe(201);
  });

  it('gives its credits back when it fails through our fault, and not when it is no picture', async () => {
    await giveCredits(app, mia.userId, 10);
    for (let n = 0; n < 5; n++) await hand();
    const paid = [await hand('?credits=5'), await hand('?credits=5')].map(({ body }) => body.traceId);
    const fail = `update traces set state = 'failed', fail_code = $2, finished_at = created_at where id = $1`;
    await readRows(app, fail, [paid[0], 'CORRUPT']);
    await readRows(app, fail, [paid[1], 'TIMEOUT']);
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 5, totalEarned: 10, totalSpent: 5 });
    await settleCredits(app.engines);
    const { currentBalance, recentTransactions } = await balanceOf(mia);
    expect(currentBalance).toBe(5);
    expect(reported(recentTransactions)).toContain('Failed leak trace, refunded: credit 5');
  });
});

describe('whoever runs the installation', () => {
  it('gives credits, which is audited, and is told what is wrong', async () => {
    const give = (credits: string | undefined, email = mia.email) =>
      runCreditGrant(app.engines, { email, credits, note: 'For the outage' });
    expect(await give('25')).toBe(`${mia.email} got 25 credits and has 25.`);
    expect(await balanceOf(mia)).toMatchObject({ currentBalance: 25 });
    expect(
      await readRow(app, `select details from audit_log where action = 'credits.granted' and target_id = $1`, [
        mia.userId,
      ]),
    ).toEqual({ details: { credits: 25, note: 'For the outage' } });
    for (const wrong of ['0', '-1', '1.5', 'many', '100001', undefined])
      await expect(give(wrong)).rejects.toThrow('Say how many');
    await expect(give('5', 'nobody@example.com')).rejects.toThrow('No account has the address');
  });
});
