import { implement } from '@orpc/server';
import { slowNetwork, takeMail } from '#features/accounts/limits.ts';
import { findMe } from '#features/accounts/store.ts';
import { cutPage, readCursor } from '#features/albums/rules.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { findOrderHere } from '#features/orders/orders-store.ts';
import { mailReceipt } from '#features/orders/receipts.ts';
import { holdOrder, insertRefund } from '#features/orders/refunds-store.ts';
import { opens } from '#features/orders/rules.ts';
import {
  findConnectUrl,
  findPayoutAccount,
  findPriceLimits,
  payoutStatusOf,
  proposeCountry,
} from '#features/payouts/finding-accounts.ts';
import { confirmOpening } from '#features/payouts/opening-account.ts';
import { syncAccount } from '#features/payouts/sync-account.ts';
import { checkBearable } from '#features/returns/bearing-refunds.ts';
import { sumDue } from '#features/returns/dispute-fees-store.ts';
import { refundNow } from '#features/returns/refunding-now.ts';
import { showDisputes } from '#features/returns/showing-disputes.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { zoneOrUtc } from '#kit/time.ts';
import { requireCreator, requireSetUp, requireSignIn } from '#wire/answer.ts';
import { type Context, hasAccess } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import { moneyContract } from './contract.ts';
import { chartSpans, coverByPending } from './earning-rules.ts';
import { findEarningOrder } from './earnings/earning-order-store.ts';
import { listLines, listParts, sumEarnings } from './earnings/earnings-store.ts';
import { listPayoutLines } from './earnings/payout-lines-store.ts';
import { showEarningOrder, showLine, showPayoutLine } from './earnings/to-api.ts';
import { showPayouts } from './payout/showing-payouts.ts';
import { findReceipt } from './receipts/finding-receipts.ts';
import { findTipSettings, keepTipSettings } from './tip-settings-store.ts';

export { fansApi } from './fans/fans-api.ts';
export { payoutsApi } from './payout/payouts-api.ts';

const answer = implement(moneyContract).$context<Context>();
const currency = 'usd';

/** How often one creator, and one network before it waits, may have the provider asked in ten minutes and in an hour. */
const mostChecks = 20;
const freeChecks = 60;

/** @throws RATE_LIMITED */
async function takeCheck(context: Context, userId: string): Promise<void> {
  const { engines, asSystem, now } = context;
  await slowNetwork(context, 'check_account', freeChecks);
  const key = hashKey(engines.keys, 'check_account_of', userId);
  const taken = await asSystem((tx) => takeRate(tx, { key, limit: mostChecks, windowSeconds: 600, now }));
  if (taken.isOver) throw refuseForNow(taken.retryAfterSeconds);
}

