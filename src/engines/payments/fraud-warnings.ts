/** A card's bank reports that a payment may be fraud, before anybody has disputed it. */
export interface FraudWarning {
  warningId: string;
  chargeId: string;
  /** The payment is neither disputed nor given back whole: giving it back now comes before a dispute. */
  isActionable: boolean;
  /** What kind of fraud, in the provider's word. */
  fraudType: string;
  createdAt: Date;
}

/** Early warnings of fraud. Everything here may throw `PaymentsAway` or `PaymentRefused`. */
export interface WarningPayments {
  findWarning(warningId: string): Promise<FraudWarning>;
  /** Newest first, page by page. @param since oldest moment that is of interest */
  warnings(since: Date | undefined): AsyncIterable<readonly FraudWarning[]>;
}
