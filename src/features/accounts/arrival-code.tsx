import { useEffect, useRef } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/button.tsx';
import { useForm } from '#ui/use-form.tsx';
import { accounts, useMe } from './guard.tsx';
import { FormFault } from './pages/auth-frame.tsx';
import { Code, CodeField, ResendButton, SandboxMail } from './pages/check-email.tsx';

const codeLength = 6;

/** The code of the email that confirms an address; right when it is typed, it signs this browser in. */
export function ArrivalCode({
  onResend,
  onDone,
  other,
}: {
  onResend: () => Promise<{ resendAfterMs: number }>;
  onDone: () => unknown;
  /** Beside it: the way to another address. */
  other: Elements;
}) {
  const { askAgain } = useMe();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const form = useForm({
    shape: Code,
    initial: { code: '' },
    send: async (input) => {
      await accounts.confirm.call(input);
      await askAgain();
      await onDone();
    },
  });
  const { code } = form.values;
  useEffect(() => {
    if (code.length === codeLength) field.current?.form?.requestSubmit();
  }, [code]);
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <CodeField ref={field} {...form.text('code')} />
      <FormFault>{form.faults['']}</FormFault>
      <Button type="submit" size="large" busy={form.isBusy} disabled={code === ''}>
        Confirm
      </Button>
      <div className="-mx-2.5 flex flex-wrap justify-between gap-2">
        <ResendButton onResend={onResend} />
        {other}
      </div>
      <SandboxMail />
    </form>
  );
}
