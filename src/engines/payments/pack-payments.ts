import type { PlanCheckout } from './plan-payments.ts';

/** Something of the platform's own that is paid once, on a page of ours, in a frame of the provider's. */
export interface PackOrder {
  orderId: string;
  kind: string;
  /** What the payer reads in the provider's frame. */
  productName: string;
  amountCents: number;
  currency: string;
  email: string;
  returnUrl: string;
  expiresAt: Date;
}

/** Sells what is the platform's own. It may throw `PaymentsAway` or `PaymentRefused`. */
export interface PackPayments {
  /** Opens a checkout; asking again for the same order answers with the same one. */
  openPackCheckout(order: PackOrder): Promise<PlanCheckout>;
}
