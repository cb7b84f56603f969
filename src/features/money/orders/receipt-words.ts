import type { Receipt } from '../contract.ts';

/** Why a payment goes back that the card's bank has reported; nobody is accused of anything. */
export const tellReported = "The card's bank reported possible fraud, so this payment was refunded to the card.";

/** What became of asking for the money. */
export const tellAsking: Readonly<Partial<Record<Receipt['asking'], string>>> = {
  asked: 'You asked for a refund. The answer comes by email.',
  declined: 'Your refund request was declined.',
  disputed: 'This payment is in dispute.',
  charged_back: 'Your bank has returned this payment.',
};
