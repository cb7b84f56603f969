import { accountEmail, type EmailText, facts, link } from './email-words.ts';

/** The receipt of a tip. Sender, subject and text are neutral: neither the album nor the creator's legal name is in it. */
export const tipReceiptEmail = ({
  number,
  amount,
  creatorName,
  receiptPage,
}: {
  number: number;
  amount: string;
  creatorName: string;
  receiptPage: string;
}): EmailText =>
  accountEmail(
    'tip_receipt',
    'Your receipt',
    `Thank you! Receipt no. ${number}.`,
    facts(`Tip to ${creatorName}: ${amount}`),
    'Your card statement shows PF DIGITAL.',
    link('Your receipt:', 'Show receipt', receiptPage),
    "The creator can end access at any time. If that happens before you open it, or within 7 days of paying, you'll be refunded automatically.",
  );
