import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { FormFault } from './pages/auth-frame.tsx';
import { Code, CodeField, codeLength, type MailSent, ResendButton, SandboxMail } from './pages/code-field.tsx';

export { type MailSent, readJustSent } from './pages/code-field.tsx';
export { EnterPasskey } from './pages/passkeys/enter-passkey.tsx';

interface CodeFormProps {
  /** Sends the code; what it refuses stands under the field. */
  onCode: (input: { code: string }) => Promise<unknown>;
  /** In how long the first email can be followed by another one; left out where no answer told. */
  resendAfterMs: number | undefined;
  onResend: () => Promise<MailSent>;
  /** Above the field. */
  lead?: ReactNode;
  hint?: string;
  /** Beside the button that sends the email again: the way to another address. */
  other: Elements;
}

/** The code of an email. */
export function CodeForm({ onCode, resendAfterMs, onResend, lead, hint, other }: CodeFormProps) {
  const field = useRef<HTMLInputElement>(null);
  // The form before went away with the focus in it.
  useEffect(() => field.current?.focus(), []);
  const form = useForm({
    shape: Code,
    initial: { code: '' },
    send: async (input) => {
      await onCode(input);
    },
  });
  const { code } = form.values;
  // Whoever has typed or pasted the last digit has nothing left to decide.
  useEffect(() => {
    if (code.length === codeLength) field.current?.form?.requestSubmit();
  }, [code]);
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {lead && <p>{lead}</p>}
      <CodeField ref={field} {...(hint !== undefined && { hint })} {...form.text('code')} />
      <FormFault>{form.faults['']}</FormFault>
      <Button type="submit" size="large" busy={form.isBusy} disabled={code === ''}>
        Confirm
      </Button>
      <div className="-mx-2.5 flex flex-wrap justify-between gap-2">
        <ResendButton resendAfterMs={resendAfterMs} onResend={onResend} />
        {other}
      </div>
      <SandboxMail />
    </form>
  );
}

interface SecondFactorFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
  /** There is no app to take a code from. */
  isBackupOnly?: boolean;
}

/** A code of the app, or a backup code where the phone is not at hand. */
export function SecondFactorField({ onChange, isBackupOnly = false, ...rest }: SecondFactorFieldProps) {
  const [isBackup, setBackup] = useState(isBackupOnly);
  const turn = () => {
    setBackup(!isBackup);
    onChange({ target: { value: '' } });
  };
  return (
    <div className="grid gap-1">
      {isBackup ? (
        <Field
          key="backup"
          label="Backup code"
          hint="Each works once."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          {...rest}
          onChange={onChange}
        />
      ) : (
        <CodeField key="app" hint="From your authenticator app." {...rest} onChange={onChange} />
      )}
      {!isBackupOnly && (
        <Button variant="bare" className="-ml-2.5 justify-self-start" onClick={turn}>
          {isBackup ? 'Use a code from your app' : 'Use a backup code'}
        </Button>
      )}
    </div>
  );
}
