import { Lock, LogOut } from 'lucide-react';
import * as z from 'zod';
import { Brand } from '#ui/brand.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Pin } from '../contract.ts';
import { PinField } from './pin-field.tsx';

interface LockScreenProps {
  onPin: (pin: string) => Promise<void>;
  onSignOut: () => Promise<void>;
}

/** What stands in place of every page of a locked session: the PIN, or the way out. Nothing of the account is on it. */
export function LockScreen({ onPin, onSignOut }: LockScreenProps) {
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
    <main
      id="main"
      className="mx-auto grid min-h-dvh max-w-88 content-center justify-items-center gap-6 p-5 text-center"
    >
      <Brand />
      <span className="grid size-14 place-items-center rounded-full bg-plum-wash text-plum">
        <Lock className="size-6" aria-hidden="true" />
      </span>
      <h1 className="text-28">Locked</h1>
      <form onSubmit={form.submit} noValidate className="grid w-full gap-4 text-left">
        <PinField label="PIN" {...form.text('pin')} error={form.faults.pin ?? form.faults['']} />
        <Button type="submit" size="large" busy={form.isBusy}>
          Unlock
        </Button>
      </form>
      <Button variant="bare" icon={LogOut} onClick={() => onSignOut()}>
        Sign out
      </Button>
    </main>
  );
}