export const moneyApi = answer.router({
  earnings: answer.earnings.use(requireSignIn).handler(async ({ context }) => {
    const { engines, creator, work, asSystem } = context;
    const [me, account] = await Promise.all([
      findMe(engines.database, creator.userId),
      findPayoutAccount(engines, creator.userId),
    ]);
    const { realm } = engines.payments;
    const about = { creatorId: creator.userId, realm, currency, now: moneyNow(engines) };
    const dueCents = account && (await asSystem((tx) => sumDue(tx, realm, account.accountId)));
    const sums = await work((tx) => sumEarnings(tx, { ...about, timeZone: zoneOrUtc(me?.timeZone) }));
    const { monthTips, monthPurchases, monthSubscriptions, monthCustom, lifetime, available, pending, pendingUntil } =
      sums;
    const { lastTipCents, lastTipAt, begunAt } = sums;
    const status = payoutStatusOf(engines, account);
    const balance = coverByPending({ available: available - (dueCents ?? 0), pending });
    return {
      connected: status === 'complete',
      earnings: {
        totalEarned: monthTips + monthPurchases + monthSubscriptions + monthCustom,
        monthlyTips: monthTips,
        monthlyPurchases: monthPurchases,
        monthlySubscriptions: monthSubscriptions,
        monthlyCustom: monthCustom,
        lastTip: lastTipCents === null || lastTipAt === null ? null : { amount: lastTipCents, timestamp: lastTipAt },
        lifetimeEarned: lifetime,
      },
      balance: { ...balance, pendingUntil: balance.pending > 0 ? pendingUntil : null },
      currency,
      begunAt,
      account: status,
      isRestricted: account?.fullStatus === 'restricted',
      isSandbox: engines.sandbox !== undefined,
    };
  }),
  listEarnings: answer.listEarnings.use(requireSignIn).handler(async ({ context, input }) => {
    const { filter, cursor, limit } = input;
    const { creator, engines } = context;
    const about = { creatorId: creator.userId, realm: engines.payments.realm };
    const span = { ...about, after: readCursor(cursor), limit: limit + 1 };
    const rows = await context.work(async (tx) =>
      filter === 'payouts'
        ? (await listPayoutLines(tx, span)).map(showPayoutLine)
        : (await listLines(tx, { ...span, filter })).map(showLine),
    );
    const { page, nextCursor } = cutPage(rows, limit, ({ at, id }) => ({ at: at.toISOString(), id }));
    return { rows: page, nextCursor };
  }),
  earningOrder: answer.earningOrder.use(requireSignIn).handler(async ({ context, input: { orderId } }) => {
    const about = { creatorId: context.creator.userId, realm: context.engines.payments.realm };
    const row = await context.asSystem((tx) => findEarningOrder(tx, orderId, about));
    if (row === undefined) throw refuse('NOT_FOUND');
    return showEarningOrder(row);
  }),
  chart: answer.chart.use(requireSignIn).handler(async ({ context, input: { span } }) => {
    const { engines, creator, work } = context;
    const me = await findMe(engines.database, creator.userId);
    const about = { creatorId: creator.userId, realm: engines.payments.realm, currency, now: moneyNow(engines) };
    const params = { ...about, ...chartSpans[span], timeZone: zoneOrUtc(me?.timeZone) };
    return { by: params.by, parts: await work((tx) => listParts(tx, params)), currency };
  }),
  disputes: answer.disputes.use(requireSignIn).handler(({ context }) => showDisputes(context)),
  payouts: answer.payouts.use(requireSignIn).handler(({ context }) => showPayouts(context)),
  connect: answer.connect.use(requireSetUp).handler(async ({ context, input: { password, country } }) => {
    const { engines, creator } = context;
    const pagePath = hasAccess(creator.access) ? '/earnings' : '/account/payouts';
    const confirm = () => confirmOpening(context, password);
    return { url: await findConnectUrl(engines, creator.userId, { country, pagePath, confirm }) };
  }),
  account: answer.account.use(requireSignIn).handler(async ({ context }) => {
    const { engines, creator, caller } = context;
    const { mostCents, later } = await findPriceLimits(engines, creator.userId);
    const account = await findPayoutAccount(engines, creator.userId);
    const payoutCountry = await proposeCountry(engines, creator.userId, { account, address: caller.address });
    return { account: payoutStatusOf(engines, account), payoutCountry, mostPriceCents: mostCents, later };
  }),
  checkAccount: answer.checkAccount.use(requireSignIn).handler(async ({ context }) => {
    const { engines, creator } = context;
    await takeCheck(context, creator.userId);
    const known = await findPayoutAccount(engines, creator.userId);
    const account = known && (await syncAccount(engines, known.accountId));
    return { account: payoutStatusOf(engines, account ?? known) };
  }),
  refund: answer.refund.use(requireSignIn).handler(async ({ context, input: { orderId } }) => {
    const { engines, creator, requestId } = context;
    const now = moneyNow(engines);
    const order = await context.asSystem((tx) => findOrderHere(tx, engines.payments.realm, orderId));
    if (order?.creatorId !== creator.userId || order.paidAt === null) throw refuse('NOT_FOUND');
    if (order.requestId !== null) throw refuse('NOT_FOUND');
    if (order.state === 'disputed' || order.state === 'charged_back') throw refuse('DISPUTED');
    const { 'money.mostDebtCents': mostDebtCents } = await settingsOf(engines);
    if (opens(order.state))
      await context.asSystem(async (tx) => {
        const by = { kind: 'creator', userId: creator.userId } as const;
        const id = newId<'refund'>(now.getTime());
        const params = { id, orderId, reason: 'customer_request', note: '', by, now } as const;
        await holdOrder(tx, orderId);
        await checkBearable(tx, order, mostDebtCents);
        if (!(await insertRefund(tx, params))) return;
        const actor = { type: creator.kind, id: creator.userId };
        await insertAudit(tx, { actor, action: 'order.refunded', target: { type: 'order', id: orderId }, requestId });
      });
    return { state: await refundNow(engines, orderId) };
  }),
  tipSettings: answer.tipSettings
    .use(requireSignIn)
    .handler(({ context: { creator, work } }) => work((tx) => findTipSettings(tx, creator.userId))),
  changeTipSettings: answer.changeTipSettings.use(requireCreator).handler(async ({ context, input }) => {
    const presetsCents = input.presetsCents.toSorted((a, b) => a - b);
    await context.work((tx) => keepTipSettings(tx, context.creator.userId, { ...input, presetsCents }));
    return {};
  }),
  sendReceipt: answer.sendReceipt.use(requireSignIn).handler(async ({ context, input: { orderId } }) => {
    const { engines, creator, asSystem } = context;
    const order = await asSystem((tx) => findOrderHere(tx, engines.payments.realm, orderId));
    if (order?.creatorId !== creator.userId || !opens(order.state)) throw refuse('NOT_FOUND');
    const { email, receiptNumber: number } = order;
    if (email === null || number === null) throw refuse('NOT_FOUND');
    await takeMail(context, 'mail_receipt', email);
    await asSystem((tx) => mailReceipt(engines, tx, order, { number, to: email, now: moneyNow(engines) }));
    return {};
  }),
  receipt: answer.receipt.handler(async ({ context, input: { code } }) => {
    const receipt = await findReceipt(context, code);
    if (receipt === undefined) throw refuse('NOT_FOUND');
    return receipt;
  }),
});
