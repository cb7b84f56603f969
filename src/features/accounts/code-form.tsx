import { type ReactNode, useEffect, useRef } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { FormFault } from './pages/auth-frame.tsx';
import { Code, CodeField, codeLength, type MailSent, ResendButton, SandboxMail } from './pages/code-field.tsx';

export { type MailSent, readJustSent } from './pages/code-field.tsx';

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
