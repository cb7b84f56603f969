import { ORPCError } from '@orpc/client';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { cx } from '#ui/cx.ts';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { faultsOf, useForm } from '#ui/forms/use-form.tsx';
import { Email, Password } from '../contract.ts';
import { accounts } from '../guard.tsx';
import { describeInvitationEnded } from '../invitation-ended.tsx';
import { AuthFrame, FormFault } from './auth-frame.tsx';
import { Code, CodeField, goOnIfSent, ResendButton, readResendMs, SandboxMail } from './code-field.tsx';
import { needCookies } from './cookies.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { alongTo, QuietLink } from './sign-in-form.tsx';
import { SignInCode } from './two-step/sign-in-code.tsx';

const isOtherBrowser = (error: unknown) =>
  error instanceof ORPCError && (error.data as { reason?: string } | undefined)?.reason === 'OTHER_BROWSER';

/** Returns whether the server has looked at the link and will never take it; anything else may be tried again. */
const isRefusal = (error: unknown) =>
  error instanceof ORPCError && (error.code === 'GONE' || error.code === 'VALIDATION');

/** The page of a mailed confirmation link: opening it does nothing, its button spends the link (mail scanners open links too). */
export function ConfirmLink({ token, onDone }: { token: string | undefined; onDone: () => Promise<void> }) {
  const [state, setState] = useState<'asked' | 'busy' | 'other_browser' | { refusal: string }>(
    token === undefined ? { refusal: 'This link is incomplete.' } : 'asked',
  );
  const [fault, setFault] = useState<string>();
  const confirm = async () => {
    if (token === undefined) return;
    setState('busy');
    setFault(undefined);
    try {
      needCookies();
      const { hasInvitationEnded } = await accounts.confirm.call({ token });
      await onDone();
      if (hasInvitationEnded) describeInvitationEnded();
    } catch (error) {
      if (isOtherBrowser(error)) return setState('other_browser');
      const [words = ''] = Object.values(faultsOf(error));
      if (isRefusal(error)) return setState({ refusal: words });
      setState('asked');
      setFault(words);
    }
  };
  if (state === 'other_browser') return <OtherBrowser />;
  if (typeof state === 'object')
    return (
      <AuthFrame title="This link doesn't work" text={state.refusal}>
        <ButtonLink to="/auth?action=signup" size="large">
          Ask for a new link
        </ButtonLink>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Confirm your email" text="One tap to continue setting up your account.">
      <Button size="large" icon={MailCheck} busy={state === 'busy'} onClick={() => confirm()}>
        Confirm my email
      </Button>
      <FormFault>{fault}</FormFault>
    </AuthFrame>
  );
}

/** Nothing was spent: the link still works where it was asked for. */
function OtherBrowser() {
  return (
    <AuthFrame
      title="Enter the code where you started"
      text="This link was requested in another browser. Go back there and enter the 6-digit code from the same email. The link still works there."
    >
      <div className="grid justify-items-center">
        <QuietLink to="/auth">Sign in here instead</QuietLink>
      </div>
    </AuthFrame>
  );
}

/** Forgotten password: mails a link and a code; the answer is the same for every address. */
export function ForgotForm({ email: known }: { email: string }) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const form = useForm({
    shape: z.object({ email: Email }),
    initial: { email: known },
    send: async ({ email }) => {
      needCookies();
      const sent = await accounts.askForPassword.call({ email }).catch(goOnIfSent);
      const next = `/auth?action=set-password&email=${encodeURIComponent(email)}`;
      await navigate(alongTo(next, search), { state: { isSent: true, ...sent } });
    },
    onFault: (faults, error) => {
      if (error === undefined && faults.email) toast.error({ title: 'Invalid Email', message: faults.email });
    },
  });
  return (
    <AuthFrame title="Forgot your password?" text="We'll email you a link and a code to set a new one.">
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="Email" type="email" autoComplete="username" inputMode="email" {...form.text('email')} />
        <FormFault>{form.faults['']}</FormFault>
        <Button type="submit" size="large" busy={form.isBusy}>
          Send me a link
        </Button>
        <div className="grid justify-items-center">
          <QuietLink to="/auth">Back to Sign In</QuietLink>
        </div>
      </form>
    </AuthFrame>
  );
}

