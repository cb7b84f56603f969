/** Longer than any amount that somebody types. */
const longestAmount = 24;
/** Signs and names of the money, and what stands between thousands in some countries; a comma or a point says more. */
const aside = /[\s$€£'’]|usd/gi;

/**
 * Reads an amount of money as people type it: `7.50`, `7,5`, `$1,000`, `1.000,50`.
 * A comma or a point that every third digit follows separates thousands; another one, and the last of two kinds, is the decimal one.
 * @returns cents; NaN for what is no amount, which lies in no range
 */
export function readCents(typed: string): number {
  if (typed.length > longestAmount) return Number.NaN;
  const text = typed.replace(aside, '');
  const [, dollars, cents = ''] =
    /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{0,2}))?$/.exec(text) ??
    /^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{0,2}))?$/.exec(text) ??
    /^(\d*)(?:[.,](\d{0,2}))?$/.exec(text) ??
    [];
  if (dollars === undefined || dollars + cents === '') return Number.NaN;
  return Number(dollars.replaceAll(/[.,]/g, '')) * 100 + Number(cents.padEnd(2, '0'));
}
