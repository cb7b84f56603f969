import type Stripe from 'stripe';
import { hourMs } from '#kit/time.ts';
import { keyOf } from './idempotency-keys.ts';
import type { Payments } from './payments.ts';
import type { Payout, PayoutPayments } from './payouts.ts';
import type { Ask } from './stripe-ask.ts';
import { readAmounts, readWords } from './stripe-reading.ts';

const ended: readonly string[] = ['paid', 'failed', 'canceled'] satisfies Payout['state'][];
const isEnd = (status: string): status is Payout['state'] => ended.includes(status);

const readPayout = ({ id, status, arrival_date, failure_message, failure_code }: Stripe.Payout): Payout => ({
  id,
  // A word that came with a newer provider ends nothing.
  state: isEnd(status) ? status : 'in_transit',
  arrivesAt: new Date(arrival_date * 1000),
  failure: readWords(failure_message ?? failure_code),
});

/** Payouts of connected accounts: the platform makes each of them, so that one that is held is simply not made. */
export const payoutsOf = (ask: Ask): PayoutPayments & Pick<Payments, 'balance'> => ({
  async stopOwnSchedule(stripeAccount) {
    const payments: Stripe.BalanceSettingsUpdateParams.Payments = {
      payouts: { schedule: { interval: 'manual' } },
      debit_negative_balances: false,
    };
    await ask(({ balanceSettings }) => balanceSettings.update({ payments }, { stripeAccount }), {
      account: stripeAccount,
    });
  },
  async findOwnSchedule() {
    const { payments } = await ask(({ balanceSettings }) => balanceSettings.retrieve());
    // Without a schedule nothing leaves by itself.
    return payments.payouts?.schedule?.interval ?? 'manual';
  },
  async payOut({ payoutId, accountId: stripeAccount, amountCents: amount, currency, ...tried }) {
    const params = { amount, currency, metadata: { payout_id: payoutId } };
    const idempotencyKey = keyOf(`payout:${payoutId}`, tried);
    const about = { account: stripeAccount };
    return readPayout(await ask(({ payouts }) => payouts.create(params, { stripeAccount, idempotencyKey }), about));
  },
  async findPayout(stripeAccount, id) {
    const about = { account: stripeAccount };
    return readPayout(await ask(({ payouts }) => payouts.retrieve(id, {}, { stripeAccount }), about));
  },
  async findMadePayout({ payoutId, accountId: stripeAccount, since }) {
    // Both clocks tell what time it is.
    const gte = Math.floor((since.getTime() - hourMs) / 1000);
    const find = async ({ payouts }: Stripe) => {
      for await (const payout of payouts.list({ created: { gte }, limit: 100 }, { stripeAccount }))
        if (payout.metadata?.payout_id === payoutId) return readPayout(payout);
      return undefined;
    };
    return ask(find, { account: stripeAccount });
  },
  async balance(stripeAccount) {
    const options = stripeAccount === undefined ? {} : { stripeAccount };
    return readAmounts(await ask(({ balance }) => balance.retrieve({}, options), { account: stripeAccount }));
  },
});
