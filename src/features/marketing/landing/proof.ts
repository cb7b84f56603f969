import type { ClaimPlace, ShownClaim } from '../claims/claims.ts';
import type { Facts } from '../contract.ts';

interface Proof {
  /** What the settings say, which always stands. */
  computed: readonly { figure: string; text: string }[];
  /** What an operator adds to it. */
  claimed: readonly ShownClaim[];
}

/** As many as fit into the rows of a place. */
const mostClaimed = { hero: 3, figures: 6 };

/** The figures of a place: those that follow from the settings, and beside them those that an operator stands up for. */
export const proofOf = (facts: Facts, place: Extract<ClaimPlace, 'hero' | 'figures'>): Proof => ({
  computed: computed[place](facts),
  claimed: facts.claims.filter((claim) => claim.place === place).slice(0, mostClaimed[place]),
});

/** The figures of both places that follow from the settings, and always stand. */
export const listComputed = (facts: Facts) =>
  (['hero', 'figures'] as const).flatMap((place) => computed[place](facts).map((one) => ({ place, ...one })));

const computed = {
  hero: ({ limits, plan }: Facts) => [
    { figure: `${limits.leaseSeconds} s`, text: 'is as long as the key to a picture lasts' },
    { figure: '1 tap', text: 'takes a link back, and open screens close' },
    { figure: `${100 - plan.commissionPercent}%`, text: 'of what viewers pay is yours' },
  ],
  figures: ({ limits, plan }: Facts) => [
    { figure: `${limits.leaseSeconds} s`, text: 'until an open screen closes after you revoke, at the latest' },
    { figure: '2', text: 'variants of every tile of every photo: each viewer gets a pattern of their own' },
    { figure: '0', text: 'accounts that your viewers have to create' },
    { figure: `${plan.trialDays}`, text: 'days free, without a card' },
    { figure: `${100 - plan.commissionPercent}%`, text: 'of what viewers pay is yours' },
    { figure: `${limits.undoHours} h`, text: 'to undo a revoke that you regret' },
  ],
};
