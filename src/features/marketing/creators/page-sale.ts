/** What a creator's page says about tips, for its form. Amounts are minor units of the currency. */
export interface TipForm {
  handle: string;
  name: string;
  presetsCents: readonly number[];
  leastCents: number;
  /** Of somebody new; who has bought for long may send up to the utmost. */
  mostCents: number;
  utmostCents: number;
  currency: string;
  /** What the card statement of whoever pays shows. */
  statementDescriptor: string;
  /** Test payments: no real money. */
  isSandbox: boolean;
}

/** What may be subscribed to. */
export interface PageTier {
  id: string;
  name: string;
  /** A month. */
  priceCents: number;
  /** Several months at once. */
  longer: readonly { months: number; priceCents: number }[];
  benefits: string;
}

/** What a tap on Subscribe asks for. */
export interface TierParams {
  handle: string;
  tierId: string;
  months: number;
  priceCents: number;
}

/** What is sold on a creator's page. */
export interface PageSale {
  tip: TipForm;
  /** The cheapest first. */
  tiers: readonly PageTier[];
  /** The least for which something is made for somebody; left out where nothing is. */
  requestCents?: number;
}
