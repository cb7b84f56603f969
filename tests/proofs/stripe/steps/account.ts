import type { PayoutCountry } from '#kit/payout-countries.ts';
import { eventually, type Side } from '../side.ts';
import type { Step } from '../step.ts';
import { endOf, kindOf } from './scenes.ts';

const back = { refreshUrl: 'https://example.com/again', returnUrl: 'https://example.com/back' };

/** Accounts in other countries: one that Stripe names, and one that it does not. */
async function openElsewhere({ payments, run }: Side) {
  const openIn = (country: PayoutCountry) =>
    payments.ensureAccount({
      userId: `proof-${run}-${country}`,
      email: 'creator@example.com',
      handle: 'proof',
      country,
    });
  const { country } = await openIn('DE');
  return { country, unreached: await endOf(openIn('BR' as PayoutCountry)) };
}

async function openAccount(side: Side) {
  const { payments, people } = side;
  const owner = { userId: `proof-${side.run}`, email: 'creator@example.com', handle: 'proof', country: 'US' as const };
  const first = await payments.ensureAccount(owner);
  const again = await payments.ensureAccount(owner);
  const url = await payments.onboardingUrl(first.accountId, back);
  const early = await endOf(payments.accountUrl(first.accountId));
  await people.onboard(first.accountId, url);
  side.kept.accountId = first.accountId;
  return {
    isReadyAtOnce: first.isReady,
    ownCountry: first.country,
    asksForSomething: first.missing.length > 0,
    isOneForOneOwner: again.accountId === first.accountId,
    ...(await openElsewhere(side)),
    url: new URL(url).protocol.replace('https', 'http'),
    early,
  };
}

/** Makes the account of a creator once; a later run is given its name. */
export const account: Step = {
  name: 'an account by hosted onboarding',
  async run(side) {
    const opened = side.kept.accountId === undefined ? await openAccount(side) : undefined;
    const accountId = side.kept.accountId ?? '';
    const ready = await eventually(side, 'an account that is ready', async () => {
      const found = await side.payments.findAccount(accountId);
      return found.isReady ? found : undefined;
    });
    return {
      ...(opened && { opened }),
      kind: kindOf(ready.accountId),
      isClosed: ready.isClosed,
      missing: ready.missing.length,
      login: await endOf(side.payments.accountUrl(accountId)),
    };
  },
};
