import { accounts } from '#features/accounts/guard.tsx';
import { useLive } from '#wire/use-live.tsx';
import { billing } from './billing-calls.tsx';

/** A plan that changes while its creator looks at another page is known there too. */
export function PlanNews() {
  useLive(['plan.changed'], [accounts.me.key(), billing.plan.key()]);
  return null;
}
