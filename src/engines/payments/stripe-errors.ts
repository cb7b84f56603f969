import type Stripe from 'stripe';
import { type AwayWhy, PaymentRefused, PaymentsAway } from './payments.ts';

type Failure = Pick<InstanceType<typeof Stripe.errors.StripeError>, 'statusCode' | 'code' | 'rawType' | 'message'>;

/** One class of errors and its meaning: the provider's own no, or that nobody knows what it would say. */
export interface ErrorClass {
  name: string;
  fits(failure: Failure, isOfAccount: boolean): boolean;
  means: 'refused' | AwayWhy;
}

const hasStatus =
  (...statuses: readonly number[]) =>
  ({ statusCode }: Failure): boolean =>
    statuses.includes(statusCode ?? 0);

const busyCodes = ['rate_limit', 'lock_timeout', 'idempotency_key_in_use'];
/** Said of a whole key or a whole platform, with a status that otherwise speaks of one call. */
const keyCodes = [
  'api_key_expired',
  'platform_api_key_expired',
  'secret_key_required',
  'livemode_mismatch',
  'testmode_charges_only',
];
const hasCode = ({ code }: Failure, codes: readonly string[]): boolean => code !== undefined && codes.includes(code);

/** The meaning of every class of error, for every call: the first that fits counts. */
export const errorClasses: readonly ErrorClass[] = [
  { name: 'no answer', fits: ({ statusCode }) => statusCode === undefined, means: 'silent' },
  { name: 'its own fault', fits: ({ statusCode }) => (statusCode ?? 0) >= 500, means: 'silent' },
  {
    name: 'one account is closed or disconnected',
    fits: (failure, isOfAccount) => isOfAccount && hasCode(failure, ['account_invalid']),
    means: 'refused',
  },
  { name: 'too many calls, or two of the same', fits: hasStatus(409, 424, 429), means: 'busy' },
  { name: 'the same, by its code', fits: (failure) => hasCode(failure, busyCodes), means: 'busy' },
  { name: 'the key is not taken', fits: hasStatus(401), means: 'key' },
  { name: 'the key lacks a permission', fits: hasStatus(403), means: 'key' },
  { name: 'the same, by its code', fits: (failure) => hasCode(failure, keyCodes), means: 'key' },
  {
    name: 'another wish under a key that was used',
    fits: ({ rawType }) => rawType === 'idempotency_error',
    means: 'mixed',
  },
  { name: 'no', fits: () => true, means: 'refused' },
];

const refusedCodes: Readonly<Partial<Record<string, PaymentRefused['why']>>> = {
  account_invalid: 'closed',
  insufficient_capabilities_for_transfer: 'not_ready',
  charge_already_refunded: 'already_refunded',
  charge_disputed: 'disputed',
  balance_insufficient: 'insufficient',
  resource_missing: 'unknown',
};

/**
 * Reads an error of the provider in our own words.
 * @param isOfAccount the call was made for one account of a creator
 */
export function readError(failure: Failure, isOfAccount: boolean): PaymentRefused | PaymentsAway {
  const { means } = errorClasses.find(({ fits }) => fits(failure, isOfAccount)) ?? { means: 'silent' as const };
  if (means !== 'refused') return new PaymentsAway(failure, means);
  return new PaymentRefused(refusedCodes[failure.code ?? ''] ?? 'other', failure.message, failure);
}
