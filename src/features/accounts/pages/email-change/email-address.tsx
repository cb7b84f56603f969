import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { CodeForm, SecondFactorField } from '../../code-form.tsx';
import { Email, SecondFactorCode } from '../../contract.ts';
import { emailChange, secondFactor, useMe } from '../../guard.tsx';
import { FormFault } from '../auth-frame.tsx';
import { goOnIfSent, type MailSent } from '../code-field.tsx';
import { EnterPasskey } from '../passkeys/enter-passkey.tsx';
import { useFreshCode } from '../two-step/use-fresh-code.tsx';

/** The address of an account: another one by the password, and by the code that is mailed there. */
export function EmailAddress() {
  const { me, askAgain } = useMe();
  const queries = useQueryClient();
  const { data, isPending, isError, refetch } = useQuery(emailChange.show.queryOptions());
  const [sent, setSent] = useState<MailSent>();
  const [isTyping, setTyping] = useState(false);
  const lookAgain = () => queries.invalidateQueries({ queryKey: emailChange.show.key() });
  const began = async (mail: MailSent) => {
    setSent(mail);
    await lookAgain();
    setTyping(false);
  };
  const changed = async () => {
    await Promise.all([lookAgain(), askAgain()]);
    toast.success({ title: 'Address changed', message: 'Sign in with the new one from now on.' });
  };
  const pendingEmail = data?.pendingEmail ?? undefined;
  const isAsked = pendingEmail !== undefined && !isTyping;
  return (
    <section>
      <SectionHeader title="Email address" />
      <Card className="grid gap-4">
        <p className="wrap-anywhere">{me?.user?.email}</p>
        {isPending && <SkeletonRows rows={1} label="Loading your address" />}
        {isError && <ErrorState onRetry={() => void refetch()} />}
        {data?.undoExpiresAt && <CanBeUndone at={data.undoExpiresAt} now={me?.now} />}
        {isAsked && (
          <NewAddressCode email={pendingEmail} sent={sent} onDone={changed} onOther={() => setTyping(true)} />
        )}
        {data && !data.undoExpiresAt && !isAsked && !isTyping && (
          <Button variant="outline" className="justify-self-start" onClick={() => setTyping(true)}>
            Change address
          </Button>
        )}
        {isTyping && <NewAddress onSent={began} onCancel={() => setTyping(false)} />}
      </Card>
    </section>
  );
}

function CanBeUndone({ at, now }: { at: Date; now: Date | undefined }) {
  const day = formatDate(at, now ?? at);
  return (
    <p className="text-quiet">
      {`Until ${day}, the change can be undone from your old address. After that, you can change it again.`}
    </p>
  );
}

const NewOne = z.object({ email: Email, password: z.string().min(1, 'Enter your password') });

interface NewAddressProps {
  onSent: (mail: MailSent) => Promise<void>;
  onCancel: () => void;
}

function NewAddress({ onSent, onCancel }: NewAddressProps) {
  const { me } = useMe();
  const fresh = useFreshCode();
  const { isAsked } = fresh;
  const ref = useRef<HTMLFormElement>(null);
  // The button that led here is gone, and the focus with it.
  useEffect(() => ref.current?.querySelector('input')?.focus(), []);
  const form = useForm({
    shape: NewOne.extend({ code: isAsked ? SecondFactorCode : z.string() }),
    initial: { email: '', password: '', code: '' },
    send: async ({ email, password, code }) => {
      if (isAsked) {
        await secondFactor.enter.call({ code });
        fresh.noteEntered();
      }
      await onSent(await emailChange.begin.call({ email, password }).catch(goOnIfSent));
    },
    onFault: (_faults, error) => fresh.noteFault(error),
  });
  return (
    <form ref={ref} onSubmit={form.submit} noValidate className="grid gap-4 border-t border-line pt-4">
      <Field label="New email" type="email" autoComplete="email" inputMode="email" {...form.text('email')} />
      <input type="hidden" name="username" autoComplete="username" value={me?.user?.email ?? ''} readOnly />
      <PasswordField label="Your password" {...form.text('password')} />
      {isAsked && <SecondFactorField {...form.text('code')} />}
      {isAsked && fresh.hasPasskey && <EnterPasskey onDone={fresh.noteEntered} />}
      <FormFault>{form.faults['']}</FormFault>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={form.isBusy}>
          Send a code
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface NewAddressCodeProps {
  email: string;
  /** What the answer to the form said; missing after a reload. */
  sent: MailSent | undefined;
  onDone: () => Promise<void>;
  onOther: () => void;
}

function NewAddressCode({ email, sent, onDone, onOther }: NewAddressCodeProps) {
  const confirm = async ({ code }: { code: string }) => {
    await emailChange.confirm.call({ code });
    await onDone();
  };
  return (
    <div className="border-t border-line pt-4">
      <CodeForm
        lead={`We sent a code to ${email}. Until you enter it, your address stays as it is.`}
        onCode={confirm}
        resendAfterMs={sent?.resendAfterMs}
        onResend={() => emailChange.resend.call({})}
        other={
          <Button variant="bare" onClick={onOther}>
            Another address
          </Button>
        }
      />
    </div>
  );
}
