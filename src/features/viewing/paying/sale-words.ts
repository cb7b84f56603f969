import { formatCount, formatPrice } from '#kit/text.ts';
import type { Sale } from '../contract.ts';

const counted = ({ photos, videos }: Pick<Sale, 'photos' | 'videos'>): string =>
  [...(photos > 0 ? [formatCount(photos, 'photo')] : []), ...(videos > 0 ? [formatCount(videos, 'video')] : [])].join(
    ' and ',
  ) || 'this album';

/** What a link costs, price first, before anybody is asked for anything. */
export function wordsOfSale(sale: Sale, span: string | undefined): { title: string; text: string } {
  if (!sale.isPayable) return { title: 'Not accepting payments right now', text: 'Please try again later.' };
  const time = span === undefined ? '' : ` for ${span} after you open it`;
  const [way, later] = wayOf(sale);
  return {
    title: priceOf(sale),
    text: `${way} ${counted(sale)}${time}${later}. View only – no download.`,
  };
}

/** "$15", "$10 or more", "$15, or $10 or more as a tip". */
function priceOf({ offers, currency }: Sale): string {
  const money = (cents: number) => formatPrice(cents, currency.toUpperCase());
  const tip = offers.length > 1 ? ' as a tip' : '';
  return offers
    .map((offer) => (offer.kind === 'pay' ? money(offer.priceCents) : `${money(offer.minCents)} or more${tip}`))
    .join(', or ');
}

/** How it is opened, and what is bought with it: who buys also gets what comes later. */
function wayOf({ offers }: Sale): [way: string, later: string] {
  if (offers.every(({ kind }) => kind === 'tip')) return ['A tip opens', ''];
  return [offers.length > 1 ? 'Either opens' : 'One payment opens', ', with everything that is added later'];
}
