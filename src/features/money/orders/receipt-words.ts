import type { Receipt } from '../contract.ts';

/** What is said above the button that pays, and on the receipt. */
export const refundPromise =
  'The creator can end access at any time. If that happens before you open it, or within 7 days of paying, you are refunded automatically.';

/** Why a payment goes back that the card's bank has reported; nobody is accused of anything. */
export const tellReported = "The card's bank reported possible fraud, so this payment was refunded to the card.";

/** What became of asking for the money. */
export const tellAsking: Readonly<Partial<Record<Receipt['asking'], string>>> = {
  asked: 'You asked for a refund. The answer comes by email.',
  declined: 'Your refund request was declined.',
  disputed: 'This payment is in dispute.',
  charged_back: 'Your bank has returned this payment.',
};
