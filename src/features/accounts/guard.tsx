import { ORPCError } from '@orpc/client';
import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { setClock } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { emptyCaches, noteWhoIsHere } from './app-lock/who-is-here.tsx';
import { accountsContract, emailChangeContract, type Me, passkeysContract, secondFactorContract } from './contract.ts';
import { decideDoor, type Need, type Visit } from './pages/guard-rules.ts';
import { LockScreen } from './pages/lock-screen.tsx';
import { plans } from './plan/plan-calls.tsx';
import { wayTo } from './rules.ts';

/** The calls of this room. */
export const accounts = callsOf('accounts', accountsContract);
/** Those of a change of address. */
export const emailChange = callsOf('emailChange', emailChangeContract);
/** Those of passkeys. */
export const passkeys = callsOf('passkeys', passkeysContract);
/** Those of the second factor. */
export const secondFactor = callsOf('secondFactor', secondFactorContract);

/** An answer this young is not asked for again. */
const freshMs = 30_000;
/** Loading ends after 10 s of waiting for who it is, after 5 s of waiting for the plan; a later answer still counts. */
const authMs = 10_000;
const planMs = 5000;

/** Since when this page has been asking who is here; going from one address to another does not begin again. */
const askedAtMs = performance.now();

/** Whether something has been going on for longer than it may, counted from `sinceMs` or from when it began. */
function useIsLate(isGoingOn: boolean, afterMs: number, sinceMs?: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return setLate(false);
    const goneMs = sinceMs === undefined ? 0 : performance.now() - sinceMs;
    const timer = setTimeout(() => setLate(true), afterMs - goneMs);
    return () => clearTimeout(timer);
  }, [isGoingOn, afterMs, sinceMs]);
  return isLate;
}

const subscribed = new Set<string | null>(['active', 'trialing', 'past_due']);

/**
 * What is known says no: the plan itself is asked once more, which may ask the payment provider. When that fails, what is known
 * stands. @returns whether the answer may still change
 */
function usePlanCheck(me: Me | undefined, askAgain: () => Promise<unknown>): boolean {
  const canBe = me?.user != null && !me.hasAccess && !me.isStopped && me.setupStep === 'done';
  const { data, isFetching } = useQuery(
    plans.checkSubscription.queryOptions({ input: {}, enabled: canBe, staleTime: freshMs, retry: false }),
  );
  const isNews = canBe && data !== undefined && subscribed.has(data.subscription_status);
  const ask = useRef(askAgain);
  ask.current = askAgain;
  useEffect(() => {
    if (isNews) void ask.current();
  }, [isNews]);
  return isNews || (canBe && isFetching);
}

/** Who is here, asked for once for the whole page. `me` is missing while nobody knows; a visitor is a `me` without a user. */
export function useMe(): Visit & { hasFailed: boolean; askAgain: () => Promise<Me | undefined> } {
  const {
    data: me,
    isPending,
    isFetching,
    isError,
    isPaused,
    dataUpdatedAt,
    refetch,
  } = useQuery(accounts.me.queryOptions({ staleTime: freshMs }));
  useEffect(() => {
    if (me !== undefined && dataUpdatedAt > 0) setClock(me.now, dataUpdatedAt);
  }, [me, dataUpdatedAt]);
  useEffect(() => {
    if (me !== undefined) noteWhoIsHere(me);
  }, [me]);
  const isLate = useIsLate(isPending, authMs, askedAtMs);
  const isDoubted = me?.user != null && !me.hasAccess;
  const isUnclear = usePlanCheck(me, refetch);
  const isAsked = isDoubted && (isFetching || isUnclear);
  const isPlanLate = useIsLate(isAsked, planMs);
  return {
    me,
    isLoading: isPending && !isLate,
    isChecking: isAsked && !isPlanLate,
    // Without a connection the question waits, and is asked as soon as there is one.
    hasFailed: (isError || isPaused) && me === undefined,
    askAgain: async () => (await refetch()).data,
  };
}

