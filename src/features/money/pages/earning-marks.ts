import type { EarningRow } from '../contract.ts';

/** How a payment stands, where it is not simply paid. */
export const marks: Readonly<Partial<Record<EarningRow['state'], string>>> = {
  returning: 'Refund on its way',
  refunded: 'Refunded',
  partially_refunded: 'Partly refunded',
  disputed: 'Disputed',
  charged_back: 'Charged back',
};
