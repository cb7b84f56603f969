import { accountEmail, type EmailText, facts, link } from './email-words.ts';

/** What a dispute stops: what was bought, custom work whose payment is still held, or nothing, as of a tip on a page. */
export type Closes = 'access' | 'held' | 'nothing';

interface About {
  what: string;
  closes: Closes;
  amount: string;
  earningsPage: string;
  /** The fee of the dispute, where they bear it. */
  fee?: string | undefined;
  /** The provider has returned it. */
  isFeeReturned?: boolean;
}

const yourEarnings = ({ earningsPage }: About) => link('Your earnings:', 'Show earnings', earningsPage);

const describeFee = ({ fee }: About): string[] =>
  fee === undefined
    ? []
    : [
        `The dispute itself costs a fee of ${fee}. You pay it, because at least 0.75% of your sales in the 90 days before were already disputed. It's taken from your balance.`,
      ];

const describeFeeAfter = ({ fee, isFeeReturned }: About): string[] => {
  if (fee === undefined) return [];
  return isFeeReturned === true
    ? [`The fee of ${fee} for the dispute was returned, so you don't pay it.`]
    : [`The fee of ${fee} for the dispute is not returned.`];
};

const taken = 'The bank has taken the money back until it decides, and your part of it leaves your balance.';
const disputed: Readonly<Record<Closes, string>> = {
  access: `${taken} What the buyer paid for is closed to them meanwhile.`,
  held: 'The bank has taken the money back until it decides. The payment was still held for the request, so nothing leaves your balance, and the request waits until then.',
  nothing: taken,
};
const won: Readonly<Record<Closes, string>> = {
  access: 'Your part is in your balance again, and the buyer can open what they paid for.',
  held: 'The payment is held for the request again, and the request goes on.',
  nothing: 'Your part is in your balance again.',
};
const lost: Readonly<Record<Closes, string>> = {
  access: 'The money stays with the buyer, who can no longer open what they paid for.',
  held: 'The money stays with the buyer, and the request is over.',
  nothing: 'The money stays with the buyer.',
};

/** To the creator. Who has paid is not said. */
export const disputeEmail = (about: About): EmailText =>
  accountEmail(
    'dispute',
    'A payment was disputed',
    'A buyer has told their bank that this payment was not right:',
    facts(`${about.what}: ${about.amount}`),
    disputed[about.closes],
    ...describeFee(about),
    "You don't have to do anything: we look at what we know about the order and how it was viewed, and answer the bank where that speaks for you. It usually decides within two months.",
    yourEarnings(about),
  );

export const disputeWonEmail = (about: About): EmailText =>
  accountEmail(
    'dispute_won',
    'A disputed payment is yours',
    'The bank has decided for you:',
    facts(`${about.what}: ${about.amount}`),
    won[about.closes],
    ...describeFeeAfter(about),
    yourEarnings(about),
  );

export const disputeLostEmail = (about: About): EmailText =>
  accountEmail(
    'dispute_lost',
    'A disputed payment went back',
    'The bank has decided for the buyer:',
    facts(`${about.what}: ${about.amount}`),
    lost[about.closes],
    ...describeFeeAfter(about),
    yourEarnings(about),
  );

const byItself = 'It is submitted a day before that; where nothing was ever opened, it waits for you.';
const byHand =
  'No evidence is built for what a creator pays the platform: answer the bank in the dashboard of the payment provider.';

/** To the operator. @param orderId null for what a creator paid the platform @param isEscalated a bank had only asked about it before */
export const disputeWaitsEmail = ({
  disputeId,
  what,
  reason,
  orderId,
  day,
  isEscalated,
}: {
  disputeId: string;
  what: string;
  reason: string;
  orderId: string | null;
  day: string;
  isEscalated: boolean;
}): EmailText =>
  accountEmail(
    'dispute_waits',
    isEscalated ? 'An inquiry has become a chargeback' : 'A payment is disputed',
    ...(isEscalated ? ['Evidence is built again. What was decided about the inquiry no longer counts.'] : []),
    facts(what, `Reason: ${reason}`, `Dispute: ${disputeId}`, ...(orderId === null ? [] : [`Order: ${orderId}`])),
    ...(day === '' ? [] : [`The bank takes evidence until ${day}. ${orderId === null ? byHand : byItself}`]),
    `${orderId === null ? 'How it stands' : 'To read the evidence, object to it or submit it now'}: npm run pf -- disputes show ${disputeId}`,
  );
