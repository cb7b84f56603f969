/**
 * Countries in which a creator's payout account can be: those in which Stripe makes accounts, of the regions to which a platform in
 * the United States may transfer (United States, United Kingdom, EEA, Canada, Switzerland).
 * @see https://docs.stripe.com/connect/cross-border-payouts
 */
export const payoutCountries = [
  ...(['US', 'CA', 'GB', 'CH'] as const),
  ...(['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE'] as const),
  ...(['IT', 'LI', 'LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'] as const),
] as const;
export type PayoutCountry = (typeof payoutCountries)[number];

export const isPayoutCountry = (code: string): code is PayoutCountry =>
  (payoutCountries as readonly string[]).includes(code);
