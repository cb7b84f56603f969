import type { ReactNode } from 'react';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { SecondFactorField } from '../../code-form.tsx';
import { SecondFactorCode } from '../../contract.ts';
import { passkeys, secondFactor, useMe } from '../../guard.tsx';
import { createPasskey } from '../../passkeys/in-browser.tsx';
import { type Passkey, PasskeyName } from '../../passkeys/passkeys-contract.ts';
import { FormFault } from '../auth-frame.tsx';
import { StepTitle } from '../two-step/step-title.tsx';
import { useFreshCode } from '../two-step/use-fresh-code.tsx';
import { EnterPasskey } from './enter-passkey.tsx';

interface FormProps {
  onDone: () => Promise<void>;
  onCancel: () => void;
}

/** The password first, then what the browser asks. */
export function AddPasskey({ onDone, onCancel }: { onDone: (codes: string[]) => Promise<void>; onCancel: () => void }) {
  const add = async (password: string) => {
    const credential = await createPasskey(await passkeys.begin.call({ password }));
    if (credential === undefined) return void toast.info({ title: 'No passkey was added' });
    const { backupCodes } = await passkeys.add.call({ credential });
    await onDone(backupCodes);
  };
  return (
    <WithPassword title="Add a passkey" button="Continue" send={add} onCancel={onCancel}>
      Your browser asks for your finger, face or PIN next.
    </WithPassword>
  );
}

export function RemovePasskey({ passkey, onDone, onCancel }: FormProps & { passkey: Passkey }) {
  const remove = async (password: string) => {
    await passkeys.remove.call({ passkeyId: passkey.id, password });
    await onDone();
    toast.success({ title: 'Passkey removed' });
  };
  return (
    <WithPassword title={`Remove ${passkey.name}`} button="Remove" send={remove} onCancel={onCancel}>
      It no longer signs you in. Remove it on your device as well.
    </WithPassword>
  );
}

const Proven = z.object({ password: z.string().min(1, 'Enter your password') });

interface WithPasswordProps {
  title: string;
  button: string;
  children: ReactNode;
  send: (password: string) => Promise<void>;
  onCancel: () => void;
}

/** The password and, where there is a second factor, a code or a passkey. */
function WithPassword({ title, button, children, send, onCancel }: WithPasswordProps) {
  const { me } = useMe();
  const fresh = useFreshCode();
  const form = useForm({
    shape: Proven.extend({ code: fresh.isAsked ? SecondFactorCode : z.string() }),
    initial: { password: '', code: '' },
    send: async ({ password, code }) => {
      if (fresh.isAsked) {
        await secondFactor.enter.call({ code });
        fresh.noteEntered();
      }
      await send(password);
    },
    onFault: (_faults, error) => fresh.noteFault(error),
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <StepTitle>{title}</StepTitle>
      <p className="text-quiet">{children}</p>
      <input type="hidden" name="username" autoComplete="username" value={me?.user?.email ?? ''} readOnly />
      <PasswordField label="Your password" {...form.text('password')} />
      {fresh.isAsked && <SecondFactorField {...form.text('code')} />}
      {fresh.isAsked && fresh.hasPasskey && <EnterPasskey onDone={fresh.noteEntered} />}
      <FormFault>{form.faults['']}</FormFault>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={form.isBusy}>
          {button}
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** A name by which its owner knows it. */
export function RenamePasskey({ passkey, onDone, onCancel }: FormProps & { passkey: Passkey }) {
  const form = useForm({
    shape: z.object({ name: PasskeyName }),
    initial: { name: passkey.name },
    send: async ({ name }) => {
      await passkeys.rename.call({ passkeyId: passkey.id, name });
      await onDone();
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <StepTitle>Name this passkey</StepTitle>
      <Field label="Name" {...form.text('name')} />
      <FormFault>{form.faults['']}</FormFault>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={form.isBusy}>
          Save
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
