import type { Facts, GrantFact, LinkRules } from '#features/access/rules.ts';
import { type Condition, Policy } from '#features/links/policy.ts';

/** Material for tests of decisions: a link and a viewer with whom nothing is wrong. */
export const hour = 3_600_000;
export const now = Date.UTC(2026, 10, 21, 12);
export const iso = (at: number) => new Date(at).toISOString();

export const policyOf = (rules: Partial<Policy> = {}): Policy => Policy.parse({ ageGate: false, ...rules });
export const offer = (id: string, ...all: Condition[]) => ({ id, all });
export const linkOf = (rules: Partial<Policy> = {}, more: Partial<LinkRules> = {}): LinkRules => ({
  albumIds: ['a'],
  policy: policyOf(rules),
  ...more,
});
export const factsOf = (more: Partial<Facts> = {}): Facts => ({
  now,
  takenDown: false,
  viewerBlocked: false,
  creatorPaused: false,
  albumReady: true,
  passed: { age: false, password: false },
  grants: [],
  tips: [],
  fanSubs: [],
  watchedMs: 0,
  lentMs: 0,
  visits: 0,
  visitOpen: false,
  viewersKnown: 0,
  isKnownViewer: false,
  keepsCookie: true,
  isProgram: false,
  isDesktop: false,
  concurrent: 0,
  ...more,
});
export const purchase = (more: Partial<GrantFact> = {}): GrantFact => ({
  albumIds: ['a'],
  source: 'purchase',
  ...more,
});
