import type { Engines } from '#engines/engines.ts';
import type { Decision } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { nameSpan } from '#features/links/link-texts.ts';
import type { Condition, Offer } from '#features/links/policy.ts';
import { findPayoutAccount, payoutStatusOf } from '#features/money/payouts.ts';
import { mostTipCents, tipPresetsCents } from '#features/money/rules.ts';
import type { Sale } from '../contract.ts';
import type { No } from '../refusals.ts';
import { countItems, listTeaser } from './sale-store.ts';
import { wordsOfSale } from './sale-words.ts';

/** The money of this version. */
export const saleCurrency = 'usd';

/** A tip or a price. */
export type Asked = Extract<Condition, { kind: 'tip' | 'pay' }>;

/** What is asked for by an offer of money alone; undefined for one that asks for something else. */
export function askedBy({ all }: Offer): Asked | undefined {
  const [only, ...more] = all;
  return more.length === 0 && (only?.kind === 'tip' || only?.kind === 'pay') ? only : undefined;
}

/** What may be chosen by a tap: what is asked, and the usual tips above it. */
const presetsFrom = (minCents: number) =>
  [...new Set([minCents, ...tipPresetsCents.filter((cents) => cents > minCents), minCents * 2])]
    .filter((cents) => cents <= mostTipCents)
    .toSorted((a, b) => a - b)
    .slice(0, 4);

function showOffer(offer: Offer): Sale['offers'] {
  const asked = askedBy(offer);
  if (asked === undefined) return [];
  const { id } = offer;
  if (asked.kind === 'pay') return [{ id, kind: 'pay', priceCents: asked.priceCents }];
  return [{ id, kind: 'tip', minCents: asked.minCents, presetsCents: presetsFrom(asked.minCents) }];
}

/** What is for sale on a link whose offers are not met; nothing is told that a visitor may not know. */
export async function findSale(
  engines: Engines,
  { linkId, creatorId }: Question,
  offers: readonly Offer[],
): Promise<Sale> {
  const [account, counts, teaser] = await Promise.all([
    findPayoutAccount(engines, creatorId),
    countItems(engines.database, linkId),
    listTeaser(engines.database, linkId),
  ]);
  const shown = offers.flatMap(showOffer);
  return {
    offers: shown,
    mostCents: mostTipCents,
    currency: saleCurrency,
    ...counts,
    teaser: teaser.map((picture) => picture.toString('base64')),
    isPayable: shown.length > 0 && payoutStatusOf(engines, account) === 'complete',
    isSandbox: engines.sandbox !== undefined,
  };
}

/** Puts the price above a gate that asks for money. */
export async function withSale(
  engines: Engines,
  question: Question | undefined,
  decision: Decision,
  no: No,
): Promise<No> {
  if (question === undefined || decision.ok || decision.reason !== 'NEED_OFFER') return no;
  const sale = await findSale(engines, question, decision.offers ?? []);
  const { openForMs } = question.link.policy;
  const words = wordsOfSale(sale, openForMs === undefined ? undefined : nameSpan(openForMs));
  return { ...no, refusal: { ...no.refusal, ...words, ...(sale.isPayable && { sale }) } };
}
