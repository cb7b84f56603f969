import type { EarningRow } from '../contract.ts';

/** Why a payment went back that the card's bank has reported; nobody is accused of anything. */
export const reportedMark = "Refunded: the card's bank reported possible fraud";

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
