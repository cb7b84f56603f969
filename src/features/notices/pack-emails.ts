import { accountEmail, type EmailText, facts, link } from './email-words.ts';

interface About {
  credits: number;
  /** Where the creator sees their credits and what they bought. */
  creditsPage: string;
}

const nameOf = ({ credits }: About): string => `${credits} credits`;
const yourCredits = ({ creditsPage }: About) =>
  link('Your credits and what you bought:', 'See my credits', creditsPage);

/** A pack of credits was paid for. Sender, subject and text are neutral. */
export const packReceiptEmail = ({
  orderId,
  amount,
  day,
  statementDescriptor,
  ...about
}: About & { orderId: string; amount: string; day: string; statementDescriptor: string }): EmailText =>
  accountEmail(
    'pack_receipt',
    'Your receipt',
    'Thank you! Your credits are ready to use.',
    facts(`${nameOf(about)}: ${amount}`, `Paid on ${day}`, `Order ${orderId}`),
    `Your card statement shows ${statementDescriptor}.`,
    yourCredits(about),
  );

/** Why a payment to us goes back that the card's bank has reported. */
export const reportedToUs =
  "The card's bank reported possible fraud with this payment, so we're refunding it before it becomes a dispute. You don't have to do anything, and this doesn't mean you did anything wrong.";

/** Money of a pack goes back. */
export const packRefundedEmail = ({
  amount,
  isReported,
  ...about
}: About & { amount: string; isReported: boolean }): EmailText =>
  accountEmail(
    'pack_refunded',
    'Your refund',
    `Your refund of ${amount} for a pack of ${nameOf(about)} is on its way. Banks usually need 5 to 10 working days to show it.`,
    ...(isReported ? [reportedToUs] : []),
    isReported
      ? 'The credits go back with it, including those that you have already used: your balance may be below zero.'
      : 'The credits that it paid for are taken from your balance.',
    yourCredits(about),
  );
