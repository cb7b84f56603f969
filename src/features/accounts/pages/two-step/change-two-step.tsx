import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { EnterPasskey, SecondFactorField } from '../../code-form.tsx';
import { SecondFactorCode } from '../../contract.ts';
import { secondFactor, useMe } from '../../guard.tsx';
import { FormFault } from '../auth-frame.tsx';
import { StepTitle } from './step-title.tsx';

const Change = z.object({ password: z.string().min(1, 'Enter your password'), code: SecondFactorCode });

interface Changed {
  password: string;
  /** Missing where a passkey was entered. */
  code?: string;
}

/** New backup codes in the place of those of before. */
export function RenewCodes({ onDone, onCancel }: { onDone: (codes: string[]) => Promise<void>; onCancel: () => void }) {
  const renew = async (input: Changed) => onDone((await secondFactor.renewBackupCodes.call(input)).backupCodes);
  return (
    <ChangeForm title="New backup codes" button="Make new codes" send={renew} onCancel={onCancel} takesPasskey>
      The codes you have now stop working.
    </ChangeForm>
  );
}

/** Back to the password alone. */
export function SwitchOff({ onDone, onCancel }: { onDone: () => Promise<void>; onCancel: () => void }) {
  const remove = async ({ password, code = '' }: Changed) => {
    await secondFactor.remove.call({ password, code });
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
  send: (input: Changed) => Promise<void>;
  /** A passkey may stand in for the code. */
  takesPasskey?: boolean;
  onCancel: () => void;
}

/** The password and a code: neither an open screen nor a phone alone changes it. */
function ChangeForm({ title, button, children, send, onCancel, takesPasskey = false }: ChangeFormProps) {
  const { me } = useMe();
  const { data } = useQuery(secondFactor.show.queryOptions());
  const [isEntered, setEntered] = useState(false);
  const form = useForm({
    shape: Change.extend({ code: isEntered ? z.string() : SecondFactorCode }),
    initial: { password: '', code: '' },
    send: ({ password, code }) => send(isEntered ? { password } : { password, code }),
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <StepTitle>{title}</StepTitle>
      <p className="text-quiet">{children}</p>
      <input type="hidden" name="username" autoComplete="username" value={me?.user?.email ?? ''} readOnly />
      <PasswordField label="Your password" {...form.text('password')} />
      {!isEntered && (
        <SecondFactorField key={String(data?.isOn)} isBackupOnly={data?.isOn === false} {...form.text('code')} />
      )}
      {!isEntered && takesPasskey && data?.hasPasskey && <EnterPasskey onDone={() => setEntered(true)} />}
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
