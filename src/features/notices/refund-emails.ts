import { accountEmail, type EmailText, facts, link } from './email-words.ts';

const quote = (text: string) => (text === '' ? [] : [facts(...text.split('\n'))]);

/** To whoever asked for money back. */
export const refundRequestKeptEmail = ({ isOperators, amount }: { isOperators: boolean; amount: string }): EmailText =>
  accountEmail(
    'refund_request_kept',
    'We received your refund request',
    `You asked for ${amount} back.`,
    isOperators
      ? "We'll look at it and answer by email."
      : 'The creator has 72 hours to answer. If no answer comes, we decide. Either way you are told by email.',
  );

/** To the creator. Who asks is not said. */
export const refundAskedEmail = ({
  what,
  amount,
  reason,
  text,
  earningsPage,
}: {
  what: string;
  amount: string;
  reason: string;
  text: string;
  earningsPage: string;
}): EmailText =>
  accountEmail(
    'refund_asked',
    'A buyer asks for a refund',
    'A buyer asks for their money back:',
    facts(`${what}: ${amount}`, reason),
    ...quote(text),
    'Please answer within 72 hours. After that we decide.',
    link('Your earnings:', 'Answer', earningsPage),
  );

/** To whoever asked for money back. */
export const refundAnsweredEmail = ({
  isRefunded,
  amount,
  answer,
  contact,
}: {
  isRefunded: boolean;
  amount: string;
  answer: string;
  contact: string;
}): EmailText =>
  accountEmail(
    'refund_answered',
    'Your refund request was answered',
    isRefunded
      ? `${amount} is on its way back to your card. Banks usually need 5 to 10 working days to show it.`
      : `Your request for ${amount} was declined.`,
    ...quote(answer),
    ...(isRefunded ? [] : [link("If you think that's wrong, write to us:", 'Contact us', contact)]),
  );

/** To the creator, when the operator has decided about a request that they could have answered. */
export const refundRefusedEmail = ({
  what,
  amount,
  earningsPage,
}: {
  what: string;
  amount: string;
  earningsPage: string;
}): EmailText =>
  accountEmail(
    'refund_refused',
    'A refund request was declined',
    'A buyer asked for their money back, and we declined it. You keep the payment:',
    facts(`${what}: ${amount}`),
    link('Your earnings:', 'Show earnings', earningsPage),
  );

/** To the operator. */
export const refundWaitsEmail = ({
  orderId,
  isComplaint,
  what,
  reason,
  text,
}: {
  orderId: string;
  isComplaint: boolean;
  what: string;
  reason: string;
  text: string;
}): EmailText =>
  accountEmail(
    'refund_waits',
    isComplaint ? 'Someone complains about ended access' : 'A refund request waits for you',
    facts(what, reason),
    ...quote(text),
    `To decide, run: npm run pf -- refunds accept ${orderId} --note TEXT, or refunds decline ${orderId} --note TEXT`,
  );

/** To the operator, when the payment provider does not make a refund. */
export const refundFailedEmail = ({
  orderId,
  what,
  sold,
  said,
}: {
  orderId: string;
  /** What was to go back, and how much of it. */
  what: string;
  sold: 'access' | 'credits' | { requestId: string };
  /** By the provider. */
  said: string;
}): EmailText =>
  accountEmail(
    'refund_failed',
    'A refund was refused',
    'The payment provider refused this refund:',
    facts(what, `Order ${orderId}`, `The provider says: ${said}`),
    ...toDoAfter(orderId, sold),
  );

function toDoAfter(orderId: string, sold: Parameters<typeof refundFailedEmail>[0]['sold']): string[] {
  if (sold === 'credits')
    return ["The credits are the creator's again, who can ask once more. Or refund the payment at the provider."];
  if (sold === 'access')
    return [
      'If we owe this refund, we ask again in a day.',
      `To ask again yourself, run: npm run pf -- refunds order ${orderId} --reason REASON --note TEXT`,
    ];
  return [
    'If it goes back because the request has ended, or because you decided so, we ask again in a day.',
    `To look at the request, run: npm run pf -- requests show ${sold.requestId}`,
  ];
}

/** To the operator, when a buyer's bank did not take a refund that was made. */
export const refundCameBackEmail = ({ orderId, what }: { orderId: string; what: string }): EmailText =>
  accountEmail(
    'refund_came_back',
    'A refund came back',
    "The buyer's bank did not take this refund, so the money is the platform's again and still owed:",
    facts(what, `Order ${orderId}`),
    "What was paid for stays closed, and the creator's share stays with us. Please refund it once more at the payment provider, or pay the buyer in another way. They know that it did not arrive.",
  );

/** To the buyer, about the same. */
export const refundNotTakenEmail = ({ what, contact }: { what: string; contact: string }): EmailText =>
  accountEmail(
    'refund_not_taken',
    "Your refund didn't arrive",
    'Your bank did not take this refund, often because a card has expired:',
    facts(what),
    "You'll still get it: we have been told, and will write to you about another way.",
    link('To tell us how you would like to get it:', 'Contact us', contact),
  );

/** To whoever paid, when something of it goes back without their asking. Sender and subject are neutral. */
export const orderRefundedEmail = ({
  what,
  amount,
  isPart,
  why,
  receiptPage,
  statementDescriptor,
}: {
  /** What was paid for, and whom: "Tip to Mia". */
  what: string;
  amount: string;
  /** Not all that was paid has gone back. */
  isPart: boolean;
  /** In a sentence. */
  why: string;
  receiptPage: string;
  statementDescriptor: string;
}): EmailText =>
  accountEmail(
    'order_refunded',
    'Your refund is on its way',
    isPart ? 'We are refunding a part of what you paid:' : 'We are refunding a payment of yours:',
    facts(`${what}: ${amount}`),
    why,
    `The money goes back to the card you paid with, whose statement shows ${statementDescriptor}. Banks usually need 5 to 10 working days to show it.`,
    "You don't have to do anything.",
    link('Your receipt:', 'Show receipt', receiptPage),
  );

const endedWords = {
  access: 'What it opened is closed.',
  subscription: 'The subscription has ended, so this card is not charged again.',
  request: "You don't have to work on this request any more.",
  nothing: undefined,
} as const;

/** To the creator of a payment that its card's bank reported. Who has paid is not said. */
export const paymentReportedEmail = ({
  what,
  amount,
  share,
  ended,
  earningsPage,
}: {
  what: string;
  amount: string;
  /** What leaves their balance; undefined for what was still held. */
  share: string | undefined;
  ended: keyof typeof endedWords;
  earningsPage: string;
}): EmailText =>
  accountEmail(
    'payment_reported',
    'A payment is being refunded',
    "A card's bank reported possible fraud with a payment that you received. We refunded all that was left of it, before it could become a dispute:",
    facts(`${what}: ${amount}`),
    share === undefined
      ? 'It was still held, so nothing leaves your balance. There is no fee.'
      : `Your share of it, ${share}, is taken from your balance. There is no fee.`,
    ...(endedWords[ended] === undefined ? [] : [endedWords[ended]]),
    "You don't have to do anything, and this doesn't mean you did anything wrong.",
    link('The payment:', 'See the payment', earningsPage),
  );
