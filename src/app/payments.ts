import type { Database } from '#engines/database/database.ts';
import type { Engines, Log } from '#engines/engines.ts';
import { openNoPayments } from '#engines/payments/off.ts';
import { apiVersion, type HookName, hookNames, type Payments } from '#engines/payments/payments.ts';
import { openSandbox } from '#engines/payments/sandbox/sandbox.ts';
import { openStripe } from '#engines/payments/stripe.ts';
import type { Config } from './config.ts';

/** Returns whether people pay in a frame of Stripe's. */
export const isStripe = ({ realm, isOff }: Payments): boolean => realm.provider === 'stripe' && !isOff;

/** The provider's script for the version that its library speaks. */
export const stripeScript = 'https://js.stripe.com/endive/stripe.js';

/** What each webhook tells of. */
const hookWords: Readonly<Record<HookName, string>> = {
  stripe: 'platform',
  'stripe-connect': 'connect',
  'stripe-v2': 'v2',
};

type Needs = { database: Database; clock: () => number; linkClock: () => number; log: Log };

/** Returns who takes the money: the provider whose keys are given, else in a sandbox the built-in one, which takes test cards only, else nobody. */
export function openPayments(
  config: Config,
  { database, clock, linkClock, log }: Needs,
): Pick<Engines, 'payments' | 'sandbox'> {
  const { STRIPE_SECRET_KEY: secretKey, publicUrl } = config;
  if (secretKey === undefined && !config.isSandbox) return { payments: openNoPayments(), sandbox: undefined };
  if (secretKey === undefined) {
    if (config.CONTENT_POLICY === 'adult')
      log.warn(
        { area: 'money' },
        'CONTENT_POLICY=adult: for trying only; this installation starts neither live nor with keys of Stripe',
      );
    return openSandbox({ database, clock, sandboxClock: linkClock, publicUrl, log });
  }
  const secrets = secretsOf(config);
  const hooks = hookNames.filter((name) => secrets[name] !== undefined);
  const livemode = secretKey.includes('_live_');
  const names = hookNames.map((name) => `${hookWords[name]} ${hooks.includes(name) ? '✓' : '✗'}`).join(' ');
  if (livemode && hooks.length < hookNames.length)
    log.warn({ area: 'money', hooks }, 'a webhook has no signing secret: what it would tell is found later, by asking');
  const payments = openStripe({
    realm: { provider: 'stripe', livemode },
    place: `payments: stripe ${livemode ? 'live' : 'test mode'}, api ${apiVersion}, webhooks ${names}`,
    connect: async () => ({ secretKey }),
    secrets: async () => secrets,
    browser: async () => ({ publishableKey: config.STRIPE_PUBLISHABLE_KEY ?? '', scriptUrl: stripeScript }),
    hooks,
  });
  return { payments, sandbox: undefined };
}

function secretsOf(config: Config): Partial<Record<HookName, string>> {
  const { STRIPE_WEBHOOK_SECRET, STRIPE_CONNECT_WEBHOOK_SECRET, STRIPE_V2_WEBHOOK_SECRET } = config;
  return {
    ...(STRIPE_WEBHOOK_SECRET && { stripe: STRIPE_WEBHOOK_SECRET }),
    ...(STRIPE_CONNECT_WEBHOOK_SECRET && { 'stripe-connect': STRIPE_CONNECT_WEBHOOK_SECRET }),
    ...(STRIPE_V2_WEBHOOK_SECRET && { 'stripe-v2': STRIPE_V2_WEBHOOK_SECRET }),
  };
}
