import type { Engines } from '#engines/engines.ts';
import type { Decision } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { nameSpan } from '#features/links/link-texts.ts';
import type { Condition, Offer } from '#features/links/policy.ts';
import { findTipSettings } from '#features/money/tip-settings-store.ts';
import { covers, longerTermsOf } from '#features/orders/fan-rules.ts';
import { listActiveTiers, type TierRow } from '#features/orders/fan-tiers-store.ts';
import { mostTipCents, saleCurrency } from '#features/orders/rules.ts';
import { findDisputeLimit, findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { No } from '../refusals.ts';
import type { Sale, SoldTier } from '../sale-contract.ts';
import { countItems, listTeaser } from './sale-store.ts';
import { wordsOfSale } from './sale-words.ts';
import { findTipLimit } from './tip-limit.ts';

const moneyKinds = ['tip', 'pay', 'fan_sub'] as const;
/** A tip, a price, or a subscription. */
export type Asked = Extract<Condition, { kind: (typeof moneyKinds)[number] }>;
const isAsked = (condition: Condition | undefined): condition is Asked =>
  moneyKinds.some((kind) => kind === condition?.kind);

/** What is asked for by an offer of money alone; undefined for one that asks for something else. */
export function askedBy({ all }: Offer): Asked | undefined {
  const [only, ...more] = all;
  return more.length === 0 && isAsked(only) ? only : undefined;
}

/** What may be chosen by a tap: what is asked, and the tips above it that its creator offers. */
const presetsFrom = (usualCents: readonly number[], minCents: number, mostCents: number) => {
  const offered = [minCents, ...usualCents.filter((cents) => cents > minCents)];
  const more = offered.length < 4 ? [minCents * 2] : [];
  return [...new Set([...offered, ...more])]
    .filter((cents) => cents <= mostCents)
    .toSorted((a, b) => a - b)
    .slice(0, 4);
};

/** The tiers of a creator that open all of a link, as far as its offer names them. */
export const tiersFor = (
  { tierIds }: Extract<Asked, { kind: 'fan_sub' }>,
  tiers: readonly TierRow[],
  albumIds: readonly string[],
): TierRow[] => tiers.filter((tier) => (tierIds.length === 0 || tierIds.includes(tier.id)) && covers(tier, albumIds));

/** What an offer is shown to whom. */
interface Showing {
  tiers: readonly TierRow[];
  albumIds: readonly string[];
  mostTipCents: number;
  presetsCents: readonly number[];
}

function showOffer(offer: Offer, { tiers, albumIds, mostTipCents, presetsCents }: Showing): Sale['offers'] {
  const asked = askedBy(offer);
  if (asked === undefined) return [];
  const { id } = offer;
  if (asked.kind === 'pay') return [{ id, kind: 'pay', priceCents: asked.priceCents }];
  if (asked.kind === 'tip')
    return [
      {
        id,
        kind: 'tip',
        minCents: asked.minCents,
        presetsCents: presetsFrom(presetsCents, asked.minCents, mostTipCents),
      },
    ];
  const shown = tiersFor(asked, tiers, albumIds).map(showTier);
  return shown.length === 0 ? [] : [{ id, kind: 'fan_sub', tiers: shown }];
}

export const showTier = (tier: TierRow): SoldTier => {
  const { id, name, priceCents, benefits } = tier;
  return { id, name, priceCents, longer: longerTermsOf(tier), benefits };
};

const asksFans = (offers: readonly Offer[]) => offers.some((offer) => askedBy(offer)?.kind === 'fan_sub');

const asksTip = (offers: readonly Offer[]) => offers.some((offer) => askedBy(offer)?.kind === 'tip');

/** All that an offer may come to, in cents. */
const centsOf = (offer: Sale['offers'][number]): number[] => {
  if (offer.kind === 'pay') return [offer.priceCents];
  if (offer.kind === 'tip') return [offer.minCents, ...offer.presetsCents];
  return offer.tiers.flatMap(({ priceCents, longer }) => [priceCents, ...longer.map((term) => term.priceCents)]);
};

/** Without what costs more than its creator may sell while many of her payments are disputed. */
function keepBelow(offer: Sale['offers'][number], limit: number): Sale['offers'][number] {
  if (offer.kind === 'pay') return offer;
  if (offer.kind === 'tip') return { ...offer, presetsCents: offer.presetsCents.filter((cents) => cents <= limit) };
  const tiers = offer.tiers.map((tier) => ({
    ...tier,
    longer: tier.longer.filter(({ priceCents }) => priceCents <= limit),
  }));
  return { ...offer, tiers };
}

/** What is for sale on a link whose offers are not met; nothing is told that a visitor may not know. */
export async function findSale(
  engines: Engines,
  { linkId, creatorId, link, viewer }: Question,
  offers: readonly Offer[],
): Promise<Sale> {
  const { database } = engines;
  const [account, counts, teaser, tiers, mostCents, presetsCents, settings] = await Promise.all([
    findPayoutAccount(engines, creatorId),
    countItems(database, linkId),
    listTeaser(database, linkId),
    asksFans(offers) ? listActiveTiers(database, creatorId) : [],
    asksTip(offers) ? findTipLimit(engines, viewer?.viewerId).then((limit) => limit.mostCents) : mostTipCents,
    asksTip(offers) ? findTipSettings(database, creatorId).then((own) => own.presetsCents) : [],
    settingsOf(engines),
  ]);
  const all = offers.flatMap((offer) =>
    showOffer(offer, { tiers, albumIds: link.albumIds, mostTipCents: mostCents, presetsCents }),
  );
  const dearest = Math.max(0, ...all.flatMap(centsOf), asksTip(offers) ? mostCents : 0);
  const limit = (await findDisputeLimit(engines, creatorId, dearest)) ?? Number.POSITIVE_INFINITY;
  const shown = all.filter((offer) => Math.min(...centsOf(offer)) <= limit).map((offer) => keepBelow(offer, limit));
  return {
    offers: shown,
    mostCents: Math.min(mostCents, limit),
    currency: saleCurrency,
    ...counts,
    teaser: teaser.map((picture) => picture.toString('base64')),
    isPayable: shown.length > 0 && payoutStatusOf(engines, account) === 'complete',
    statementDescriptor: settings['money.statementDescriptor'],
    isSandbox: engines.sandbox !== undefined,
  };
}

const waiting = {
  title: 'Waiting for payment',
  text: 'Your bank is taking longer. It opens here as soon as it is paid.',
};

/** Puts the price above a gate that asks for money. @param waitsFor what this viewer pays by that the bank has under way */
export async function withSale(
  engines: Engines,
  question: Question | undefined,
  decision: Decision,
  no: No,
  waitsFor?: string,
): Promise<No> {
  if (question === undefined || decision.ok || decision.reason !== 'NEED_OFFER') return no;
  const sale = await findSale(engines, question, decision.offers ?? []);
  if (waitsFor !== undefined) return { ...no, refusal: { ...no.refusal, ...waiting, sale: { ...sale, waitsFor } } };
  const { openForMs } = question.link.policy;
  const words = wordsOfSale(sale, openForMs === undefined ? undefined : nameSpan(openForMs));
  return { ...no, refusal: { ...no.refusal, ...words, ...(sale.isPayable && { sale }) } };
}
