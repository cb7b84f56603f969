import type Stripe from 'stripe';
import { refused } from './errors.ts';
import { listAt, needWord, type Params, wordAt } from './params.ts';
import { type Asked, route } from './route.ts';
import { shapeOf, type World } from './world.ts';

type Account = Stripe.V2.Core.Account;
type Capability = { status: 'active' | 'restricted'; status_details: never[] };

const entry = (description: string) => ({
  awaiting_action_from: 'user' as const,
  description,
  errors: [],
  impact: { restricts_capabilities: [] },
  minimum_deadline: { status: 'past_due' as const },
  requested_reasons: [{ code: 'routine_onboarding' as const }],
});

/** Sets what an account may do, and what is still asked of it. */
function setReady(account: Account, isReady: boolean): void {
  const restricted = [{ code: 'requirements_past_due', resolution: 'provide_info' }] as unknown as never[];
  const capability: Capability = isReady
    ? { status: 'active', status_details: [] }
    : { status: 'restricted', status_details: restricted };
  account.configuration = {
    recipient: {
      applied: true,
      capabilities: { stripe_balance: { stripe_transfers: capability, payouts: capability } },
    },
  };
  account.requirements = {
    entries: isReady ? [] : [entry('identity.attestations.terms_of_service.account'), entry('external_account')],
    summary: {},
  };
}

/** What was not asked to be included is null. */
function shown(account: Account, params: Params): Account {
  const wanted = listAt(params, 'include');
  const has = (word: string) => wanted.includes(word);
  const left = {
    ...(has('configuration.recipient') && { configuration: account.configuration }),
    ...(has('identity') && { identity: account.identity }),
    ...(has('requirements') && { requirements: account.requirements }),
  };
  const { configuration: _configuration, identity: _identity, requirements: _requirements, ...always } = account;
  return { ...always, ...left } as Account;
}

/** Countries of which Stripe says that a platform in the United States can transfer to accounts there. */
const reached = 'us ca gb ch at be bg cy cz de dk ee es fi fr gr hr hu ie it li lt lu lv mt nl no pl pt ro se si sk';

function countryAt(params: Params): string {
  const country = needWord(params, 'identity.country');
  if (!reached.split(' ').includes(country)) throw refused(`Accounts cannot be created in ${country}.`);
  return country;
}

function makeAccount({ world, params }: Asked): Account {
  const account = world.add('v2.core.account', 'acct', {
    applied_configurations: ['recipient'],
    closed: false,
    contact_email: needWord(params, 'contact_email'),
    display_name: wordAt(params, 'display_name') ?? '',
    created: new Date(world.now() * 1000).toISOString(),
    dashboard: 'express',
    identity: { country: countryAt(params) },
    livemode: false,
    metadata: {},
  });
  setReady(account, false);
  return shown(account, params);
}

const localUrl = (asked: Asked, path: string) => `http://stand-in.localhost${path}?at=${asked.world.now()}`;

function linkAccount(asked: Asked) {
  const { world, params } = asked;
  const account = needWord(params, 'account');
  world.find('v2.core.account', account, 'account');
  const created = new Date(world.now() * 1000).toISOString();
  const expires_at = new Date((world.now() + 300) * 1000).toISOString();
  const use_case = params.use_case;
  const url = localUrl(asked, `/onboard/${account}`);
  return { object: 'v2.core.account_link', account, created, expires_at, livemode: false, url, use_case };
}

function addBank({ world, params, id }: Asked): Stripe.BankAccount {
  const number = needWord(params, 'external_account.account_number');
  world.find('v2.core.account', id);
  const bank = world.add('bank_account', 'ba', { last4: number.slice(-4), currency: 'usd', country: 'US' });
  world.accounts.set(bank, id);
  return { ...bank, account: id, default_for_currency: true } as Stripe.BankAccount;
}

/** The bank account that a payout of an account goes to: the newest one. */
export const bankOf = (world: World, account: string): Stripe.BankAccount | undefined =>
  world.all('bank_account').find((bank) => world.accounts.get(bank) === account);

function onboard({ world, id }: Asked) {
  setReady(world.find('v2.core.account', id), true);
  const bank = world.add('bank_account', 'ba', { last4: '6789', currency: 'usd', country: 'US' });
  world.accounts.set(bank, id);
  return {};
}

const settingsOf = (world: World, account: string): Stripe.BalanceSettings => {
  const found = world.settings.get(account) ?? shapeOf<Stripe.BalanceSettings>('balance_settings');
  if (account === '' && !world.settings.has('')) found.payments.payouts = withInterval(found, 'manual');
  world.settings.set(account, found);
  return found;
};

const withInterval = ({ payments }: Stripe.BalanceSettings, interval: string) =>
  ({ ...payments.payouts, schedule: { interval } }) as Stripe.BalanceSettings.Payments.Payouts;

function setSettings({ world, params, account = '' }: Asked): Stripe.BalanceSettings {
  const settings = settingsOf(world, account);
  const interval = wordAt(params, 'payments.payouts.schedule.interval');
  if (interval !== undefined) settings.payments.payouts = withInterval(settings, interval);
  const debits = wordAt(params, 'payments.debit_negative_balances');
  if (debits !== undefined) settings.payments.debit_negative_balances = debits === 'true';
  return settings;
}

export const accountRoutes = [
  route('POST /v2/core/accounts', makeAccount),
  route('GET /v2/core/accounts/:id', ({ world, params, id }) => shown(world.find('v2.core.account', id), params)),
  route('POST /v2/core/account_links', linkAccount),
  route('POST /v1/accounts/:id/login_links', (asked) => {
    const { configuration } = asked.world.find('v2.core.account', asked.id);
    const isReady = configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status === 'active';
    if (!isReady) throw refused('Cannot create a login link for an account that has not completed onboarding.');
    return { object: 'login_link', created: asked.world.now(), url: localUrl(asked, `/express/${asked.id}`) };
  }),
  route('POST /v1/accounts/:id/external_accounts', addBank),
  route('POST /onboard/:id', onboard, true),
  route('GET /v1/balance_settings', ({ world, account = '' }) => settingsOf(world, account)),
  route('POST /v1/balance_settings', setSettings),
];
