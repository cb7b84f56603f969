import { ORPCError } from '@orpc/client';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { useForm } from '#ui/forms/use-form.tsx';
import { SecondFactorField } from '../../code-form.tsx';
import { SecondFactorCode } from '../../contract.ts';
import { secondFactor } from '../../guard.tsx';
import { AuthFrame, FormFault } from '../auth-frame.tsx';
import { SignInPasskey } from '../passkeys/sign-in-passkey.tsx';

interface SignInCodeProps {
  /** What the first step of signing in gave. */
  challenge: string;
  /** There is no app to take a code from. */
  isPasskeyOnly: boolean | undefined;
  onDone: (signedIn: { isAccountKept?: boolean | undefined }) => Promise<void>;
  /** Back to the first step. */
  onBack: () => void;
}

/** The second step of signing in. */
export function SignInCode({ challenge, isPasskeyOnly = false, onDone, onBack }: SignInCodeProps) {
  const ref = useRef<HTMLFormElement>(null);
  // The form before it, with what had the focus, is gone.
  useEffect(() => ref.current?.querySelector('input')?.focus(), []);
  const form = useForm({
    shape: z.object({ code: SecondFactorCode }),
    initial: { code: '' },
    send: async ({ code }) => {
      await onDone(await secondFactor.signIn.call({ challenge, code }));
    },
    onFault: (faults, error) => {
      if (!(error instanceof ORPCError) || error.code !== 'GONE') return;
      toast.error({ title: 'Sign in again', message: faults[''] });
      onBack();
    },
  });
  return (
    <AuthFrame
      title={isPasskeyOnly ? 'Use your passkey' : 'Enter your code'}
      text={
        isPasskeyOnly ? 'One more step: your passkey, or a backup code.' : 'One more step: the code from your phone.'
      }
    >
      <SignInPasskey onDone={onDone} />
      <form ref={ref} onSubmit={form.submit} noValidate className="grid gap-4">
        <SecondFactorField isBackupOnly={isPasskeyOnly} {...form.text('code')} />
        <FormFault>{form.faults['']}</FormFault>
        <Button type="submit" size="large" busy={form.isBusy}>
          Sign In
        </Button>
        <Button variant="bare" className="justify-self-center" onClick={onBack}>
          Back to Sign In
        </Button>
      </form>
      <LostPhone />
    </AuthFrame>
  );
}

function LostPhone() {
  return (
    <details className="rounded-control border border-line bg-raised px-3.5 text-quiet">
      <summary className="min-h-11 cursor-pointer content-center font-strong text-ink">Lost your phone?</summary>
      <p className="pb-3.5">
        Use one of your backup codes. If you have none left,{' '}
        <Link to="/contact" className="font-strong text-plum underline underline-offset-2">
          write to us
        </Link>
        . Once we're sure it's you, we switch two-step sign-in off and email you.
      </p>
    </details>
  );
}
