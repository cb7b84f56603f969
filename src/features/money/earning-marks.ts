import type { EarningRow } from './contract.ts';

/**
 * Why a payment goes back that the card's bank has reported, true before and after it has gone; nobody is accused of anything. How
 * far the refund is stands beside it.
 */
export const reportedMark = "The card's bank reported possible fraud";

/** Why a creator bears the fee of a dispute. */
export const feeBorneMark = 'At least 0.75% of your sales in the 90 days before were already disputed';

/** How a payment stands, where it is not simply paid. */
export const marks: Readonly<Partial<Record<EarningRow['state'], string>>> = {
  returning: 'Refund on its way',
  refunded: 'Refunded',
  partially_refunded: 'Partly refunded',
  disputed: 'Disputed',
  charged_back: 'Charged back',
};
