import { accountEmail, type EmailText, facts, link } from './email-words.ts';

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

/** To the operator: the platform's own balance has too little for what a creator is to be sent again. */
export const toSendEmail = ({ of, what, said }: { of: string; what: string; said: string }): EmailText =>
  accountEmail(
    'to_send',
    'Your balance at the provider is too low',
    "A dispute was won, and what was taken from its creator for it could not be sent to them again from the platform's own balance:",
    facts(what, `Of ${of}`, said),
    'It is tried again by itself. Add money to your balance, or wait until payments that came in are available: `npm run pf -- health` shows what is missing.',
  );

/** To the operator: a creator's account has too little for what is to be taken back from it. */
export const owedBackEmail = ({ of, what, said }: { of: string; what: string; said: string }): EmailText =>
  accountEmail(
    'owed_back',
    "A creator's balance is too low",
    'A payment went back, and the part that its creator was already sent could not be taken back from their account:',
    facts(what, `Of ${of}`, said),
    'It is tried again by itself. Whatever they earn meanwhile is kept for it, and they are not paid out before. Until then the platform bears it.',
  );

/** To the operator: the bill of a renewal can't be made, so nothing is charged. */
export const unbilledEmail = ({
  what,
  invoiceId,
  said,
  endDay,
}: Record<'what' | 'invoiceId' | 'said' | 'endDay', string>): EmailText =>
  accountEmail(
    'unbilled',
    "A renewal can't be charged",
    'The payment provider could not make the bill of a renewal final, so nothing was charged:',
    facts(what, `Of ${invoiceId}`, said),
    `Whoever pays it was told. It is tried again by itself, a fan's as soon as the creator can be paid. If it can't be charged by ${endDay}, the subscription ends.`,
    'The invoice stands as a draft in the dashboard of the provider, with its reason.',
  );

/** To a creator: renewals of subscriptions can't be charged because nothing can be paid to them. */
export const fansUnbilledEmail = ({ payoutsPage, endDay }: Record<'payoutsPage' | 'endDay', string>): EmailText =>
  accountEmail(
    'fans_unbilled',
    "Subscriptions can't be renewed",
    "A subscription to you couldn't be renewed, because payments can't reach your payout account. Nothing was charged, and your subscriber keeps access for now.",
    `As soon as your account can be paid again, it is charged by itself. If that takes until ${endDay}, the subscription ends. Others that renew meanwhile wait in the same way.`,
    link('What is missing:', 'Payouts', payoutsPage),
  );

/** To the operator: the full check has found something that does not work. */
export const fullCheckRedEmail = ({ failed, page }: { failed: readonly string[]; page: string }): EmailText =>
  accountEmail(
    'full_check_red',
    'The full check is red',
    'The full check went through the product on accounts of its own, and something did not work:',
    facts(...failed),
    link('What each step said:', 'Full check', page),
  );
