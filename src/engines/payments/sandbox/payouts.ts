import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, daySeconds, SandboxError, writeLine } from './books.ts';
import {
  amount,
  type Call,
  type Endpoints,
  expandable,
  flag,
  metadata,
  Nothing,
  page,
  paged,
  read,
  show,
} from './calls.ts';
import { newObjectId } from './objects.ts';
import { findObjects, listArrived, listObjects, platform, sumBalance } from './store.ts';

/** How long a bank takes to have it; assumed. */
const transitSeconds = 2 * daySeconds;

const PayoutParams = z.strictObject({
  ...expandable,
  amount,
  currency: z.string(),
  metadata: metadata.optional(),
});

const SettingsParams = z.strictObject({
  ...expandable,
  payments: z.strictObject({
    payouts: z.strictObject({ schedule: z.strictObject({ interval: z.literal('manual') }) }),
    debit_negative_balances: flag,
  }),
});

function makePayout(about: Pick<Stripe.Payout, 'amount' | 'currency' | 'created' | 'arrival_date' | 'metadata'>) {
  return {
    id: newObjectId('po'),
    object: 'payout',
    application_fee: null,
    application_fee_amount: null,
    automatic: false,
    balance_transaction: null,
    description: null,
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
    ...about,
  } satisfies Stripe.Payout;
}

async function createPayout(books: Books, call: Call): Promise<object> {
  const { account } = call;
  const params = read(PayoutParams, call);
  if (account === platform) throw new SandboxError(400, 'parameter_invalid', 'The sandbox pays out accounts only.');
  const sums = await sumBalance(books.tx, account, books.now);
  const available = sums.find(({ currency }) => currency === params.currency)?.available ?? 0;
  if (params.amount > available)
    throw new SandboxError(400, 'balance_insufficient', 'You have insufficient funds in your account.');
  const times = { created: books.now, arrival_date: books.now + transitSeconds };
  const made = makePayout({ ...params, ...times, metadata: params.metadata ?? {} });
  const line = { currency: made.currency, source: made.id, availableIn: 0 };
  const balance_transaction = await writeLine(books, account, { ...line, type: 'payout', amount: -made.amount });
  const payout = await books.keep({ ...made, balance_transaction }, { account });
  await books.notifyAccount('payout.created', payout, account);
  return payout;
}

type Interval = 'manual' | 'daily';

const makeSettings = (interval: Interval, debit_negative_balances = false): Stripe.BalanceSettings => ({
  object: 'balance_settings',
  payments: {
    debit_negative_balances,
    payouts: {
      automatic_transfer_rules_by_currency: null,
      minimum_balance_by_currency: null,
      schedule: { interval },
      statement_descriptor: null,
      status: 'enabled',
    },
    settlement_timing: { delay_days: 2, start_of_day: null },
  },
});

const settingsId = (account: string) => `settings_${account}`;

async function keepSettings(books: Books, account: string, settings: Stripe.BalanceSettings): Promise<object> {
  await books.keep({ ...settings, id: settingsId(account) }, { account });
  return settings;
}

const changeSettings = (books: Books, call: Call): Promise<object> => {
  const { payments } = read(SettingsParams, call);
  const { schedule } = payments.payouts;
  return keepSettings(books, call.account, makeSettings(schedule.interval, payments.debit_negative_balances));
};

/** Each account is paid out daily until somebody says otherwise; the platform of the sandbox has. */
async function findSettings({ tx }: Books, account: string): Promise<Stripe.BalanceSettings> {
  const id = settingsId(account);
  const found = (await findObjects(tx, [id])).get(id) as (Stripe.BalanceSettings & { id: string }) | undefined;
  if (found === undefined) return makeSettings(account === platform ? 'manual' : 'daily');
  const { id: _, ...settings } = found;
  return settings;
}

/** Returns whether the platform itself is paid out each day, with all that it has. */
export async function setOwnSchedule(books: Books, isDaily: boolean): Promise<void> {
  await keepSettings(books, platform, makeSettings(isDaily ? 'daily' : 'manual'));
}

/** What the platform has leaves for its bank, where that is its schedule. */
export async function payPlatformOut(books: Books): Promise<void> {
  const { payments } = await findSettings(books, platform);
  if (payments.payouts?.schedule?.interval !== 'daily') return;
  for (const { currency, available } of await sumBalance(books.tx, platform, books.now)) {
    if (available <= 0) continue;
    const times = { created: books.now, arrival_date: books.now + transitSeconds };
    const made = { ...makePayout({ amount: available, currency, ...times, metadata: {} }), automatic: true };
    const line = { type: 'payout' as const, amount: -available, currency, source: made.id, availableIn: 0 };
    const balance_transaction = await writeLine(books, platform, line);
    await books.publish('payout.created', await books.keep({ ...made, balance_transaction }));
  }
}

/** What has come to its bank. */
export async function bringPayouts(books: Books): Promise<void> {
  for (const { body, account } of await listArrived(books.tx, books.now)) {
    const paid = { ...(body as Stripe.Payout), status: 'paid' };
    const kept = await books.keep(paid, { account });
    await (account === platform
      ? books.publish('payout.paid', kept)
      : books.notifyAccount('payout.paid', kept, account));
  }
}

/** A bank sends a payout back: it is in the account again. */
export async function rejectPayout(books: Books, id: string): Promise<void> {
  const payout = await books.find<Stripe.Payout>(id, 'payout');
  const account = await books.accountOf(id);
  const line = { currency: payout.currency, source: payout.id, availableIn: 0 };
  const back = await writeLine(books, account, { ...line, type: 'payout_failure', amount: payout.amount });
  const failure = {
    failure_balance_transaction: back,
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
  };
  const failed = await books.keep({ ...payout, ...failure, status: 'failed' }, { account });
  await books.notifyAccount('payout.failed', failed, account);
}

async function listPayouts({ tx }: Books, call: Call): Promise<object> {
  const shape = z.strictObject({ ...paged, created: z.strictObject({ gte: amount }).optional() });
  const { limit, starting_after: after, created } = read(shape, call);
  const asked = { type: 'payout', account: call.account, where: {}, since: created?.gte, after, limit };
  return page(await listObjects(tx, asked), limit, '/v1/payouts');
}

export const payoutEndpoints: Endpoints = {
  'POST /v1/payouts': createPayout,
  'GET /v1/payouts': listPayouts,
  'GET /v1/payouts/:id': show('payout'),
  'GET /v1/balance_settings': async (books, call) => {
    read(Nothing, call);
    return findSettings(books, call.account);
  },
  'POST /v1/balance_settings': changeSettings,
};
