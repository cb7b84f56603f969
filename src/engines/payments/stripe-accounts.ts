import type Stripe from 'stripe';
import { cleanLine } from '#kit/clean-text.ts';
import type { PayoutAccount } from './payments.ts';

type Account = Stripe.V2.Core.Account;
type Entry = NonNullable<NonNullable<Account['requirements']>['entries']>[number];

/** What a requirement of the provider's asks for, by the beginning of its name; the first that fits counts. */
const asked: readonly (readonly [beginning: RegExp, words: string])[] = [
  [/^(external_account|default_outbound_destination|.*payout_method)/, 'A bank account for your payouts'],
  [/^identity\.individual\.(given_name|surname|script_names|additional_names)/, 'Your legal name'],
  [/^identity\.individual\.date_of_birth/, 'Your date of birth'],
  [/^identity\.individual\.(address|additional_addresses)/, 'Your home address'],
  [/^identity\.individual\.(id_numbers|.*ssn|.*verification_number)/, 'Your tax or identity number'],
  [/^identity\.individual\.(documents|verification)/, 'A document that shows who you are'],
  [/^(identity\.individual\.email|contact_email)/, 'Your email address'],
  [/^(identity\.individual\.phone|contact_phone|identity\.business_details\.phone)/, 'Your phone number'],
  [/^identity\.attestations/, "Your agreement to Stripe's terms"],
  [/^identity\.(entity_type|business_details\.structure)/, 'Whether you are a person or a company'],
  [/^identity\.country/, 'The country you live in'],
  [/^identity\.business_details/, 'Details of your business'],
  [/^(defaults\.profile|.*business_profile|.*business_url|.*product_description)/, 'What you sell, and where'],
];

const otherwise = "Something that Stripe's own page asks for";

/** A reason that its holder can do nothing about but wait or write, by the beginning of its code. */
const states: readonly (readonly [beginning: RegExp, words: string])[] = [
  [/^(determining_status|requirements_pending_verification)/, 'Nothing from you: Stripe is checking what you gave'],
  [/^rejected/, 'Nothing: Stripe has turned this account down'],
  [/^unsupported_country/, 'Nothing: Stripe does not pay out in your country'],
  [/^unsupported/, 'Nothing: Stripe does not pay out businesses of this kind'],
];

const wordsFor = (code: string, among: typeof asked): string | undefined =>
  among.find(([beginning]) => beginning.test(code))?.[1];

const isDue = ({ minimum_deadline, awaiting_action_from }: Entry): boolean =>
  awaiting_action_from === 'user' && minimum_deadline.status !== 'eventually_due';

/** What is asked for, in words, and why what was given did not do. */
function describeEntry({ description, errors }: Entry): string {
  const words = wordsFor(description, asked) ?? otherwise;
  const [error] = errors;
  return error === undefined ? words : `${words}: ${cleanLine(error.description)}`;
}

const mostMissing = 20;

type Capability = { status: string; status_details: readonly { code: string }[] } | undefined;

/** A capability that is not told is not needed. */
const isActive = (capability: Capability): boolean => capability === undefined || capability.status === 'active';

function describeMissing({ requirements }: Account, capabilities: readonly Capability[]): string[] {
  const due = (requirements?.entries ?? []).filter(isDue).map(describeEntry);
  if (due.length > 0) return [...new Set(due)].slice(0, mostMissing);
  const codes = capabilities.flatMap((one) => (isActive(one) ? [] : (one?.status_details ?? [])));
  return [...new Set(codes.map(({ code }) => wordsFor(code, states) ?? otherwise))];
}

/** An account as it stands: who can be paid has to be able to have it as well, and nothing may be overdue. */
export function readAccount(account: Account): PayoutAccount {
  const { stripe_transfers: transfers, payouts } = account.configuration?.recipient?.capabilities?.stripe_balance ?? {};
  const isOverdue = (account.requirements?.entries ?? []).some(
    (entry) => isDue(entry) && entry.minimum_deadline.status === 'past_due',
  );
  return {
    accountId: account.id,
    isReady: transfers?.status === 'active' && isActive(payouts) && !isOverdue,
    isClosed: account.closed ?? false,
    missing: describeMissing(account, [transfers, payouts]),
  };
}
