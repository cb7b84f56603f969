import type { Condition } from '#features/links/policy.ts';
import { formatCount, formatPrice, isolate } from '#kit/text.ts';
import { minuteMs } from '#kit/time.ts';
import type { Sale } from '../sale-contract.ts';

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

/** Returns what is still missing after a step, in the words of a price: "$15", "$10 or more as a tip, then a subscription". */
export function describeLater(later: readonly Condition[]): string {
  const words = later.map((condition) => {
    if (condition.kind === 'pay') return formatPrice(condition.priceCents);
    if (condition.kind === 'tip') return `${formatPrice(condition.minCents)} or more as a tip`;
    return condition.kind === 'fan_sub' ? 'a subscription' : 'a yes of the creator';
  });
  return words.join(', then ');
}

/** What stands where the creator's yes comes before any payment. @param afterYes what is paid then; empty for nothing */
export function wordsOfAsking(
  asking: 'open' | 'pending',
  { hostName, afterYes }: { hostName: string; afterYes: string },
): { title: string; text: string } {
  const cost = afterYes === '' ? '' : `After a yes, it opens for ${afterYes}.`;
  if (asking === 'pending') return { title: 'Waiting for approval', text: `${cost} This page opens by itself.`.trim() };
  return { title: `Ask ${isolate(hostName) || 'the creator'} for access`, text: cost };
}

/** Returns what a link costs, price first, before anybody is asked for anything. */
export function wordsOfSale(sale: Sale, span: string | undefined): { title: string; text: string } {
  if (!sale.isPayable) return { title: 'Not accepting payments right now', text: 'Please try again later.' };
  const time = span === undefined ? '' : ` for ${span} after you open it`;
  const [way, later] = wayOf(sale);
  return {
    title: priceOf(sale),
    text: `${way} ${counted(sale)}${time}${later}. ${renewalOf(sale)}View only – no download.`,
  };
}

/** "$15", "$10 or more", "$9.99 a month", "$15, $10 or more as a tip, or $9.99 a month". */
function priceOf({ offers, currency }: Sale): string {
  const money = (cents: number) => formatPrice(cents, currency.toUpperCase());
  const tip = offers.length > 1 ? ' as a tip' : '';
  const prices = offers.map((offer) => {
    const more = offer.afterwards === undefined ? '' : `, then ${offer.afterwards}`;
    if (offer.kind === 'pay') return money(offer.priceCents) + more;
    if (offer.kind === 'tip') return `${money(offer.minCents)} or more${more === '' ? tip : ' as a tip'}${more}`;
    const [cheapest, ...others] = offer.tiers;
    const price = `${money(cheapest?.priceCents ?? 0)} a month`;
    return (others.length === 0 ? price : `${price} or more`) + more;
  });
  const last = prices.at(-1) ?? '';
  return prices.length > 1 ? `${prices.slice(0, -1).join(', ')}, or ${last}` : last;
}

const isMonthly = ({ kind }: Sale['offers'][number]) => kind === 'fan_sub';

/** Returns how it is opened, and what is bought with it: who buys also gets what comes later. */
function wayOf({ offers }: Sale): [way: string, later: string] {
  const hasSteps = offers.some(({ afterwards }) => afterwards !== undefined);
  if (hasSteps) return [offers.length === 1 ? 'Together they open' : 'Any of them opens', ''];
  if (offers.every(isMonthly)) return ['A subscription opens', ''];
  if (offers.every(({ kind }) => kind === 'tip')) return ['A tip opens', ''];
  if (offers.length > 2) return ['Any of them opens', ', with everything that is added later'];
  if (offers.length > 1) return ['Either opens', ', with everything that is added later'];
  return ['One payment opens', ', with everything that is added later'];
}

/** What is paid again and again says so. */
function renewalOf({ offers }: Sale): string {
  if (!offers.some(isMonthly)) return '';
  const hasLonger = offers.some(
    (offer) => offer.kind === 'fan_sub' && offer.tiers.some(({ longer }) => longer.length > 0),
  );
  if (hasLonger)
    return offers.every(isMonthly)
      ? 'It renews until you cancel, which you can at any time. '
      : 'A subscription renews until you cancel, which you can at any time. ';
  return offers.every(isMonthly)
    ? 'It renews monthly; cancel any time. '
    : 'A subscription renews monthly; cancel any time. ';
}
