import { formatCount, isolate } from '#kit/text.ts';
import type { ShownState } from '../contract.ts';
import type { EndReason, ReportReason } from '../rules.ts';

/** What a request is as its people read it. */
interface RequestFacts {
  state: string;
  creatorName: string;
  isCounter: boolean;
  /** "$40.00" */
  amount: string;
  /** The day on which it is due, once it is paid: "3 May". */
  day: string;
  /** The time that is promised, from the payment on: "3 days"; empty where none is. */
  within: string;
  endReason: string | null;
  wasRevised: boolean;
  /** What of it went back, in words; empty for nothing. */
  returned: string;
  /** Of what is their part and has not left yet. */
  sending?: 'on_way' | 'waits' | null | undefined;
  /** Of what was delivered, to whoever asked: false while its creator has ended access to it and may still undo that. */
  canOpen?: boolean | undefined;
}

/** "3 days"; empty where no days are agreed. */
export const describeDays = (days: number | null): string => (days === null ? '' : formatCount(days, 'day'));

const ends: Readonly<Record<EndReason, (facts: RequestFacts) => string>> = {
  unanswered: ({ creatorName }) => `${isolate(creatorName)} didn't answer in time. Nothing was charged.`,
  unpaid: () => "It wasn't paid in time. Nothing was charged.",
  declined: ({ creatorName }) => `${isolate(creatorName)} declined it. Nothing was charged.`,
  withdrawn: () => 'You withdrew it. Nothing was charged.',
  canceled: ({ creatorName, returned }) => `${isolate(creatorName)} canceled it. ${returned}`,
  not_delivered: ({ returned }) => `It wasn't delivered in time. ${returned}`,
  decided: ({ returned }) => `We looked at it. ${returned}`,
  left: ({ returned }) => `The creator is no longer on PrivateFans. ${returned}`,
  ended: ({ creatorName, returned }) => `${isolate(creatorName)} ended your access. ${returned}`,
};

/** Returns how a request stands, to whoever asked. */
export function describeBuyer(facts: RequestFacts): string {
  const { state, creatorName, isCounter, amount, day, within, endReason } = facts;
  switch (state) {
    case 'requested':
      return `Sent. ${isolate(creatorName)} answers within 72 hours. You pay only if it is accepted.`;
    case 'quoted':
      return isCounter
        ? `${isolate(creatorName)} proposes ${amount}, delivered within ${within} of your payment.`
        : `Accepted. Pay to start. It is delivered within ${within} of your payment.`;
    case 'paid':
      return `Paid and held until delivery. In progress, due ${day}.`;
    case 'delivered':
      return facts.canOpen === false
        ? `${isolate(creatorName)} has ended your access. If it stays that way, your payment goes back to you.`
        : 'Delivered – open it.';
    case 'revision_requested':
      return 'One change was asked for.';
    case 'problem':
      return 'We are looking at it.';
    case 'released':
      return facts.returned === '' ? 'Done.' : `Done. ${facts.returned}`;
    case 'reported':
      return 'Reported. We are looking at it.';
    case 'disputed':
      return 'Your bank is looking at this payment. Nothing moves until it has decided.';
    case 'charged_back':
      return 'Your bank has returned this payment.';
    default:
      return ends[(endReason ?? 'decided') as EndReason](facts);
  }
}

/** The same to its creator. */
export function describeCreator(facts: RequestFacts): string {
  const { state, isCounter, amount, day, within, endReason, returned } = facts;
  switch (state) {
    case 'requested':
      return 'Waiting for your answer.';
    case 'quoted':
      return isCounter
        ? `You proposed ${amount}, delivered within ${within} of the payment.`
        : `You accepted. Waiting for the payment of ${amount}; then you have ${within}.`;
    case 'paid':
      return `Paid and held until delivery. In progress, due ${day}.`;
    case 'delivered':
      return 'Delivered. Waiting for the buyer to look at it.';
    case 'revision_requested':
      return 'One change was asked for.';
    case 'problem':
      return 'We are looking at it.';
    case 'reported':
      return 'Reported by the buyer. We are looking at it.';
    case 'released':
      return ['Done.', returned, sendingWords[facts.sending ?? 'sent']].filter((words) => words !== '').join(' ');
    case 'disputed':
      return "The buyer's bank is looking at this payment. Nothing moves until it has decided.";
    case 'charged_back':
      return "The buyer's bank has returned this payment.";
    default:
      return creatorEnds[(endReason ?? 'decided') as EndReason](facts);
  }
}

const sendingWords = {
  on_way: 'Your share is on its way.',
  waits: 'The payment waits until your payout account can take it.',
  sent: '',
} as const;

const creatorEnds: Readonly<Record<EndReason, (facts: RequestFacts) => string>> = {
  unanswered: () => 'It expired: 72 hours went by without your answer.',
  unpaid: () => "It wasn't paid in time.",
  declined: () => 'You declined it.',
  withdrawn: () => 'The buyer withdrew it.',
  canceled: ({ returned }) => `You canceled it. ${returned}`,
  not_delivered: ({ returned }) => `It wasn't delivered in time. ${returned}`,
  decided: ({ returned }) => `We looked at it. ${returned}`,
  left: () => 'It ended with your account.',
  ended: ({ returned }) => `You ended access to it. ${returned}`,
};

/** What is done next, in a few words for a list. */
export const stateNames: Readonly<Record<string, string>> = {
  requested: 'Answer it',
  quoted: 'Waiting for payment',
  paid: 'In progress',
  delivered: 'Delivered',
  revision_requested: 'Change requested',
  problem: 'Under review',
  released: 'Done',
  reported: 'Reported',
  declined: 'Declined',
  expired: 'Expired',
  refunded: 'Refunded',
  disputed: 'Disputed',
  charged_back: 'Charged back',
};

/** How a request stands, in a word or two of the list of whoever asked. */
export const buyerStateNames: Readonly<Record<ShownState, string>> = {
  requested: 'Sent',
  quoted: 'To be paid',
  paid: 'In progress',
  delivered: 'Delivered',
  revision_requested: 'Change requested',
  problem: 'Under review',
  released: 'Done',
  reported: 'Reported',
  declined: 'Declined',
  expired: 'Expired',
  refunded: 'Refunded',
  disputed: 'With your bank',
  charged_back: 'Returned by your bank',
};

/** What may be wrong with what was released, as whoever asked chooses it. */
export const reportReasonNames: Readonly<Record<ReportReason, string>> = {
  unopened: "I can't open it",
  not_agreed: "It isn't what was agreed",
  not_mine: "I didn't make this payment",
  other: 'Something else',
};

/** What people did, as the history of a request says it. */
export const eventNames: Readonly<Record<string, string>> = {
  asked: 'Asked',
  accept: 'Accepted',
  counter: 'Proposed',
  decline: 'Declined',
  withdraw: 'Withdrawn',
  paid: 'Paid',
  deliver: 'Delivered',
  revise: 'One change requested',
  complain: 'Problem reported',
  report_unopened: `Reported · ${reportReasonNames.unopened}`,
  report_not_agreed: `Reported · ${reportReasonNames.not_agreed}`,
  report_not_mine: `Reported · ${reportReasonNames.not_mine}`,
  report_other: 'Reported',
  report_declined: 'Reviewed · no refund',
  cancel: 'Canceled',
  release: 'Released',
  refund: 'Refunded',
  refund_part: 'Partly refunded',
  expired: 'Expired',
  released: 'Released after 72 hours',
  returned: 'Refunded automatically',
  resumed: 'The bank has decided · dates moved',
  waits: 'Sent to us for review',
  left: 'Ended with the account',
};
