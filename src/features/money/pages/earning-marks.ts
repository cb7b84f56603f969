import type { EarningRow } from '../contract.ts';

/**
 * Why a payment goes back that the card's bank has reported, true before and after it has gone; nobody is accused of anything. How
 * far the refund is stands beside it.
 */
export const reportedMark = "The card's bank reported possible fraud";

/** How a payment stands, where it is not simply paid. */
export const marks: Readonly<Partial<Record<EarningRow['state'], string>>> = {
  returning: 'Refund on its way',
  refunded: 'Refunded',
  partially_refunded: 'Partly refunded',
  disputed: 'Disputed',
  charged_back: 'Charged back',
};
