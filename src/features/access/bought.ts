import type { Policy } from '#features/links/policy.ts';
import { entitlementOf, type Facts, type FanFact, type LinkRules } from './rules.ts';

/** The gates and limits that bind this viewer: those under which they bought, else the present ones. */
export const termsFor = (link: LinkRules, facts: Facts): Policy => entitlementOf(link, facts).terms;

/** The facts as they are once this viewer has bought, by the present rules, what the link shows: nothing of it is used up. */
export const asIfBought = ({ albumIds, policy }: LinkRules, facts: Facts): Facts => ({
  ...facts,
  grants: [...facts.grants, { albumIds, source: 'purchase' }],
  boughtUnder: policy,
  firstLookAt: undefined,
  watchedMs: 0,
  lentMs: 0,
  visits: 0,
  // Another screen is in nobody's way: it can be left for this one.
  concurrent: 0,
});

/** The facts as they are once this viewer has subscribed: nothing that was used up comes back. */
export const asIfSubscribed = (facts: Facts, fan: FanFact): Facts => ({
  ...facts,
  fanSubs: [...facts.fanSubs, fan],
  concurrent: 0,
});
