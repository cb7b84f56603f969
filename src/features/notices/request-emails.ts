import { isolate } from '#kit/text.ts';
import { accountEmail, code, type EmailText, facts, ignore, link, validFor } from './email-words.ts';
import { heldTerms } from './refund-promise.ts';

/** Sender, subject and text are neutral: what was asked for stands on its page alone. */
interface About {
  creatorName: string;
  amount: string;
  reference: string;
  /** Where it is followed. */
  page: string;
}

const follow = ({ page, reference }: Pick<About, 'page' | 'reference'>) =>
  link(`Your request ${reference}:`, 'Show request', page);
const quote = (text: string) => (text === '' ? [] : [facts(...text.split('\n'))]);

/** Proves the address of somebody who asks. */
export const requestCodeEmail = ({ code: digits, codeMinutes }: { code: string; codeMinutes: number }): EmailText =>
  validFor(
    codeMinutes,
    accountEmail(
      'request_code',
      'Your code',
      `Enter this code to send your request. It works for ${codeMinutes} minutes:`,
      code(digits),
      ignore,
    ),
  );

export const requestSentEmail = (about: About): EmailText =>
  accountEmail(
    'request_sent',
    'Your request was sent',
    `Sent. ${isolate(about.creatorName)} answers within 72 hours. You pay only if it is accepted.`,
    facts(`You offered ${about.amount}`),
    follow(about),
  );

export const requestQuotedEmail = ({
  isCounter,
  within,
  payBy,
  text,
  ...about
}: About & { isCounter: boolean; within: string; payBy: string; text: string }): EmailText =>
  accountEmail(
    'request_quoted',
    'Your request was answered',
    isCounter ? `${isolate(about.creatorName)} proposes ${about.amount}.` : 'Accepted. Pay to start.',
    `It is delivered within ${within} of your payment.`,
    ...quote(text),
    `You can pay ${about.amount} until ${payBy}. ${heldTerms}`,
    follow(about),
  );

export const requestPaidEmail = ({ day, ...about }: About & { day: string }): EmailText =>
  accountEmail(
    'request_paid',
    'Your payment is held',
    'Paid and held until delivery.',
    facts(`${about.amount}, due ${day}`),
    'If nothing is delivered within two days of that, you get all of it back automatically.',
    follow(about),
  );

export const requestDeliveredEmail = ({
  until,
  text,
  ...about
}: Omit<About, 'amount'> & { until: string; text: string }) =>
  accountEmail(
    'request_delivered',
    'Your request was delivered',
    'Delivered – open it.',
    ...quote(text),
    `Look at it and accept it, ask for one change, or tell us about a problem. After ${until} it counts as accepted, and the money goes to ${isolate(about.creatorName)}.`,
    follow(about),
  );

/** It is over, or looked at by us. @param words what happened, in a sentence */
export const requestEndedEmail = ({
  words,
  text,
  ...about
}: Pick<About, 'page' | 'reference'> & { words: string; text: string }): EmailText =>
  accountEmail('request_ended', 'An update on your request', words, ...quote(text), follow(about));

/** Proves the address of whoever asked, in another browser. */
export const requestProofEmail = ({ link: address, linkMinutes }: { link: string; linkMinutes: number }): EmailText =>
  validFor(
    linkMinutes,
    accountEmail(
      'request_proof',
      'The link you asked for',
      'Someone asked to open your request in another browser.',
      link(`It works once, for ${linkMinutes} minutes:`, 'Open my request', address),
      ignore,
    ),
  );

/** To the operator. */
export const requestWaitsEmail = ({
  requestId,
  desk,
  what,
  text,
  decideBy,
  isReleased = false,
}: {
  requestId: string;
  /** Where it is decided. */
  desk: string;
  what: string;
  text: string;
  decideBy: string;
  /** It was reported after the release: all of it goes back, or nothing. */
  isReleased?: boolean;
}): EmailText =>
  accountEmail(
    'request_waits',
    isReleased ? 'A finished request was reported' : 'A custom request waits for you',
    facts(what),
    ...quote(text),
    link(`${isReleased ? 'Its payment was released. ' : ''}Please decide by ${decideBy}:`, 'See the request', desk),
    isReleased
      ? `Or run: npm run pf -- requests decline ${requestId} --note TEXT, or requests refund ${requestId} --note TEXT`
      : `Or run: npm run pf -- requests release ${requestId} --note TEXT, or requests refund ${requestId} [--amount DOLLARS] --note TEXT`,
  );

/** To the operator: a creator's account does not take what was released to them. */
export const releaseWaitsEmail = ({
  requestId,
  what,
  words,
  since,
}: {
  requestId: string;
  what: string;
  words: string;
  since: string;
}): EmailText =>
  accountEmail(
    'release_waits',
    'A payment to a creator is refused',
    facts(what, `Request: ${requestId}`),
    `The payment provider has refused it since ${since}:`,
    facts(words),
    'It is tried again every six hours, and the creator sees that it waits.',
    `To read about it, or to give it back to the buyer instead: npm run pf -- requests show ${requestId}, or requests refund ${requestId} --note TEXT`,
  );

/** To the creator, when the operator has decided. */
export const requestDecidedEmail = ({ words, note, page }: { words: string; note: string; page: string }): EmailText =>
  accountEmail(
    'request_decided',
    'We decided about a request',
    words,
    'The reason:',
    facts(...note.split('\n')),
    link('The request:', 'See the request', page),
  );
