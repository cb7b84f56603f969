import { PaymentsAway } from '#engines/payments/payments.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { answerMs } from '#features/orders/refund-asking-rules.ts';
import { handOn, insertRequest } from '#features/orders/refund-requests-store.ts';
import { checkoutMs } from '#features/orders/rules.ts';
import { planCheckoutMs } from '#features/plans/rules.ts';
import { newId } from '#kit/ids.ts';
import { connectPayouts, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRow, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { newBrowser } from '#tests/support/test-app.ts';
import { app, type Ending, never, newLink, shared } from './clock-app.ts';

let isConnected = false;

/** Orders a tip, and does not pay it. @returns the order */
async function order(): Promise<string> {
  if (!isConnected) await connectPayouts(app, { browser: await signInQuickly(app, shared.creator.userId) });
  isConnected = true;
  const { slug, id } = await newLink(tipToOpen(1000), never);
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  await tapPay(app, slug, browser);
  return (await readRow<{ id: string }>(app, 'select id from checkout_orders where link_id = $1', [id])).id;
}

/** What ends by itself about money, by the column that holds the instant. */
export const moneyProofs: Record<string, Ending> = {
  'checkout_orders.expires_at': {
    livesMs: checkoutMs,
    async make() {
      const own = app.engines.payments;
      // Without a checkout nobody but our own clock ends it.
      app.engines.payments = { ...own, openCheckout: () => Promise.reject(new PaymentsAway('a proof')) };
      const id = await order().finally(() => {
        app.engines.payments = own;
      });
      return async () => {
        await settleOpen(app.engines, 0);
        const { state } = await readRow<{ state: string }>(app, 'select state from checkout_orders where id = $1', [
          id,
        ]);
        return state === 'pending';
      };
    },
  },
  'plan_checkouts.expires_at': {
    livesMs: planCheckoutMs,
    async make() {
      const { userId } = await signUpCreator(app);
      // Without days of a trial that are left: those become fewer meanwhile.
      await readRows(app, 'update users set subscription_status = null, trial_ends_at = null where id = $1', [userId]);
      const begin = async () => {
        const browser = await signInQuickly(app, userId);
        return (await must(app, 'billing.createPlanCheckout', { mode: 'embedded' }, browser)).clientSecret;
      };
      const first = await begin();
      return async () => (await begin()) === first;
    },
  },
  'credit_orders.expires_at': {
    livesMs: checkoutMs,
    async make() {
      const { userId } = await signUpCreator(app);
      await readRows(app, 'update users set is_free_user = true where id = $1', [userId]);
      const begin = async () => {
        const browser = await signInQuickly(app, userId);
        return (await must(app, 'credits.buy', { credits: 50, mode: 'embedded' }, browser)).clientSecret;
      };
      const first = await begin();
      return async () => (await begin()) === first;
    },
  },
  'refund_requests.answer_until': {
    livesMs: answerMs,
    async make() {
      const [orderId, now] = [await order(), new Date(app.engines.clock())];
      // What was asked about a payment waits for nobody unless it was made.
      await readRows(app, `update checkout_orders set state = 'paid', paid_at = $2 where id = $1`, [orderId, now]);
      const id = newId(now.getTime());
      const answerUntil = new Date(now.getTime() + answerMs);
      const request = { id, orderId, kind: 'refund', reason: 'duplicate', text: '', state: 'creator' } as const;
      const { database, payments, clock } = app.engines;
      await database.work({ kind: 'system' }, (tx) => insertRequest(tx, { ...request, answerUntil, now }));
      return async () => {
        await database.work({ kind: 'system' }, (tx) => handOn(tx, payments.realm, new Date(clock())));
        const { state } = await readRow<{ state: string }>(app, 'select state from refund_requests where id = $1', [
          id,
        ]);
        return state === 'creator';
      };
    },
  },
};

const credits = 'src/features/credits/api.test.ts';
const orders = 'src/features/returns/refunds/refunding.test.ts';
const asking = 'src/features/orders/refund-asking-rules.test.ts';
const owed = 'what was opened is paid back when its link ended within a week of paying, to the millisecond';
const rulesOfPlans = 'src/features/plans/rules.test.ts';
const rulesOfPauses = 'src/features/plans/pauses/pause-rules.test.ts';
const inAYear = 'is three months in any twelve, and a month that has begun is used up';
const atTheEnd = 'is asked for again at the very instant at which its trial or its month is over';
const putOff = 'the account of a creator: the next one is asked about, and both later again';

/** Ends about money that are held elsewhere: the column, the test's file and its name. */
export const moneyElsewhere: Record<string, readonly [file: string, name: string]> = {
  'affiliate_referrals.ends_at': ['src/features/affiliates/commissions.test.ts', 'is for twelve months'],
  'commissions.payable_at': ['src/features/affiliates/commissions.test.ts', 'waits for 30 days to their very instant'],
  'buyer_recovery_tokens.expires_at': [
    'src/features/viewing/recovery/recovery.test.ts',
    'works once, for half an hour, and only as it was sent',
  ],
  'checkout_orders.paid_at': [asking, 'for fourteen days, to the millisecond, and once'],
  'checkout_orders.opened_at': [orders, owed],
  'checkout_orders.next_try_at': [orders, putOff],
  'user_stripe_accounts.next_try_at': [orders, putOff],
  'refunds.next_try_at': [orders, 'is asked for again a day after it was refused, not sooner, until it is made'],
  'refunds.settled_at': [orders, 'is asked for again a day after it was refused, not sooner, until it is made'],
  'ledger_transactions.available_at': ['src/features/books/sums.test.ts', 'is pending until its very instant'],
  'platform_subscriptions.first_paid_at': [
    rulesOfPlans,
    'in which the first payment is given back ends at its very instant',
  ],
  'platform_subscriptions.trial_end': [rulesOfPlans, atTheEnd],
  'platform_subscriptions.period_end': [rulesOfPlans, atTheEnd],
  'platform_subscriptions.paused_from': [rulesOfPauses, 'begins at the very instant at which what was paid for ends'],
  'platform_subscriptions.paused_until': [rulesOfPlans, atTheEnd],
  'plan_pauses.starts_at': [rulesOfPauses, inAYear],
  'plan_pauses.ends_at': [rulesOfPauses, inAYear],
  'plan_pauses.resumed_at': [rulesOfPauses, inAYear],
  'users.plan_paused_until': ['src/features/plans/pauses/pausing.test.ts', 'lets nothing go that is stored'],
  'credit_lots.expires_at': [
    credits,
    'loses what was given at the very instant a year later, and never what was bought',
  ],
  'credit_orders.paid_at': [credits, 'is not to be had back from the fifteenth day on'],
  'storage_extras.ends_at': [credits, 'lasts thirty days, is told before it is paid, and one tap is one'],
  'join_tokens.expires_at': [
    'src/features/accounts/joining/invitations.test.ts',
    'used up, expired, revoked and unknown',
  ],
  'custom_requests.act_until': ['src/features/requests/rules.test.ts', 'is too late at the very instant'],
  'custom_requests.closed_at': ['src/features/requests/rules.test.ts', 'is reported once, for 14 days'],
  'custom_requests.due_at': ['src/features/requests/api.test.ts', 'what is not delivered two days after its day'],
  'request_codes.expires_at': ['src/features/requests/asking/asking.test.ts', 'is over with its minutes'],
  'gate_codes.expires_at': [
    'src/features/viewing/opening/email-gate.test.ts',
    'works in the browser that asked for it, at its link, once, within ten minutes and five tries',
  ],
  'data_codes.expires_at': ['src/features/privacy/people/people.test.ts', 'takes a code of its own'],
  'pass_codes.expires_at': [
    'src/features/viewing/passes/passes.test.ts',
    'takes five codes of the browser that asked, and forgets them when they are over',
  ],
  'fan_subscriptions.period_end': [
    'src/features/viewing/passes/passes.test.ts',
    'is a subscription of its days without a card, which does not renew',
  ],
  'disputes.due_by': [
    'src/features/returns/disputes/dispute-rules.test.ts',
    'a day before it is due, to the millisecond, and never when it is',
  ],
  'reports.decide_by': ['src/features/reports/rules.test.ts', 'is decided in 48 hours where it cannot wait'],
};

/** Instants about money that decide over nothing that anybody may see: when the provider is asked or told again, and what it was last asked. */
export const moneyNotes = [
  // Whoever paid was told of an end: `access` decides when it is, and `telling-access.test.ts` when it is told.
  'checkout_orders.told_ended_at',
  'checkout_orders.told_ending_at',
  'disputes.fee_next_try_at',
  'disputes.next_try_at',
  // A creator is shown those of the last half year.
  'disputes.opened_at',
  // Until when a draft is looked after is counted by `books/draft-rules.ts`, whose tests let it pass.
  'fan_subscriptions.draft_since',
  'fan_subscriptions.finalize_at',
  'platform_subscriptions.draft_since',
  'platform_subscriptions.finalize_at',
  'fan_subscriptions.next_attempt_at',
  'fan_subscriptions.next_try_at',
  'fan_subscriptions.period_start',
  'fraud_warnings.next_try_at',
  'fraud_warnings.returned_at',
  'held_releases.next_try_at',
  'lapses.since',
  'payout_holds.expected_at',
  'payout_holds.since',
  'payouts.arrives_at',
  'payouts.next_try_at',
  'plan_invoices.next_attempt_at',
  'platform_subscriptions.anchored_at',
  'platform_subscriptions.period_start',
  'custom_requests.reported_at',
  'platform_subscriptions.reminded_of',
  'platform_subscriptions.resume_told_of',
  'sandbox_events.next_at',
  'webhook_inbox.event_created_at',
  'webhook_inbox.next_attempt_at',
];
