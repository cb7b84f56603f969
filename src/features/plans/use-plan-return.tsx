import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Me } from '#features/accounts/contract.ts';
import { accounts } from '#features/accounts/guard.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { refreshQueries } from '#wire/refresh-queries.ts';
import { billing } from './billing-calls.tsx';

/** The welcome follows the first notice after this time at the soonest, and once the plan is confirmed. */
const welcomeMs = 3000;
const patienceMs = 20_000;
const pollMs = 1000;
const processing = 'Processing your subscription...';
const good = new Set<string | null>(['active', 'trialing', 'past_due']);
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Tells home that somebody comes from a checkout that has gone well: an address alone says so to nobody. */
export const arrived = { isFromCheckout: true } as const;

/** Finds what is said to whoever comes home: good news only from the page that has asked whether they are true. */
export function findNews(search: URLSearchParams, state: unknown): 'success' | 'trial' | 'canceled' | undefined {
  const kind = (['success', 'trial', 'canceled'] as const).find((name) => search.get(name) === 'true');
  const isArrived = typeof state === 'object' && state !== null && 'isFromCheckout' in state;
  return kind === 'canceled' || isArrived ? kind : undefined;
}

/** Back at home from a checkout: says what has become of it, and asks until it is so. */
export function usePlanReturn({
  plan: { trialDays },
  subscriptionStatus,
}: Pick<Me, 'plan' | 'subscriptionStatus'>): void {
  const [search, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const { state } = useLocation();
  const kind = findNews(search, state);
  const isTyped = kind === undefined && (search.has('success') || search.has('trial'));
  const isToasted = useRef(false);
  useEffect(() => {
    if (isTyped) setSearch({}, { replace: true });
  }, [isTyped, setSearch]);
  useEffect(() => {
    if (kind === undefined || isToasted.current) return;
    isToasted.current = true;
    setSearch({}, { replace: true });
    if (kind === 'canceled') {
      toast.error({ title: 'Payment Canceled', message: 'Your subscription was not activated.', goesAlong: true });
      return;
    }
    if (kind === 'trial')
      toast.success({
        title: 'Free Trial Started!',
        message: `Your ${trialDays}-day free trial is now active!`,
        goesAlong: true,
      });
    // A card that was added during a trial: nothing has been paid yet.
    else if (subscriptionStatus === 'trialing') toast.success({ title: processing, goesAlong: true });
    else toast.success({ title: 'Payment Successful!', message: processing, goesAlong: true });
    void welcome(() => refreshQueries(queries, [accounts.me.key()]));
  }, [kind, setSearch, queries, trialDays, subscriptionStatus]);
}

async function welcome(refresh: () => Promise<unknown>): Promise<void> {
  const beganMs = performance.now();
  await pause(welcomeMs);
  while (performance.now() - beganMs < patienceMs) {
    const plan = await billing.checkSubscription.call({}).catch(() => undefined);
    if (plan !== undefined && good.has(plan.subscription_status)) {
      await refresh();
      toast.success({ title: 'Welcome to PrivateFans!', message: 'Your subscription is now active.' });
      return;
    }
    await pause(pollMs);
  }
  toast.info({ title: "Still processing – we'll email you." });
}
