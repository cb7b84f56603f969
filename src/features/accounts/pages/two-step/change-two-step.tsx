import type { ReactNode } from 'react';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { SecondFactorField } from '../../code-form.tsx';
import { SecondFactorCode } from '../../contract.ts';
import { secondFactor, useMe } from '../../guard.tsx';
import { FormFault } from '../auth-frame.tsx';
import { StepTitle } from './step-title.tsx';

const Change = z.object({ password: z.string().min(1, 'Enter your password'), code: SecondFactorCode });

/** New backup codes in the place of those of before. */
export function RenewCodes({ onDone, onCancel }: { onDone: (codes: string[]) => Promise<void>; onCancel: () => void }) {
  const renew = async (input: z.output<typeof Change>) =>
    onDone((await secondFactor.renewBackupCodes.call(input)).backupCodes);
  return (
    <ChangeForm title="New backup codes" button="Make new codes" send={renew} onCancel={onCancel}>
      The codes you have now stop working.
    </ChangeForm>
  );
}

/** Back to the password alone. */
export function SwitchOff({ onDone, onCancel }: { onDone: () => Promise<void>; onCancel: () => void }) {
  const remove = async (input: z.output<typeof Change>) => {
    await secondFactor.remove.call(input);
    await onDone();
    toast.success({ title: 'Two-step sign-in is off' });
  };
  return (
    <ChangeForm title="Switch off two-step sign-in" button="Switch off" send={remove} onCancel={onCancel}>
      Your password alone will let you in, and you can't open your payout account until you set it up again.
    </ChangeForm>
  );
}

interface ChangeFormProps {
  title: string;
  button: string;
  children: ReactNode;
  send: (input: z.output<typeof Change>) => Promise<void>;
  onCancel: () => void;
}

/** The password and a code: neither an open screen nor a phone alone changes it. */
function ChangeForm({ title, button, children, send, onCancel }: ChangeFormProps) {
  const { me } = useMe();
  const form = useForm({ shape: Change, initial: { password: '', code: '' }, send });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <StepTitle>{title}</StepTitle>
      <p className="text-quiet">{children}</p>
      <input type="hidden" name="username" autoComplete="username" value={me?.user?.email ?? ''} readOnly />
      <PasswordField label="Your password" {...form.text('password')} />
      <SecondFactorField {...form.text('code')} />
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
