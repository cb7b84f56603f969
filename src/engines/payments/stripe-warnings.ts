import type Stripe from 'stripe';
import type { FraudWarning, WarningPayments } from './fraud-warnings.ts';
import type { Ask } from './stripe-ask.ts';

const atOnce = 100;

const readWarning = ({
  id,
  charge,
  actionable,
  fraud_type,
  created,
}: Stripe.Radar.EarlyFraudWarning): FraudWarning => ({
  warningId: id,
  chargeId: typeof charge === 'string' ? charge : charge.id,
  isActionable: actionable,
  fraudType: fraud_type,
  createdAt: new Date(created * 1000),
});

async function* warningsOf(ask: Ask, since: Date | undefined) {
  let after: string | undefined;
  for (;;) {
    const { data, has_more } = await ask(({ radar }) =>
      radar.earlyFraudWarnings.list({
        limit: atOnce,
        ...(since && { created: { gte: Math.floor(since.getTime() / 1000) } }),
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    yield data.map(readWarning);
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return;
  }
}

/** Early warnings of fraud, by the provider's official library. */
export const warningsBy = (ask: Ask): WarningPayments => ({
  findWarning: async (id) => readWarning(await ask(({ radar }) => radar.earlyFraudWarnings.retrieve(id))),
  warnings: (since) => warningsOf(ask, since),
});
