/** What a creator's page says about tips, for its form. Amounts are minor units of the currency. */
export interface TipForm {
  handle: string;
  name: string;
  presetsCents: readonly number[];
  leastCents: number;
  mostCents: number;
  currency: string;
  /** Test payments: no real money. */
  isSandbox: boolean;
}

/** What is sold on a creator's page. */
export interface PageSale {
  tip: TipForm;
}
