import { formatCount, formatPrice } from '#kit/text.ts';
import type { Sale } from '../contract.ts';

const counted = ({ photos, videos }: Pick<Sale, 'photos' | 'videos'>): string =>
  [...(photos > 0 ? [formatCount(photos, 'photo')] : []), ...(videos > 0 ? [formatCount(videos, 'video')] : [])].join(
    ' and ',
  ) || 'this album';

/** What a link costs, price first, before anybody is asked for anything. */
export function wordsOfSale(sale: Sale, span: string | undefined): { title: string; text: string } {
  if (!sale.isPayable) return { title: 'Not accepting payments right now', text: 'Please try again later.' };
  const least = Math.min(...sale.offers.map(({ minCents }) => minCents));
  const time = span === undefined ? '' : ` for ${span} after you open it`;
  return {
    title: `${formatPrice(least, sale.currency.toUpperCase())} or more`,
    text: `A tip opens ${counted(sale)}${time}. View only – no download.`,
  };
}
