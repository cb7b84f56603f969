import type Stripe from 'stripe';
import { isPayoutCountry } from '#kit/payout-countries.ts';
import { type Books, SandboxError } from './books.ts';
import { newObjectId } from './objects.ts';
import { findObject } from './store.ts';

type Account = Stripe.V2.Core.Account;

export interface AccountParams {
  contact_email?: string | undefined;
  display_name?: string | undefined;
  identity: { country: string };
}

/** What a creator, or the provider about them, has said. */
type Onboarded = 'complete' | 'pending' | 'rejected' | 'no_bank' | 'checked';

const active = { status: 'active', status_details: [] };
const overdue = {
  status: 'restricted',
  status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
};
const inCheck = {
  status: 'pending',
  status_details: [{ code: 'requirements_pending_verification', resolution: 'no_resolution' }],
};
const rejected = { status: 'rejected', status_details: [{ code: 'rejected_other', resolution: 'contact_stripe' }] };

/** Whether an account can be transferred money, and whether that can leave for a bank. */
const capabilitiesOf = {
  complete: { stripe_transfers: active, payouts: active },
  pending: { stripe_transfers: overdue, payouts: overdue },
  rejected: { stripe_transfers: rejected, payouts: rejected },
  no_bank: { stripe_transfers: active, payouts: overdue },
  checked: { stripe_transfers: inCheck, payouts: inCheck },
} as const;

const person = ['given_name', 'surname', 'date_of_birth.day', 'date_of_birth.month', 'date_of_birth.year', 'address'];
const ofPerson = person.map((field) => `identity.individual.${field}`);
const terms = 'identity.attestations.terms_of_service.account.date';
const bank = 'external_account';
const askedFor: Readonly<Record<Onboarded, readonly string[]>> = {
  complete: [],
  rejected: [],
  checked: [],
  pending: [...ofPerson, terms, bank],
  no_bank: [bank],
};

const entryOf = (description: string): Stripe.V2.Core.Account.Requirements.Entry => ({
  awaiting_action_from: 'user',
  description,
  errors: [],
  impact: {
    restricts_capabilities: [
      ...(description === bank ? [] : (['stripe_balance.stripe_transfers'] as const)),
      'stripe_balance.payouts' as const,
    ].map((capability) => ({ capability, configuration: 'recipient', deadline: { status: 'past_due' } })),
  },
  minimum_deadline: { status: 'past_due' },
  requested_reasons: [{ code: 'routine_onboarding' }],
});

/** Returns what the provider says of an account after that. */
function stateOf(said: Onboarded): Pick<Account, 'configuration' | 'requirements'> {
  const stripe_balance = structuredClone(
    capabilitiesOf[said],
  ) as Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance;
  const entries = askedFor[said].map(entryOf);
  const summary = entries.length === 0 ? {} : { summary: { minimum_deadline: { status: 'past_due' as const } } };
  return {
    configuration: { recipient: { applied: true, capabilities: { stripe_balance } } },
    requirements: { entries, ...summary },
  };
}

/** The sandbox's platform is in the United States. @throws SandboxError for a country that it cannot pay, or that is none */
function checkCountry(country: string): void {
  if (isPayoutCountry(country.toUpperCase()) && country === country.toLowerCase()) return;
  const words = `Accounts in the country '${country}' cannot be made by your platform.`;
  throw new SandboxError(400, 'country_unsupported', words);
}

export async function makeAccount(
  books: Books,
  { contact_email, display_name, identity }: AccountParams,
): Promise<Account> {
  checkCountry(identity.country);
  const id = newObjectId('acct');
  const account: Account = {
    id,
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    closed: false,
    ...stateOf('pending'),
    ...(contact_email !== undefined && { contact_email }),
    created: new Date(books.now * 1000).toISOString(),
    dashboard: 'express',
    identity: { country: identity.country },
    ...(display_name !== undefined && { display_name }),
    livemode: false,
    metadata: {},
  };
  await books.keep(account);
  await books.publishThin('v2.core.account.created', id);
  return account;
}

/** An answer holds only those large parts that were asked for. */
export function withIncluded(account: Account, include: readonly string[] = []): Account {
  const { configuration, identity, requirements, ...rest } = account;
  const isAsked = (part: string) => include.some((asked) => asked === part || asked.startsWith(`${part}.`));
  return {
    ...rest,
    ...(configuration && isAsked('configuration') && { configuration }),
    ...(identity && isAsked('identity') && { identity }),
    ...(requirements && isAsked('requirements') && { requirements }),
  };
}

/** What comes of the sandbox's page: all that is asked for, some of it, or that the provider won't have them. */
export async function answerOnboarding(books: Books, accountId: string, said: Onboarded): Promise<string> {
  const account = await books.find<Account>(accountId, 'account');
  const { return_url } = (await books.hiddenOf(accountId)) as { return_url?: string };
  if (return_url === undefined) throw new SandboxError(404, 'resource_missing', 'No onboarding was begun.');
  await books.keep({ ...account, ...stateOf(said) });
  await books.publishThin('v2.core.account[requirements].updated', accountId);
  await books.publishThin('v2.core.account[configuration.recipient].capability_status_updated', accountId);
  return return_url;
}

/** The account is closed, by its owner or by the provider. */
export async function closeAccount(books: Books, accountId: string): Promise<void> {
  const account = await books.find<Account>(accountId, 'account');
  await books.keep({ ...account, closed: true, configuration: stateOf('rejected') });
  await books.publishThin('v2.core.account.closed', accountId);
}

/** @throws SandboxError where a call is made for an account that is not connected, or not any more */
export async function checkConnected(books: Books, accountId: string): Promise<void> {
  const account = (await findObject(books.tx, accountId))?.body as Account | undefined;
  if (account?.object === 'v2.core.account' && account.closed !== true) return;
  const words = `The provided key does not have access to account '${accountId}' (or that account does not exist). Application access may have been revoked.`;
  throw new SandboxError(403, 'account_invalid', words);
}
