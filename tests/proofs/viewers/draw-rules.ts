import type { Condition } from '#features/links/policy.ts';
import type { drawing } from '#tests/support/access/seeded-draw.ts';
import { hour } from '#tests/support/decisions.ts';

const yes: Condition = { kind: 'approval' };
/** What a tip costs that opens a link. */
export const tipCents = 500;
const tip: Condition = { kind: 'tip', minCents: tipCents };

const free = [{ id: 'free', all: [{ kind: 'free' as const }] }];
const askFirst = [{ id: 'ask', all: [yes] }];
const askThenTip = [{ id: 'both', all: [tip, yes] }];
const askOrTip = [...askFirst, { id: 'tip', all: [tip] }];

/** Whose addresses some links are for. */
export const friends = '@friends.example';

/** Draws the rules of a link: more than every second one asks first, and each limit stands in some. */
export const drawRules = ({ pick }: Pick<ReturnType<typeof drawing>, 'pick'>) => ({
  offers: pick([free, free, free, askFirst, askFirst, askThenTip, askOrTip]),
  ageGate: pick([false, true]),
  maxViewers: pick([undefined, undefined, undefined, 1, 2]),
  bindFirstViewer: pick([undefined, undefined, undefined, true]),
  openForMs: pick([undefined, undefined, hour]),
  maxVisits: pick([undefined, 1, 1, 2]),
  viewBudgetMs: pick([undefined, 60_000]),
  maxConcurrent: pick([2, 1]),
  email: pick([
    undefined,
    undefined,
    undefined,
    { verify: true as const, allow: [] },
    { verify: true as const, allow: [friends] },
  ]),
  geo: pick([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    { mode: 'allow' as const, countries: ['JP'], whenUnknown: 'allow' as const },
    { mode: 'block' as const, countries: ['JP'], whenUnknown: 'deny' as const },
  ]),
});
