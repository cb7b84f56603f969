import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { readAccount } from './stripe-accounts.ts';

type Balance = Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance;
type Entry = Stripe.V2.Core.Account.Requirements.Entry;

const active = { status: 'active', status_details: [] } as const;
const because = (code: string) => ({ status: 'restricted', status_details: [{ code, resolution: 'provide_info' }] });

const entry = (description: string, status: string, more: Partial<Entry> = {}): Entry =>
  ({ awaiting_action_from: 'user', description, errors: [], minimum_deadline: { status }, ...more }) as Entry;

const read = (stripe_balance: object, entries: Entry[] = []) =>
  readAccount({
    id: 'acct_1',
    object: 'v2.core.account',
    closed: false,
    requirements: { entries },
    configuration: { recipient: { applied: true, capabilities: { stripe_balance: stripe_balance as Balance } } },
  } as unknown as Stripe.V2.Core.Account);

describe('an account', () => {
  it('is ready once money can reach it and leave it, and nothing is overdue', () => {
    expect(read({ stripe_transfers: active, payouts: active }).isReady).toBe(true);
    expect(read({ stripe_transfers: active }).isReady, 'what is not told is not needed').toBe(true);
    expect(read({ stripe_transfers: active, payouts: because('requirements_past_due') }).isReady).toBe(false);
    expect(read({ stripe_transfers: because('requirements_past_due'), payouts: active }).isReady).toBe(false);
    expect(read({}).isReady).toBe(false);
    const both = { stripe_transfers: active, payouts: active };
    expect(read(both, [entry('external_account', 'past_due')]).isReady).toBe(false);
    expect(read(both, [entry('external_account', 'currently_due')]).isReady).toBe(true);
    expect(read(both, [entry('review', 'past_due', { awaiting_action_from: 'stripe' })]).isReady).toBe(true);
  });

  it('says in words what is asked for, once, and not what is needed some day', () => {
    const names = [
      'identity.individual.date_of_birth.day',
      'identity.individual.date_of_birth.year',
      'external_account',
    ];
    const later = entry('identity.individual.id_numbers.us_ssn', 'eventually_due');
    expect(read({}, [...names.map((name) => entry(name, 'past_due')), later]).missing).toEqual([
      'Your date of birth',
      'A bank account for your payouts',
    ]);
    expect(read({}, [entry('a_name.of.a.newer.version', 'past_due')]).missing).toEqual([
      "Something that Stripe's own page asks for",
    ]);
    const blurred = [{ code: 'verification_document_not_readable', description: 'The document is not readable.' }];
    const document = entry('identity.individual.documents.primary_verification', 'currently_due', { errors: blurred });
    expect(read({}, [document]).missing).toEqual(['A document that shows who you are: The document is not readable.']);
  });

  it('says why it is not ready where nothing is asked for', () => {
    const why = (code: string) => read({ stripe_transfers: because(code), payouts: because(code) }).missing;
    expect(why('requirements_pending_verification')).toEqual(['Nothing from you: Stripe is checking what you gave']);
    expect(why('rejected_other')).toEqual(['Nothing: Stripe has turned this account down']);
    expect(why('unsupported_country')).toEqual(['Nothing: Stripe does not pay out in your country']);
  });
});
