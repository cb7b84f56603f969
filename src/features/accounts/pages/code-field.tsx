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

/** What whoever asked for an email is told. */
export interface MailSent {
  /** In how long another one can be asked for. */
  resendAfterMs: number;
}

/** Of an email that was sent a moment ago, so that no other one is: its code still works. @throws any other error */
export function readJustSent(error: unknown): MailSent {
  const data = error instanceof ORPCError ? (error.data as { reason?: string; retryAfter?: number } | undefined) : {};
  if (data?.reason !== 'JUST_SENT') throw error;
  return { resendAfterMs: (data.retryAfter ?? 0) * 1000 };
}

/** Whoever asks for an email that was sent a moment ago goes on to its code. @throws any other error */
export function goOnIfSent(error: unknown): MailSent {
  const sent = readJustSent(error);
  toast.info({ title: 'Already sent', message: error instanceof Error ? error.message : '' });
  return sent;
}

/** The time of `MailSent`, out of what a page keeps in the browser's history. */
export function readResendMs(state: { resendAfterMs?: unknown } | null): number | undefined {
  const kept = state?.resendAfterMs;
  return typeof kept === 'number' ? kept : undefined;
}

/** What the setting says unless somebody changes it: for a page that came without the answer that tells. Too soon is refused anyway. */
const usualResendMs = 60_000;

interface ResendButtonProps {
  /** In how long the first email can be followed by another one, as its answer said. */
  resendAfterMs: number | undefined;
  onResend: () => Promise<MailSent>;
}

/** Sends the mail once more, some time after the last one. */
export function ResendButton({ resendAfterMs: firstMs = usualResendMs, onResend }: ResendButtonProps) {
  const [leftSeconds, setLeft] = useState(Math.ceil(firstMs / 1000));
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setLeft((left) => Math.max(0, left - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  const resend = async () => {
    setBusy(true);
    try {
      const { resendAfterMs } = await onResend();
      setLeft(Math.ceil(resendAfterMs / 1000));
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
