import type { Card } from './side.ts';

/** Test payment methods that Stripe has published, by what they do. */
export const methods: Readonly<Record<Card, string>> = {
  good: 'pm_card_visa',
  available: 'pm_card_bypassPending',
  declined: 'pm_card_visa_chargeDeclined',
  declinesLater: 'pm_card_chargeCustomerFail',
  disputed: 'pm_card_createDispute',
  inquired: 'pm_card_createDisputeInquiry',
  warned: 'pm_card_createIssuerFraudRecord',
};
