import type { drawing } from '#tests/support/access/seeded-draw.ts';
import { hour } from '#tests/support/decisions.ts';

const free = [{ id: 'free', all: [{ kind: 'free' as const }] }];
const askFirst = [{ id: 'ask', all: [{ kind: 'approval' as const }] }];

/** Draws the rules of a link: every second one asks first, and each limit stands in some. */
export const drawRules = ({ pick }: Pick<ReturnType<typeof drawing>, 'pick'>) => ({
  offers: pick([free, free, askFirst, askFirst]),
  ageGate: pick([false, true]),
  maxViewers: pick([undefined, undefined, 1, 2]),
  bindFirstViewer: pick([undefined, undefined, true]),
  openForMs: pick([undefined, undefined, hour]),
});
