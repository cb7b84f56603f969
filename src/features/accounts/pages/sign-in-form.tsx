import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { type Faults, useForm } from '#ui/forms/use-form.tsx';
import { Email } from '../contract.ts';
import { accounts } from '../guard.tsx';
import { AuthFrame, FormFault } from './auth-frame.tsx';
import { needCookies } from './cookies.tsx';
import { describeFailedSignIn } from './failure-words.ts';
import { SignInPasskey } from './passkeys/sign-in-passkey.tsx';
import { SignInCode } from './two-step/sign-in-code.tsx';

const SignIn = z.object({ email: Email, password: z.string().min(1, 'Enter your password') });

/** A malformed address is told in a notice and nothing is sent; so is a refusal. */
const describeFault = (faults: Faults, error?: unknown) => {
  if (error !== undefined) toast.error(describeFailedSignIn(error, Object.values(faults)[0]));
  else if (faults.email !== undefined) toast.error({ title: 'Invalid Email', message: faults.email });
};

/** Said to whoever comes by the email about the deletion of their account. */
const keptWords =
  'If your account is being deleted, signing in keeps it: your albums, your settings and the links that worked come back. Subscriptions to you that ended do not, and your plan stays cancelled.';

interface Challenge {
  challenge: string;
  isPasskeyOnly: boolean | undefined;
}

/** E-mail and password of somebody who has been here before. */
export function SignInForm({ email, onDone }: { email: string; onDone: () => Promise<void> }) {
  const [challenge, setChallenge] = useState<Challenge>();
  const [search] = useSearchParams();
  const done = async ({ isAccountKept }: { isAccountKept?: boolean | undefined }) => {
    await onDone();
    // What went wrong before is over.
    toast.clear();
    toast.success({
      title: 'Welcome back!',
      message: isAccountKept
        ? 'Your account stays, and your links work again. Subscriptions to you and your plan are not renewed.'
        : "You've successfully signed in.",
      spoken: 'Successfully signed in',
      goesAlong: true,
    });
  };
  const form = useForm({
    shape: SignIn,
    initial: { email, password: '' },
    send: async (input) => {
      needCookies();
      const { challenge: next, isAccountKept, isPasskeyOnly } = await accounts.signIn.call(input);
      if (next === undefined) return done({ isAccountKept });
      toast.clear();
      setChallenge({ challenge: next, isPasskeyOnly });
    },
    onFault: describeFault,
  });
  const goBack = () => {
    form.set('password', '');
    setChallenge(undefined);
  };
  if (challenge !== undefined) return <SignInCode {...challenge} onDone={done} onBack={goBack} />;
  return (
    <AuthFrame
      title="Welcome Back"
      text={search.get('action') === 'keep' ? keptWords : 'Sign in to your private albums.'}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="Email" type="email" autoComplete="username webauthn" inputMode="email" {...form.text('email')} />
        <PasswordField label="Password" {...form.text('password')} />
        <FormFault isAnnounced>{form.faults['']}</FormFault>
        <Button type="submit" size="large" busy={form.isBusy}>
          Sign In
        </Button>
        <SignInPasskey isOffered onDone={done} />
        <div className="grid justify-items-center gap-1">
          <QuietLink to="/auth?action=forgot">Forgot your password?</QuietLink>
          <QuietLink to="/auth?action=signup">New user? Start Free Trial</QuietLink>
        </div>
      </form>
    </AuthFrame>
  );
}

/** The address of another of these forms; where the person wanted to go goes along. */
export function alongTo(to: string, search: URLSearchParams): string {
  const returnTo = search.get('returnTo');
  return returnTo === null ? to : `${to}${to.includes('?') ? '&' : '?'}returnTo=${encodeURIComponent(returnTo)}`;
}

/** A way to another of these forms. */
export function QuietLink({ to, children }: { to: string; children: string }) {
  const [search] = useSearchParams();
  return (
    <Link
      to={alongTo(to, search)}
      className="inline-flex min-h-11 items-center rounded-control px-2.5 font-strong text-plum hover:bg-plum-wash"
    >
      {children}
    </Link>
  );
}
