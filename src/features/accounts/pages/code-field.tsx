import { ORPCError } from '@orpc/client';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { useMe } from '../guard.tsx';
import { readDigits } from './read-digits.ts';

export const codeLength = 6;

export const Code = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'Enter the 6 digits'),
});

/** Six digits, offered by the keyboard of a phone that got the mail. What is pasted with them – spaces, words – is left out. */
export function CodeField({
  onChange,
  ...rest
}: {
  ref?: RefObject<HTMLInputElement | null>;
  name: string;
  value: string;
  hint?: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}) {
  return (
    <Field
      label="6-digit code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]*"
      {...rest}
      onChange={({ target }) => onChange({ target: { value: readDigits(target.value).slice(0, codeLength) } })}
    />
  );
}

/** Whoever asks for an email that was sent a moment ago goes on to its code. @throws any other error */
export function goOnIfSent(error: unknown): void {
  const isSent = error instanceof ORPCError && (error.data as { reason?: string } | undefined)?.reason === 'JUST_SENT';
  if (!isSent) throw error;
  toast.info({ title: 'Already sent', message: error.message });
}

const resendMs = 60_000;

/** Sends the mail once more, a minute after the last one. */
export function ResendButton({ onResend }: { onResend: () => Promise<{ resendAfterMs: number }> }) {
  const [leftSeconds, setLeft] = useState(resendMs / 1000);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setLeft((left) => Math.max(0, left - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  const resend = async () => {
    setBusy(true);
    try {
      const { resendAfterMs } = await onResend();
      setLeft(resendAfterMs / 1000);
      toast.info({ title: 'Sent again', message: 'Use the most recent email.' });
    } catch (error) {
      toast.error({ title: "Couldn't send the email", message: Object.values(faultsOf(error))[0] });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="bare" busy={isBusy} disabled={leftSeconds > 0} onClick={() => resend()}>
      {leftSeconds > 0 ? `Resend in ${leftSeconds} s` : 'Resend'}
    </Button>
  );
}

/** In a sandbox no mail leaves the machine: says where it lies. */
export function SandboxMail(): ReactNode {
  const { me } = useMe();
  if (me?.mode !== 'sandbox') return null;
  return (
    <p className="rounded-control border border-line bg-raised px-3.5 py-2.5 text-13 text-quiet">
      Sandbox: emails stay on this computer, in the{' '}
      <a
        href="/dev/outbox"
        target="_blank"
        rel="noreferrer"
        className="font-strong text-plum underline underline-offset-2"
      >
        outbox
      </a>
      .
    </p>
  );
}
