/** What a test payment method does when it is charged. */
export interface TestMethod {
  kind: 'card' | 'us_bank_account';
  last4: string;
  declines?: { code: string; declineCode: string; message: string };
  /** Its money is available at once. */
  isAvailable?: boolean;
  afterwards?: 'dispute' | 'inquiry' | 'warning';
}

const declined = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};

/** The published test payment methods that the steps use, by the names under which Stripe takes them. */
export const testMethods: Readonly<Record<string, TestMethod>> = {
  pm_card_visa: { kind: 'card', last4: '4242' },
  pm_card_mastercard: { kind: 'card', last4: '4444' },
  pm_card_bypassPending: { kind: 'card', last4: '0077', isAvailable: true },
  pm_card_visa_chargeDeclined: { kind: 'card', last4: '0002', declines: declined },
  pm_card_chargeCustomerFail: { kind: 'card', last4: '0341', declines: declined },
  pm_card_createDispute: { kind: 'card', last4: '0259', afterwards: 'dispute' },
  pm_card_createDisputeInquiry: { kind: 'card', last4: '1976', afterwards: 'inquiry' },
  pm_card_createIssuerFraudRecord: { kind: 'card', last4: '5423', afterwards: 'warning' },
  pm_usBankAccount_success: { kind: 'us_bank_account', last4: '6789' },
};

/** Cards that cannot even be kept for a customer: the bank is asked when they are attached. */
export const cannotBeAttached = (name: string): boolean => name === 'pm_card_visa_chargeDeclined';
