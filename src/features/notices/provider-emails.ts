import { accountEmail, type EmailText, facts } from './email-words.ts';

/** To the operator: the payment provider does not take our key, or not for everything. */
export const keyRefusedEmail = ({ said }: { said: string }): EmailText =>
  accountEmail(
    'provider_key_refused',
    'The payment provider refuses our key',
    'It says:',
    facts(said),
    'Nothing was changed, and nothing is lost. Refunds, payouts and whatever else is waiting go on by themselves once the key is accepted again.',
    'Check STRIPE_SECRET_KEY and its permissions in the dashboard of the provider. "First steps with Stripe" in docs/operations.md says what it needs.',
  );
