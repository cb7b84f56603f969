/** `feePercentOf` of order `o`. */
export const feePercentOfOrder = 'round(o.fee_cents * 100.0 / o.amount_cents)::int';

/** `feeOfPart` of order `o`. @param cents an expression */
export const feeOfOrderPart = (cents: string): string => `round(o.fee_cents::numeric * ${cents} / o.amount_cents)`;

/** The fee of `splitMonth`. @param amount an expression of bigint @param percent an expression of a whole number */
export const monthFeeOf = (amount: string, percent: string): string => `((${amount} * ${percent} + 50) / 100)`;