interface SetPasswordProps {
  email: string;
  /** Of the mailed link; without one the code is asked for. */
  token: string | undefined;
  onDone: () => Promise<void>;
}

/** "Create Your Password": by the mailed link or code, never by the address alone. */
export function SetPasswordForm({ email, token, onDone }: SetPasswordProps) {
  const { state, search } = useLocation();
  const navigate = useNavigate();
  const [isOther, setOther] = useState(false);
  const [challenge, setChallenge] = useState<{ challenge: string; isPasskeyOnly: boolean | undefined }>();
  // In the browser's history, so that a reload asks for the code again.
  const hasMail = state?.isSent === true;
  const needsCode = token === undefined;
  const form = useForm({
    shape: z.object({ password: Password, code: needsCode ? Code.shape.code : z.string() }),
    initial: { code: '', password: '' },
    send: async ({ code, password }) => {
      const proof = token === undefined ? { code } : { token };
      const { challenge: next, isPasskeyOnly } = await accounts.setPassword.call({ proof, password });
      if (next === undefined) await onDone();
      else setChallenge({ challenge: next, isPasskeyOnly });
      toast.success({ title: 'Password saved', message: 'Every other device was signed out.', goesAlong: true });
    },
    onFault: (_faults, error) => setOther(isOtherBrowser(error)),
  });
  const ask = () => accounts.askForPassword.call({ email });
  const askFirst = async () => {
    needCookies();
    const sent = await ask().catch(goOnIfSent);
    await navigate({ search }, { replace: true, state: { isSent: true, ...sent } });
  };
  const goBack = () => navigate(alongTo('/auth', new URLSearchParams(search)));
  if (challenge !== undefined) return <SignInCode {...challenge} onDone={onDone} onBack={() => void goBack()} />;
  if (isOther) return <OtherBrowser />;
  if (needsCode && !hasMail) return <AskForLink email={email} onAsk={askFirst} />;
  return (
    <AuthFrame
      title="Create Your Password"
      text={needsCode ? `We sent a link and a code to ${email}.` : `For ${email}.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {needsCode && <CodeField {...form.text('code')} />}
        <NewPasswordField label="New password" email={email} {...form.text('password')} />
        <FormFault>{form.faults['']}</FormFault>
        <Button type="submit" size="large" busy={form.isBusy}>
          Save password
        </Button>
        <div className={cx('flex flex-wrap gap-2', needsCode ? 'justify-between' : 'justify-center')}>
          {needsCode && <ResendButton resendAfterMs={readResendMs(state)} onResend={ask} />}
          <QuietLink to="/auth">Back to Sign In</QuietLink>
        </div>
        {needsCode && <SandboxMail />}
      </form>
    </AuthFrame>
  );
}

function AskForLink({ email, onAsk }: { email: string; onAsk: () => Promise<unknown> }) {
  const form = useForm({
    shape: z.object({ email: Email }),
    initial: { email },
    send: async () => void (await onAsk()),
  });
  return (
    <AuthFrame
      title="Create Your Password"
      text={
        email === ''
          ? "We'll email you a link and a code first."
          : `For ${email}. We'll email you a link and a code first.`
      }
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <FormFault>{form.faults.email ?? form.faults['']}</FormFault>
        <Button type="submit" size="large" busy={form.isBusy}>
          Send me a link
        </Button>
        <div className="grid justify-items-center">
          <QuietLink to="/auth">Back to Sign In</QuietLink>
        </div>
      </form>
    </AuthFrame>
  );
}
