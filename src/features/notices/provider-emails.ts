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

/** To the operator: a creator's account has too little for what is to be taken back from it. */
export const owedBackEmail = ({ of, what, said }: { of: string; what: string; said: string }): EmailText =>
  accountEmail(
    'owed_back',
    "A creator's balance is too low",
    'A payment went back, and the part that its creator was already sent could not be taken back from her account:',
    facts(what, `Of ${of}`, said),
    'It is tried again by itself. Whatever she earns meanwhile is kept for it, and she is not paid out before. Until then the platform bears it.',
  );
