import { creatorSteps } from './creator-steps.ts';
import { gateSteps } from './gate-steps.ts';
import { leavingSteps, traceSteps } from './leaving-steps.ts';
import { moneySteps, refundSteps } from './money-steps.ts';
import type { Step } from './step.ts';
import { viewerSteps } from './viewer-steps.ts';

/** The steps in their order. */
export const steps: readonly Step[] = [
  ...creatorSteps,
  ...viewerSteps,
  ...gateSteps,
  ...moneySteps,
  ...traceSteps,
  ...refundSteps,
  ...leavingSteps,
];
