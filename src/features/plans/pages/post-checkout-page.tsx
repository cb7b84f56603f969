import { useQuery } from '@tanstack/react-query';
import { CheckCircle2, Clock3, MailCheck, XCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { CodeForm } from '#features/accounts/code-form.tsx';
import { accounts, useMe } from '#features/accounts/guard.tsx';
import { safeReturnTo, wayTo } from '#features/accounts/rules.ts';
import { readWanted } from '#features/accounts/wanted-address.tsx';
import type { Elements } from '#kit/elements.ts';
import { Brand } from '#ui/brand.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { billing } from '../billing-calls.tsx';
import type { Arrival } from '../contract.ts';
import { arrived } from '../use-plan-return.tsx';

export const meta = () => [
  { title: 'Setting up your account · PrivateFans' },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

const pollMs = 1000;
/** After that time the page says that it takes longer; an answer that comes still counts. */
const patienceMs = 20_000;
const sessionPattern = /^cs_\w{1,90}$/;

/** Back from the checkout of a plan: asks what became of it, until it is known. */
export default function PostCheckoutPage() {
  const [search] = useSearchParams();
  const sessionId = search.get('session_id') ?? '';
  if (!sessionPattern.test(sessionId)) return <Navigate to="/auth" replace />;
  return <Arriving sessionId={sessionId} />;
}

function Arriving({ sessionId }: { sessionId: string }) {
  const isLate = useLater(patienceMs);
  const { data } = useQuery(
    billing.arrive.queryOptions({
      input: { sessionId },
      staleTime: 0,
      retry: false,
      refetchInterval: ({ state }) => (state.data === undefined || state.data.state === 'checking' ? pollMs : false),
    }),
  );
  if (data?.state === 'unknown') return <Navigate to="/auth" replace />;
  if (data?.state === 'ready') return <Ready isTrial={data.isTrial} />;
  if (data?.state === 'needs_email') return <NeedsEmail arrival={data} sessionId={sessionId} />;
  if (data?.state === 'failed') return <Failed />;
  if (isLate) return <StillProcessing />;
  return (
    <Frame icon={<Spinner className="size-7" />} title="Setting up your account">
      <p className="text-quiet">This takes a few seconds.</p>
    </Frame>
  );
}

/** The setup remembers where they wanted to go. */
const toSetup = () => wayTo('/account/setup', safeReturnTo(readWanted(), window.location.origin));

function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}

/** It is theirs: a new person sets up their account, everybody else goes home, which says what has begun. */
function Ready({ isTrial }: { isTrial: boolean }) {
  const { me, askAgain } = useMe();
  const navigate = useNavigate();
  const isSetUp = me?.setupStep === 'done';
  const isLed = useRef(false);
  useEffect(() => {
    if (isLed.current) return;
    isLed.current = true;
    void askAgain().then((known) =>
      navigate(
        known !== undefined && known.setupStep !== 'done' ? toSetup() : `/?${isTrial ? 'trial' : 'success'}=true`,
        { replace: true, state: arrived },
      ),
    );
  }, [askAgain, navigate, isTrial]);
  return (
    <Frame icon={<CheckCircle2 className="size-7 text-moss" />} title="All set">
      <p className="text-quiet">{isSetUp ? 'Taking you to your studio.' : 'Now your account.'}</p>
    </Frame>
  );
}

function NeedsEmail({ arrival, sessionId }: { arrival: Arrival; sessionId: string }) {
  const navigate = useNavigate();
  const { askAgain } = useMe();
  return (
    <Frame icon={<MailCheck className="size-7 text-plum" />} title="Check your email">
      <p>
        We sent a link to <strong className="break-all">{arrival.email}</strong>. Open it in this browser, or enter its
        code here.
      </p>
      <CodeForm
        resendAfterMs={arrival.resendAfterMs}
        onResend={() => billing.mailAgain.call({ sessionId })}
        onCode={async (input) => {
          await accounts.confirm.call(input);
          await askAgain();
          await navigate(toSetup(), { replace: true });
        }}
        other={
          <ButtonLink to="/auth?action=signup" variant="bare">
            Change address
          </ButtonLink>
        }
      />
    </Frame>
  );
}

function StillProcessing() {
  return (
    <Frame icon={<Clock3 className="size-7 text-ember-ink" />} title="Still processing">
      <p>Your bank is taking longer. We'll email you – you can close this page.</p>
    </Frame>
  );
}

function Failed() {
  return (
    <Frame icon={<XCircle className="size-7 text-rust" />} title="Nothing was charged">
      <p className="text-quiet">The checkout ended before it was complete.</p>
      <ButtonLink to="/pricing" size="large" className="justify-self-start">
        Try again
      </ButtonLink>
    </Frame>
  );
}

function Frame({ icon, title, children }: { icon: Elements; title: string; children: Elements }) {
  return (
    <div className="mx-auto grid min-h-dvh max-w-120 content-start gap-8 px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" className="grid gap-5" aria-live="polite">
        {icon}
        <h1 className="text-28 md:text-38">{title}</h1>
        {children}
      </main>
    </div>
  );
}
