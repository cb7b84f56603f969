import type { Condition, Offer } from '#features/links/policy.ts';
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
