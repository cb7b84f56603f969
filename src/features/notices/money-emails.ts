import { isolate } from '#kit/text.ts';
import { accountEmail, code, type EmailText, facts, ignore, link, validFor } from './email-words.ts';

/** The receipt of what was paid for a link. Sender, subject and text are neutral: neither the album nor the creator's legal name is in it. */
export const receiptEmail = ({
  number,
  amount,
  what,
  receiptPage,
  purchasesPage,
  terms,
  requestPage,
  statementDescriptor,
}: {
  number: number;
  amount: string;
  /** What was paid for, and whom: "Tip to Mia". */
  what: string;
  receiptPage: string;
  /** Where whoever paid comes back in another browser; left out of what opened nothing. */
  purchasesPage?: string;
  /** When it would go back. */
  terms: string;
  /** Of custom work, which is held until it is delivered: where it is followed. */
  requestPage?: string;
  statementDescriptor: string;
}): EmailText =>
  accountEmail(
    'receipt',
    'Your receipt',
    `Thank you! Receipt no. ${number}.`,
    facts(`${what}: ${amount}`),
    `Your card statement shows ${statementDescriptor}.`,
    link('Your receipt:', 'Show receipt', receiptPage),
    ...(purchasesPage === undefined || requestPage !== undefined
      ? []
      : [link('To open what you paid for in another browser:', 'Find my purchases', purchasesPage)]),
    terms,
    ...(requestPage === undefined ? [] : [link('To follow your request:', 'Show request', requestPage)]),
  );

/** To the creator whose sale was given back by whoever runs the installation. */
export const refundDecidedEmail = ({
  what,
  amount,
  note,
  earningsPage,
}: {
  /** What was sold: "Tip". */
  what: string;
  amount: string;
  note: string;
  earningsPage: string;
}): EmailText =>
  accountEmail(
    'refund_decided',
    'A payment is being refunded',
    'We decided to refund a payment that you received:',
    facts(`${what}: ${amount}`),
    'The reason:',
    facts(...note.split('\n')),
    'Your share of it is taken from your balance, and what it opened is closed.',
    link('Your earnings:', 'Show earnings', earningsPage),
  );

/** A bank has said no after whoever paid had left. @param page where it can be paid in another way; undefined where that is no link */
export const paymentFailedEmail = ({
  what,
  amount,
  page,
}: {
  what: string;
  amount: string;
  page: string | undefined;
}): EmailText =>
  accountEmail(
    'payment_failed',
    "Your payment didn't go through",
    "Your bank didn't make this payment, so nothing was charged:",
    facts(`${what}: ${amount}`),
    page === undefined
      ? 'You can pay again where you began, with a card or in another way.'
      : link('You can pay again, with a card or in another way:', 'Try again', page),
  );

/** What was paid for was taken away while it was being paid. */
export const latePaymentEmail = ({
  what,
  amount,
  why,
  isSubscription,
  receiptPage,
}: {
  what: string;
  amount: string;
  why: string;
  isSubscription: boolean;
  receiptPage: string;
}): EmailText =>
  accountEmail(
    'payment_late',
    'Your payment goes back to you',
    facts(`${what}: ${amount}`),
    `${why} Your payment arrived after that, so all of it goes back to your card now. Banks usually need 5 to 10 working days to show it.`,
    ...(isSubscription ? ['The subscription is cancelled: nothing more is charged.'] : []),
    link('Your receipt:', 'Show receipt', receiptPage),
  );

/** Proves an address that something was paid or asked for with. It says neither what it was nor whose. */
export const purchasesEmail = ({ link: address, linkMinutes }: { link: string; linkMinutes: number }): EmailText =>
  validFor(
    linkMinutes,
    accountEmail(
      'purchases',
      'The link you asked for',
      'Someone asked for a link to what was paid or asked for with this address.',
      link(`It works once, for ${linkMinutes} minutes, in the browser you open it in:`, 'Show my purchases', address),
      ignore,
    ),
  );

/** Proves an address before a free pass is taken with it. */
export const passCodeEmail = ({ code: digits, codeMinutes }: { code: string; codeMinutes: number }): EmailText =>
  validFor(
    codeMinutes,
    accountEmail(
      'pass_code',
      'The code you asked for',
      'Someone is taking a free pass with this address.',
      `Enter this code where you asked for it (valid for ${codeMinutes} minutes):`,
      code(digits),
      ignore,
    ),
  );

/** A free pass was taken. It is no subscription: there is nothing to cancel. */
export const passGivenEmail = ({
  creatorName,
  tierName,
  day,
}: {
  creatorName: string;
  tierName: string;
  day: string;
}): EmailText =>
  accountEmail(
    'pass_given',
    'You have a free pass',
    `You have “${isolate(tierName)}” by ${isolate(creatorName)} for free until ${day}.`,
    `Links for subscribers that ${isolate(creatorName)} sends you open in the browser in which you took it.`,
    "Nothing is charged, and it doesn't renew.",
  );
