import type { Engines } from '#engines/engines.ts';
import { findStep } from '#features/access/offer-steps.ts';
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
import { describeLater, wordsOfAsking, wordsOfSale } from './sale-words.ts';
import { findTipLimit } from './tip-limit.ts';

const moneyKinds = ['tip', 'pay', 'fan_sub'] as const;
/** A tip, a price, or a subscription. */
export type Asked = Extract<Condition, { kind: (typeof moneyKinds)[number] }>;
const isAsked = (condition: Condition | undefined): condition is Asked =>
  moneyKinds.some((kind) => kind === condition?.kind);

/** An amount that can be paid now towards an offer, and what is missing after it. */
export interface PaidStep {
  offerId: string;
  asked: Asked;
  later: readonly Condition[];
}

/** Returns what this viewer can pay now towards an offer; undefined where the creator's yes comes first, or nothing is missing. */
export function paidStepOf(offer: Offer, { link, facts }: Pick<Question, 'link' | 'facts'>): PaidStep | undefined {
  const step = findStep(offer, link, facts);
  return step && isAsked(step.next) ? { offerId: step.offerId, asked: step.next, later: step.later } : undefined;
}

/** Returns what may be chosen by a tap: what is asked, and the tips above it that its creator offers. */
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

function showStep(
  { offerId: id, asked, later }: PaidStep,
  { tiers, albumIds, mostTipCents, presetsCents }: Showing,
): Sale['offers'] {
  const more = later.length === 0 ? {} : { afterwards: describeLater(later) };
  if (asked.kind === 'pay') return [{ id, kind: 'pay', priceCents: asked.priceCents, ...more }];
  if (asked.kind === 'tip')
    return [
      {
        id,
        kind: 'tip',
        minCents: asked.minCents,
        presetsCents: presetsFrom(presetsCents, asked.minCents, mostTipCents),
        ...more,
      },
    ];
  const shown = tiersFor(asked, tiers, albumIds).map(showTier);
  return shown.length === 0 ? [] : [{ id, kind: 'fan_sub', tiers: shown, ...more }];
}

export const showTier = (tier: TierRow): SoldTier => {
  const { id, name, priceCents, benefits } = tier;
  return { id, name, priceCents, longer: longerTermsOf(tier), benefits };
};

const asksFor = (steps: readonly PaidStep[], kind: Asked['kind']) =>
  steps.some(({ asked, later }) => [asked, ...later].some((condition) => condition.kind === kind));

/** Returns true where what follows a step can be had as well: nobody pays a part of what stays closed. */
export const canFollow = ({ later }: PaidStep, tiers: readonly TierRow[], albumIds: readonly string[]): boolean =>
  later.every((condition) => condition.kind !== 'fan_sub' || tiersFor(condition, tiers, albumIds).length > 0);

/** All that an offer may come to, in cents. */
const centsOf = (offer: Sale['offers'][number]): number[] => {
  if (offer.kind === 'pay') return [offer.priceCents];
  if (offer.kind === 'tip') return [offer.minCents, ...offer.presetsCents];
  return offer.tiers.flatMap(({ priceCents, longer }) => [priceCents, ...longer.map((term) => term.priceCents)]);
};

/** Without what costs more than its creator may sell while many of their payments are disputed. */
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
export async function findSale(engines: Engines, question: Question, offers: readonly Offer[]): Promise<Sale> {
  const { linkId, creatorId, link, viewer } = question;
  const { database } = engines;
  const steps = offers.flatMap((offer) => paidStepOf(offer, question) ?? []);
  const [account, counts, teaser, tiers, mostCents, presetsCents, settings] = await Promise.all([
    findPayoutAccount(engines, creatorId),
    countItems(database, linkId),
    listTeaser(database, linkId),
    asksFor(steps, 'fan_sub') ? listActiveTiers(database, creatorId) : [],
    asksFor(steps, 'tip') ? findTipLimit(engines, viewer?.viewerId).then((limit) => limit.mostCents) : mostTipCents,
    asksFor(steps, 'tip') ? findTipSettings(database, creatorId).then((own) => own.presetsCents) : [],
    settingsOf(engines),
  ]);
  const all = steps
    .filter((step) => canFollow(step, tiers, link.albumIds))
    .flatMap((step) => showStep(step, { tiers, albumIds: link.albumIds, mostTipCents: mostCents, presetsCents }));
  const dearest = Math.max(0, ...all.flatMap(centsOf), asksFor(steps, 'tip') ? mostCents : 0);
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
  const offers = decision.offers ?? [];
  const sale = await findSale(engines, question, offers);
  if (waitsFor !== undefined) return { ...no, refusal: { ...no.refusal, ...waiting, sale: { ...sale, waitsFor } } };
  const afterYes = findAfterYes(offers, question);
  const { host } = question;
  // Where the creator's yes comes first of everything, nothing is for sale before it, and nothing after a no.
  if (afterYes !== undefined && sale.offers.length === 0) {
    const words = no.refusal.asking && wordsOfAsking(no.refusal.asking, { hostName: host.name, afterYes });
    return { ...no, refusal: { ...no.refusal, ...words } };
  }
  const { openForMs } = question.link.policy;
  const words = wordsOfSale(sale, openForMs === undefined ? undefined : nameSpan(openForMs));
  return { ...no, refusal: { ...no.refusal, ...words, ...(sale.isPayable && { sale }) } };
}

/** Returns what is paid after the creator's yes, by the first offer that begins with it: empty for nothing; undefined where none does. */
function findAfterYes(offers: readonly Offer[], { link, facts }: Question): string | undefined {
  for (const offer of offers) {
    const step = findStep(offer, link, facts);
    if (step?.next.kind === 'approval') return describeLater(step.later);
  }
  return undefined;
}
