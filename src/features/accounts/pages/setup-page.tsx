import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { Brand } from '#ui/brand.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import type { Me } from '../contract.ts';
import { forgetPerson, NobodyKnown, useMe, useSignOut } from '../guard.tsx';
import { isStepOpen, type SetupStep, safeReturnTo, setupSteps, stepAfter, wayTo } from '../rules.ts';
import { ConsentStep } from './consent-step.tsx';
import { FirstStep, PasswordStep, ProfileStep } from './setup-steps.tsx';

export const meta = () => [{ title: 'Set up your account · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Four steps between a confirmed address and the studio, each saved when it is done. */
export default function SetupPage() {
  const { me, isLoading, hasFailed, askAgain } = useMe();
  const [isTooYoung, setTooYoung] = useState(false);
  const queries = useQueryClient();
  const wanted = useWanted();
  const isFinishing = useRef(false);
  if (isTooYoung) return <TooYoung />;
  if (isLoading) return <FullSpinner text="Authenticating..." />;
  if (hasFailed) return <NobodyKnown onRetry={askAgain} />;
  if (!me?.user) return <Navigate to={wayTo('/auth', wanted)} replace />;
  if (me.setupStep === 'done' && !isFinishing.current) return <Navigate to={wanted ?? '/'} replace />;
  const close = () => {
    setTooYoung(true);
    forgetPerson(queries);
  };
  const finish = () => {
    isFinishing.current = true;
  };
  return <Setup me={me} user={me.user} askAgain={askAgain} wanted={wanted} onTooYoung={close} onFinish={finish} />;
}

interface SetupProps {
  me: Me;
  user: NonNullable<Me['user']>;
  askAgain: () => Promise<Me | undefined>;
  wanted: string | undefined;
  onTooYoung: () => void;
  onFinish: () => void;
}

function Setup({ me, user, askAgain, wanted, onTooYoung, onFinish }: SetupProps) {
  const { step, goOn, goBack } = useStep(me);
  const save = async () => {
    const known = await askAgain();
    if (known !== undefined) await goOn(known.setupStep);
  };
  return (
    <SetupFrame step={step} me={me} onBack={goBack}>
      {step === 'password' && <PasswordStep email={user.email} onSaved={save} />}
      {step === 'profile' && <ProfileStep user={user} onSaved={save} onPicture={async () => void (await askAgain())} />}
      {step === 'consent' && <ConsentStep known={user.consent} onSaved={save} onTooYoung={onTooYoung} />}
      {(step === 'first_step' || step === 'done') && (
        <FirstStep me={me} wanted={wanted} onFinish={onFinish} onFinished={async () => void (await askAgain())} />
      )}
    </SetupFrame>
  );
}

/** The step on the screen. Each is an entry of the browser's history, whose Back leads to the step before. */
function useStep({ setupStep }: Me) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const inHistory = setupSteps.find((one) => one === state?.step);
  const step = inHistory !== undefined && canGoTo(inHistory, setupStep) ? inHistory : setupStep;
  const show = (to: SetupStep, from: SetupStep, options: { replace: boolean }) =>
    navigate({ search }, { ...options, state: { step: to, from } });
  return {
    step,
    goOn: async (reached: SetupStep) => {
      const next = stepAfter(step, step);
      const to = canGoTo(next, reached) ? next : reached;
      // Nobody comes back to the password: it is changed later, not set again.
      if (step === 'password') return show(to, to, { replace: true });
      if (inHistory === undefined) await show(step, step, { replace: true });
      return show(to, step, { replace: false });
    },
    goBack: (before: SetupStep) =>
      state?.from === before ? void navigate(-1) : void show(before, before, { replace: true }),
  };
}

const canGoTo = (step: SetupStep, reached: SetupStep): boolean =>
  step === reached || (step !== 'password' && step !== 'done' && isStepOpen(step, reached));

/** Returns where the person wanted to go before the setup came in between; only a place of ours. Prerendering knows no address. */
function useWanted(): string | undefined {
  const [search] = useSearchParams();
  return safeReturnTo(search.get('returnTo'), window.location.origin);
}

const steps = setupSteps.slice(0, -1);
const titles: Record<SetupStep, string> = {
  password: 'Create your password',
  profile: 'How people know you',
  consent: 'A few things we need to ask',
  first_step: 'Choose your first step',
  done: 'Choose your first step',
};

function SetupFrame({
  step,
  me,
  onBack,
  children,
}: {
  step: SetupStep;
  me: Me;
  onBack: (step: SetupStep) => void;
  children: Elements;
}) {
  const signOut = useSignOut();
  const title = useRef<HTMLHeadingElement>(null);
  const at = Math.min(steps.indexOf(step === 'done' ? 'first_step' : step), steps.length - 1);
  // A password that is there is changed later, not set again.
  const before = steps[at - 1];
  const canGoBack = before !== undefined && before !== 'password';
  useEffect(() => {
    if (at > 0) title.current?.focus();
  }, [at]);
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-120 content-start gap-6 px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-16 md:pt-10">
      <header className="flex min-h-11 items-center justify-between gap-3">
        <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center">
          <Brand />
        </Link>
        <Button variant="bare" className="-mr-2.5" onClick={() => signOut()}>
          Sign out
        </Button>
      </header>
      <main id="main" className="grid gap-6">
        <div className="grid gap-2">
          <ProgressBar label={`Step ${at + 1} of ${steps.length}`} done={(at + 1) / steps.length} />
          <p className="text-13 text-quiet">{`Step ${at + 1} of ${steps.length}`}</p>
        </div>
        <h1 ref={title} tabIndex={-1} className="text-28 outline-none md:text-38">
          {titles[step]}
        </h1>
        {children}
        {canGoBack && me.setupStep !== 'done' && (
          <Button variant="bare" className="-ml-2.5 justify-self-start" onClick={() => onBack(before)}>
            Back
          </Button>
        )}
      </main>
    </div>
  );
}

/** The account is closed and erased. */
function TooYoung() {
  return (
    <main id="main" className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <h1 className="text-28 md:text-38">You must be 18 or older</h1>
      <p className="max-w-96 text-quiet">
        Your account has been closed. Everything you entered will be erased within 24 hours.
      </p>
      <ButtonLink to="/" variant="outline">
        Return to Home
      </ButtonLink>
    </main>
  );
}
