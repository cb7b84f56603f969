import type Stripe from 'stripe';
import { DeadlinePassed, leftMs, within } from '#engines/deadline.ts';
import { openOnce } from '#engines/once.ts';
import { type HookName, PaymentsAway, type Realm } from './payments.ts';
import type { PlanPayments } from './plan-payments.ts';
import { readError } from './stripe-errors.ts';

/** How the provider is reached. */
export interface StripeSettings {
  realm: Realm;
  place: string;
  /** Asked for when the provider is first needed. */
  connect(): Promise<{
    secretKey: string;
    /** Another server that speaks the provider's language; left out for the provider itself. */
    host?: { host: string; port: number };
  }>;
  /** By hook; one without a secret does not exist. */
  secrets(): Promise<Partial<Record<HookName, string>>>;
  hooks?: readonly HookName[];
  /** How long one answer may take; default 10 s. */
  timeoutMs?: number;
  /** What a browser needs to show the provider's frame. */
  browser: PlanPayments['browser'];
  close?(): Promise<void>;
}

/** Somebody waits for most answers: without one it is said so, in time. The library's own patience is 80 s. */
const usualTimeoutMs = 10_000;
const mostTries = 2;
/** For the pause between two tries. */
const slackMs = 2000;
/**
 * Asks the provider something, within a time.
 * @param about.account the one account of a creator that it is asked for
 * @throws PaymentsAway, PaymentRefused
 */
export type Ask = <T>(run: (stripe: Stripe) => Promise<T>, about?: { account?: string | undefined }) => Promise<T>;

/** Loads the SDK when it is first needed: most processes never need it while they start. */
export function openAsk({ connect, timeoutMs = usualTimeoutMs }: StripeSettings): {
  ask: Ask;
  sdk: () => Promise<Stripe>;
} {
  const opened = openOnce(async () => {
    const [{ default: library }, { secretKey, host }] = await Promise.all([import('stripe'), connect()]);
    const stripe = new library(secretKey, {
      telemetry: false,
      timeout: timeoutMs,
      maxNetworkRetries: mostTries - 1,
      ...(host && { ...host, protocol: 'http' }),
    });
    return { stripe, library };
  });
  return {
    sdk: async () => (await opened()).stripe,
    async ask(run, { account } = {}) {
      const { stripe, library } = await opened();
      try {
        // The library's timeout is one of silence: a line that trickles has none.
        return await within(Math.min(mostTries * timeoutMs + slackMs, leftMs()), run(stripe));
      } catch (error) {
        if (error instanceof DeadlinePassed) throw new PaymentsAway(error);
        throw error instanceof library.errors.StripeError ? readError(error, account !== undefined) : error;
      }
    },
  };
}
