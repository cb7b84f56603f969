import type { CheckPart } from '#features/fullcheck/contract.ts';
import { creatorSteps } from './creator-steps.ts';
import { gateSteps } from './gate-steps.ts';
import { leavingSteps, traceSteps } from './leaving-steps.ts';
import { moneySteps, refundSteps } from './money-steps.ts';
import type { Step } from './step.ts';
import { viewerSteps } from './viewer-steps.ts';

/** The steps in their order. */
const steps: readonly Step[] = [
  ...creatorSteps,
  ...viewerSteps,
  ...gateSteps,
  ...moneySteps,
  ...traceSteps,
  ...refundSteps,
  ...leavingSteps,
];

/** What each part is of. */
const partKeys: Record<CheckPart, readonly string[]> = { payment: ['tip', 'pay', 'subscribe', 'refund'] };

/** Returns the steps of a part, or of the whole, in their order: those that the part is of, and those that these need. */
export function stepsOf(part: CheckPart | null): readonly Step[] {
  if (part === null) return steps;
  const wanted = new Set(partKeys[part]);
  for (const { key, needs } of steps.toReversed()) if (wanted.has(key)) for (const need of needs) wanted.add(need);
  return steps.filter(({ key }) => wanted.has(key));
}
