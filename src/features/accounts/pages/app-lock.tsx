import { Lock } from 'lucide-react';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PinField } from '../app-lock/pin-field.tsx';
import { Pin } from '../contract.ts';
import { accounts, useMe } from '../guard.tsx';
import { pinTriesMax } from '../rules.ts';
import { FormFault } from './auth-frame.tsx';

const password = z.string().min(1, 'Enter your password');

/** Sets, changes and takes away the PIN; each by the password, which whoever holds the phone does not know. */
export function AppLock() {
  const { me, askAgain } = useMe();
  if (!me?.user) return null;
  const changed = async () => void (await askAgain());
  return (
    <Card className="grid gap-5">
      <p className="text-quiet">
        {`With a PIN, the app closes after a minute out of sight, on every device where you're signed in. The server checks it: after ${pinTriesMax} wrong tries you sign in again.`}
      </p>
      {me.user.hasAppLock ? <IsOn onChanged={changed} /> : <SetPin onChanged={changed} />}
    </Card>
  );
}

function SetPin({ onChanged }: { onChanged: () => Promise<void> }) {
  const form = useForm({
    shape: z.object({ pin: Pin, password }),
    initial: { pin: '', password: '' },
    send: async (input) => {
      await accounts.setAppLock.call(input);
      await onChanged();
      toast.success({ title: 'App lock is on' });
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <PinField label="New PIN" hint="4 to 8 digits" {...form.text('pin')} />
      <PasswordField label="Your password" {...form.text('password')} />
      <FormFault>{form.faults['']}</FormFault>
      <Button type="submit" icon={Lock} busy={form.isBusy} className="justify-self-start">
        Turn on app lock
      </Button>
    </form>
  );
}

function IsOn({ onChanged }: { onChanged: () => Promise<void> }) {
  const form = useForm({
    shape: z.object({ password }),
    initial: { password: '' },
    send: async (input) => {
      await accounts.removeAppLock.call(input);
      await onChanged();
      toast.success({ title: 'App lock is off' });
    },
  });
  const lockNow = async () => {
    await accounts.leaveApp.call({ lockNow: true });
    // Nothing of the page stays.
    window.location.reload();
  };
  return (
    <>
      <Button variant="outline" icon={Lock} className="justify-self-start" onClick={lockNow}>
        Lock now
      </Button>
      <form onSubmit={form.submit} noValidate className="grid gap-5 border-t border-line pt-5">
        <PasswordField
          label="Your password"
          hint="To choose another PIN, or if you've forgotten it, turn the lock off first."
          {...form.text('password')}
        />
        <FormFault>{form.faults['']}</FormFault>
        <Button type="submit" variant="outline" busy={form.isBusy} className="justify-self-start">
          Turn off app lock
        </Button>
      </form>
    </>
  );
}