/** Lets in who may come in; sends everybody else where the guard's rules say. */
export function Guarded({ need, children }: { need: Need; children: ReactNode }) {
  const { pathname, search } = useLocation();
  const { hasFailed, askAgain, ...visit } = useMe();
  const letInAt = useRef<string>(undefined);
  const door = decideDoor(visit, need, pathname + search);
  useEffect(() => {
    if (door.is === 'open') letInAt.current = pathname;
  });
  if (door.is === 'locked') return <Locked />;
  if (hasFailed) return <NobodyKnown onRetry={askAgain} />;
  // A later answer never takes away a form that is being typed in.
  if (door.is === 'open' || (letInAt.current === pathname && isTyping())) return children;
  // Home has a face of its own for visitors: whoever signs out there stays there.
  if (need === 'home' && visit.me?.user === null) return null;
  if (door.is === 'wait') return <FullSpinner text={door.text} />;
  return <Elsewhere to={door.to} notice={door.notice} />;
}

/** The door of a locked session: its PIN opens it again, or another one by the password; the fifth wrong try has ended it. */
export function Locked() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const signOut = useSignOut();
  const askAgain = () => queries.invalidateQueries({ queryKey: accounts.me.queryKey() });
  const open = async (answered: Promise<unknown>) => {
    try {
      await answered;
      await askAgain();
    } catch (error) {
      if (!(error instanceof ORPCError) || error.status !== 410) throw error;
      toast.error({ title: 'Signed out', message: error.message, goesAlong: true });
      await askAgain();
    }
  };
  const signInAgain = async () => {
    await accounts.signOut.call().catch(() => undefined);
    await leave(queries, navigate, wayTo('/auth', pathname + search));
  };
  return (
    <LockScreen
      onPin={(pin) => open(accounts.unlock.call({ pin }))}
      onReset={(input) => open(accounts.resetPin.call(input))}
      onSignInAgain={signInAgain}
      onSignOut={signOut}
    />
  );
}

/** The app that opens without a connection says so. */
const offlineWords = () => (navigator.onLine ? {} : { title: "You're offline" });

/** The server failed to say who is here: nobody is sent away for that. */
export function NobodyKnown({ onRetry }: { onRetry: () => Promise<unknown> }) {
  return (
    <main id="main" className="mx-auto grid min-h-dvh max-w-110 content-center p-5">
      <ErrorState {...offlineWords()} onRetry={() => void onRetry()} />
    </main>
  );
}

const isTyping = () =>
  (document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement) &&
  document.activeElement.value !== '';

function Elsewhere({ to, notice }: { to: string; notice: string | undefined }) {
  const isToasted = useRef(false);
  useEffect(() => {
    if (notice === undefined || isToasted.current) return;
    isToasted.current = true;
    toast.error({ title: notice, goesAlong: true });
  }, [notice]);
  return <Navigate to={to} replace />;
}

/** Pages of a creator whose plan is good. */
export const RequireAccess = ({ children }: { children: ReactNode }) => <Guarded need="access">{children}</Guarded>;

/** Signs out: everything known of the person goes and the browser goes home, also when the call fails. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await accounts.signOut.call().catch(() => undefined);
    await leave(queries, navigate);
    toast.success({ title: 'Signed out', goesAlong: true });
  };
}

type Queries = ReturnType<typeof useQueryClient>;

/** Forgets the person on this page and goes home, or to another page for visitors. */
export async function leave(queries: Queries, navigate: ReturnType<typeof useNavigate>, to = '/'): Promise<void> {
  // Before the next page's parts are asked for: they would be kept.
  await emptyCaches();
  // The page must be gone before the person is: its guard would send them to /auth.
  await navigate(to, { replace: true, flushSync: true });
  forgetPerson(queries);
}

/** Everything that was read for the person goes; whoever is here now is a visitor. */
export function forgetPerson(queries: Queries): void {
  const meKey = accounts.me.queryKey();
  // It is no younger for that: the clock is set by what the server says, and by when it said so.
  const { dataUpdatedAt: updatedAt } = queries.getQueryState(meKey) ?? {};
  queries.setQueryData<Me>(meKey, (known) => known && asVisitor(known), {
    ...(updatedAt !== undefined && { updatedAt }),
  });
  queries.removeQueries({ predicate: ({ queryHash }) => queryHash !== hashKey(meKey) });
}

const asVisitor = (known: Me): Me => ({
  ...known,
  user: null,
  isLocked: false,
  hasAccess: false,
  isAdmin: false,
  adminScopes: [],
  needsSecondFactor: false,
  isFreeUser: false,
  isSubscribed: false,
  subscriptionStatus: null,
  trialEndsAt: null,
  planIsPaused: false,
  planPausedUntil: null,
  freeUntil: null,
  entitlements: { suiteUser: false, isBeta: false },
});
