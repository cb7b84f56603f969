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
      ? `${amount} is on its way back to your card. Banks take a few days to show it.`
      : `Your request for ${amount} was declined.`,
    ...quote(answer),
    ...(isRefunded ? [] : [link("If you think that's wrong, write to us:", 'Contact us', contact)]),
  );

/** To the creator, when the operator has decided about a request that she could have answered. */
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
