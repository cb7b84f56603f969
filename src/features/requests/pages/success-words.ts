import { describeStatement } from '#features/settings/statement-rules.ts';
import { formatMoney, isolate } from '#kit/text.ts';
import type { FollowedRequest, PaidRequest } from '../contract.ts';
import { describeBuyer } from '../moves/request-words.ts';
import { formatDay, textsOf } from './request-texts.ts';

/** What the page says to which asking and paying lead. */
export interface SuccessWords {
  title: string;
  text: string;
  facts: readonly string[];
  /** Where it is followed. */
  path?: string | undefined;
  /** Nothing is known of it here: what was paid for or asked for can be found by its email. */
  isUnknown?: boolean;
  note?: string;
}

/** What the server has said so far. */
interface Known {
  paid: PaidRequest | undefined;
  sent: FollowedRequest | undefined;
  /** The page has waited for a bank as long as it does. */
  isOver: boolean;
}

/** @returns undefined while it isn't known yet, and while the page waits for a bank */
export function wordsOf({ paid, sent, isOver }: Known): SuccessWords | undefined {
  if (paid !== undefined) return paid.state === 'processing' && !isOver ? undefined : wordsOfPaid(paid);
  if (sent === undefined) return undefined;
  const { creatorName, offeredCents, currency, reference, code, email, state } = sent;
  if (state !== 'requested')
    return {
      title: 'Your request',
      text: describeBuyer(textsOf(sent, 'buyer')),
      facts: [`Reference ${reference}`],
      path: `/request/${code}`,
    };
  return {
    title: 'Request sent',
    text: `${isolate(creatorName)} answers within 72 hours. You pay only if it is accepted.`,
    facts: [`You offered ${formatMoney(offeredCents, currency.toUpperCase())}`, `Reference ${reference}`],
    path: `/request/${code}`,
    note: `Keep your access: the email to ${email} leads back to your request in any browser.`,
  };
}

export const unknown: SuccessWords = {
  title: 'Check your email',
  text: "We don't know this request. If you sent or paid for one, the way back is in your inbox.",
  facts: [],
  isUnknown: true,
};

function wordsOfPaid({
  state,
  amountCents = 0,
  currency = 'usd',
  dueAt,
  path,
  isSandbox,
  statementDescriptor,
  ...paid
}: PaidRequest): SuccessWords {
  const { reference, creatorName = '', email = '' } = paid;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  const facts = reference === undefined ? [] : [`Reference ${reference}`];
  if (paid.ended !== undefined) return { ...paid.ended, facts, path };
  switch (state) {
    case 'paid':
      return {
        title: 'Paid and held until delivery',
        text: `${isolate(creatorName)} starts now. If nothing is delivered, you get all of it back automatically.`,
        facts: [amount, ...(dueAt ? [`Due ${formatDay(dueAt)}`] : []), ...facts],
        path,
        note: `Keep your access: the email to ${email} leads back to your request in any browser. ${isSandbox ? 'Test payments, no real money.' : describeStatement(statementDescriptor)}`,
      };
    case 'done':
      return {
        title: 'Your request is paid',
        text: 'It has gone on since then. Its page says how it stands.',
        facts: [amount, ...facts],
        path,
      };
    case 'disputed':
      return {
        title: 'With your bank',
        text: 'Your bank is looking at this payment. Nothing moves until it has decided.',
        facts: [amount, ...facts],
        path,
      };
    case 'processing':
      return {
        title: 'Your bank is taking longer',
        text: "We'll email you as soon as it's done. You can close this page.",
        facts,
        path,
      };
    case 'failed':
      return { title: "This payment didn't go through", text: 'Nothing was charged.', facts, path };
    case 'returned':
      return {
        title: 'This payment was returned',
        text: `${amount} went back to your card, or is on its way.`,
        facts,
        path,
      };
    default:
      return unknown;
  }
}
