/** A subscription as far as it matters to the card that it is paid by. */
export interface PaidByCard {
  subscriptionId: string;
  /** Its own card, which comes before its customer's; undefined where it has none. */
  cardId: string | undefined;
  /** Nothing of it is to be paid: it is paused, or was cancelled. */
  isResting: boolean;
}

/** Changes the card that subscriptions are paid by. Everything here may throw `PaymentsAway` or `PaymentRefused`. */
export interface CardPayments {
  /** The card that a customer gave for everything; undefined where there is none. */
  findCustomerCard(customerId: string): Promise<string | undefined>;
  /** All subscriptions of a customer that are not over. */
  listPaidByCard(customerId: string): Promise<PaidByCard[]>;
  /** From now on it is paid by this card. */
  setCard(subscriptionId: string, cardId: string): Promise<void>;
  /** Bills of a subscription that wait for their payment. */
  listOwed(subscriptionId: string): Promise<string[]>;
  /** Takes a bill from a card, once for each card. @throws PaymentRefused where the card is declined or nothing is owed */
  payOwed(invoiceId: string, cardId: string): Promise<void>;
}
