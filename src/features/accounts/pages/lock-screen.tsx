import { Lock, LogOut } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { Brand } from '#ui/brand.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { PinField } from '../app-lock/pin-field.tsx';
import { Pin } from '../contract.ts';
import { FormFault } from './auth-frame.tsx';
import { StepTitle } from './two-step/step-title.tsx';

interface LockScreenProps {
  onPin: (pin: string) => Promise<void>;
  onReset: (input: { password: string; pin: string }) => Promise<void>;
  onSignInAgain: () => Promise<void>;
  onSignOut: () => Promise<void>;
}

/** What stands in place of every page of a locked session: the PIN, or the way out. Nothing of the account is on it. */
export function LockScreen({ onPin, onReset, onSignInAgain, onSignOut }: LockScreenProps) {
  const [isForgotten, setForgotten] = useState(false);
  return (
    <main
      id="main"
      className="mx-auto grid min-h-dvh max-w-88 content-center justify-items-center gap-6 p-5 text-center"
    >
      <Brand />
      <span className="grid size-14 place-items-center rounded-full bg-plum-wash text-plum">
        <Lock className="size-6" aria-hidden="true" />
      </span>
      <h1 className="text-28">Locked</h1>
      {isForgotten ? (
        <NewPin onReset={onReset} onSignInAgain={onSignInAgain} onBack={() => setForgotten(false)} />
      ) : (
        <>
          <EnterPin onPin={onPin} />
          <div className="grid justify-items-center gap-1">
            <Button variant="bare" onClick={() => setForgotten(true)}>
              Forgot your PIN?
            </Button>
            <Button variant="bare" icon={LogOut} onClick={() => onSignOut()}>
              Sign out
            </Button>
          </div>
        </>
      )}
    </main>
  );
}

function EnterPin({ onPin }: Pick<LockScreenProps, 'onPin'>) {
  const form = useForm({
    shape: z.object({ pin: Pin }),
    initial: { pin: '' },
    send: async ({ pin }) => {
      try {
        await onPin(pin);
      } finally {
        form.reset();
      }
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid w-full gap-4 text-left">
      <PinField label="PIN" {...form.text('pin')} error={form.faults.pin ?? form.faults['']} />
      <Button type="submit" size="large" busy={form.isBusy}>
        Unlock
      </Button>
    </form>
  );
}

const Reset = z.object({ password: z.string().min(1, 'Enter your password'), pin: Pin });

/** Another PIN by the password; signing in again is the way without it, and where it takes a second step. */
function NewPin({
  onReset,
  onSignInAgain,
  onBack,
}: Pick<LockScreenProps, 'onReset' | 'onSignInAgain'> & { onBack: () => void }) {
  const form = useForm({ shape: Reset, initial: { password: '', pin: '' }, send: onReset });
  return (
    <>
      <form onSubmit={form.submit} noValidate className="grid w-full gap-4 text-left">
        <StepTitle>Choose another PIN</StepTitle>
        <PasswordField label="Your password" {...form.text('password')} />
        <PinField label="New PIN" hint="4 to 8 digits" {...form.text('pin')} />
        <FormFault>{form.faults['']}</FormFault>
        <Button type="submit" size="large" busy={form.isBusy}>
          Set PIN and unlock
        </Button>
      </form>
      <div className="grid justify-items-center gap-1">
        <Button variant="bare" onClick={() => onSignInAgain()}>
          Sign in again instead
        </Button>
        <Button variant="bare" onClick={onBack}>
          Back
        </Button>
      </div>
    </>
  );
}
