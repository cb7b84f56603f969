import { formatCount, formatPrice } from '#kit/text.ts';
import { minuteMs } from '#kit/time.ts';
import type { Sale } from '../contract.ts';

const counted = ({ photos, videos, videoMs }: Pick<Sale, 'photos' | 'videos' | 'videoMs'>): string =>
  [
    ...(photos > 0 ? [formatCount(photos, 'photo')] : []),
    ...(videos > 0 ? [`${formatCount(videos, 'video')} (${lengthOf(videoMs)})`] : []),
  ].join(' and ') || 'this album';

/** "40 s", "11 min", "1 h 20 min". */
function lengthOf(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (ms < minuteMs) return `${Math.max(1, Math.round(ms / 1000))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

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
