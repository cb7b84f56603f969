import type { Step } from './step.ts';
import { account } from './steps/account.ts';
import { closing, opening } from './steps/books.ts';
import { checkouts } from './steps/checkouts.ts';
import { debit } from './steps/debit.ts';
import { disputes } from './steps/disputes.ts';
import { frame } from './steps/frame.ts';
import { held } from './steps/held.ts';
import { hooks } from './steps/hooks.ts';
import { paid } from './steps/paid.ts';
import { payouts } from './steps/payouts.ts';
import { plans } from './steps/plan.ts';
import { preflight } from './steps/preflight.ts';
import { notByCard, refunds } from './steps/refunds.ts';

/** Everything that is tried, in order: later steps need what earlier ones have left. */
export const steps: readonly Step[] = [
  preflight,
  account,
  opening,
  ...checkouts,
  ...paid,
  ...refunds,
  notByCard,
  ...held,
  ...payouts,
  ...disputes,
  debit,
  ...plans,
  ...hooks,
  frame,
  closing,
];
