import type { Known } from './step.ts';

/** Differences that are no fault of the sandbox, or not yet; each with its reason. A step that differs otherwise is red. */
export const knownDifferences: readonly Known[] = [
  {
    step: 'an account by hosted onboarding',
    fact: 'opened.early',
    because: 'the product asks for this page only once an account is ready',
  },
  {
    step: 'a warning of fraud',
    fact: 'fraudType',
    because: 'the card that is reported says nothing of the kind of fraud in what Stripe has published',
  },
];
