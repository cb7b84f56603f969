import type { Condition, Offer, Policy } from '#features/links/policy.ts';
import type { Facts, LinkRules } from './facts-rules.ts';
import { type Decision, metUntil } from './rules.ts';

/** What is missing of one offer: the condition that comes next, and those after it. */
export interface OfferStep {
  offerId: string;
  next: Condition;
  later: readonly Condition[];
}

/**
 * In this order an offer of several conditions is met. The creator's yes comes first, so that nobody pays for a no. A price comes
 * last: it buys what the link shows, whatever else the offer asks for.
 */
const order: readonly Condition['kind'][] = ['free', 'approval', 'tip', 'fan_sub', 'pay'];

/** Returns what is missing of an offer for this viewer; undefined when nothing is. */
export function findStep({ id, all }: Offer, { albumIds }: LinkRules, facts: Facts): OfferStep | undefined {
  const missing = all
    .filter((condition) => metUntil(condition, albumIds, facts) === undefined)
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const [next, ...later] = missing;
  return next === undefined ? undefined : { offerId: id, next, later };
}

/** Returns true where it is the creator's yes that a viewer can ask for next. */
export function isAtRequest(decision: Decision, { link, facts }: { link: LinkRules; facts: Facts }): boolean {
  if (decision.ok) return false;
  const { reason, offers = [] } = decision;
  if (reason === 'NEED_APPROVAL' || reason === 'APPROVAL_PENDING' || reason === 'APPROVAL_DENIED') return true;
  return reason === 'NEED_OFFER' && offers.some((offer) => findStep(offer, link, facts)?.next.kind === 'approval');
}

/** A tip that was paid as one step of several, and the offers that stood then. */
export interface PaidTip {
  cents: number;
  offers: readonly Offer[];
}

/** Returns whether meeting one condition is no dearer than meeting another. */
function isNoDearer(one: Condition, than: Condition): boolean {
  if (one.kind === 'pay' && than.kind === 'pay') return one.priceCents <= than.priceCents;
  if (one.kind === 'tip' && than.kind === 'tip') return one.minCents <= than.minCents;
  if (one.kind === 'fan_sub' && than.kind === 'fan_sub')
    return (
      one.tierIds.length === 0 || (than.tierIds.length > 0 && than.tierIds.every((id) => one.tierIds.includes(id)))
    );
  return one.kind === than.kind;
}

/** What is left of an offer once a tip is paid. */
const restOf = ({ all }: Offer, { cents }: PaidTip): Condition[] =>
  all.filter((condition) => condition.kind !== 'free' && !(condition.kind === 'tip' && condition.minCents <= cents));

const isBegun = (offer: Offer, { cents }: PaidTip) =>
  offer.all.length > 1 && offer.all.some((condition) => condition.kind === 'tip' && condition.minCents <= cents);

/**
 * Returns the rules as they bind a viewer who has paid a part of an offer: that stays as it was for them, in place of the one that
 * has its id now, unless what stands now asks no more of them. Nobody loses a tip by a later change of rules.
 * @param tips the newest first
 */
export function withBegunOffers(policy: Policy, tips: readonly PaidTip[]): Policy {
  let { offers } = policy;
  for (const tip of tips)
    for (const begun of tip.offers.filter((offer) => isBegun(offer, tip))) {
      const rest = restOf(begun, tip);
      const asksNoMore = (offer: Offer) =>
        restOf(offer, tip).every((condition) => rest.some((other) => isNoDearer(condition, other)));
      if (offers.some(asksNoMore)) continue;
      offers = [...offers.filter(({ id }) => id !== begun.id), begun];
    }
  return offers === policy.offers ? policy : { ...policy, offers };
}
