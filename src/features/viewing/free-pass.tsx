import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import * as z from 'zod';
import { CodeForm, type MailSent } from '#features/accounts/code-form.tsx';
import { Email } from '#features/accounts/contract.ts';
import { InvitationEnded } from '#features/accounts/invitation-ended.tsx';
import { formatCount, isolate } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';
import { Field } from '#ui/forms/field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';
import type { Pass, TakenPass } from './passes-contract.ts';
import { viewing } from './viewing-calls.tsx';

const hasEnded = (error: unknown): boolean =>
  error instanceof ORPCError &&
  error.code === 'GONE' &&
  (error.data as { reason?: string } | undefined)?.reason !== 'CODE';

/** A free pass: shows what it gives, and takes nothing until an address is confirmed. */
export function PassPage() {
  const { token = '' } = useParams();
  const [taken, setTaken] = useState<TakenPass>();
  const [isOver, setOver] = useState(false);
  const query = useQuery(viewing.pass.queryOptions({ input: { token }, staleTime: Number.POSITIVE_INFINITY }));
  if (taken !== undefined) return <Taken taken={taken} />;
  if (isOver || hasEnded(query.error)) return <InvitationEnded />;
  if (query.isError)
    return (
      <main id="main" className="mx-auto grid min-h-dvh max-w-110 content-center p-5">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </main>
    );
  if (query.data === undefined) return <FullSpinner text="Loading app..." />;
  return <Offered pass={query.data} token={token} onTaken={setTaken} onOver={() => setOver(true)} />;
}

interface OfferedProps {
  pass: Pass;
  token: string;
  onTaken: (taken: TakenPass) => void;
  onOver: () => void;
}

function Offered({ pass, token, onTaken, onOver }: OfferedProps) {
  const [sent, setSent] = useState<MailSent & { email: string }>();
  const { creatorName, days } = pass;
  /** @throws whatever does not end the pass */
  const orOver = async <T,>(call: Promise<T>): Promise<T | undefined> => {
    try {
      return await call;
    } catch (error) {
      if (!hasEnded(error)) throw error;
      onOver();
      return undefined;
    }
  };
  const ask = (email: string) => viewing.askForPass.call({ token, email });
  return (
    <GuestFrame
      title={`${isolate(creatorName)} gives you ${formatCount(days, 'day')} free`}
      text="No card, and it ends by itself."
    >
      <Given pass={pass} />
      {sent === undefined ? (
        <Ask
          onAsk={async (email) => {
            const answer = await orOver(ask(email));
            if (answer !== undefined) setSent({ ...answer, email });
          }}
        />
      ) : (
        <CodeForm
          lead={
            <>
              We sent a code to <strong className="break-all">{sent.email}</strong>.
            </>
          }
          onCode={async ({ code }) => {
            const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
            const given = await orOver(viewing.takePass.call({ token, code, timeZone }));
            if (given !== undefined) onTaken(given);
          }}
          resendAfterMs={sent.resendAfterMs}
          onResend={() => ask(sent.email)}
          other={
            <Button variant="bare" onClick={() => setSent(undefined)}>
              Change address
            </Button>
          }
        />
      )}
    </GuestFrame>
  );
}

function Given({ pass: { creatorName, picture, tierName, benefits } }: { pass: Pass }) {
  return (
    <section aria-label="What you get" className="flex items-start gap-4 rounded-card border border-line bg-raised p-5">
      <Avatar name={creatorName} src={picture} size="large" />
      <div className="grid min-w-0 gap-1">
        <h2 className="text-21 wrap-anywhere">{tierName}</h2>
        {benefits !== '' && <p className="whitespace-pre-line wrap-anywhere">{benefits}</p>}
        <p className="text-13 text-quiet">{`Opens the links for subscribers that ${isolate(creatorName)} sends you.`}</p>
      </div>
    </section>
  );
}

function Ask({ onAsk }: { onAsk: (email: string) => Promise<void> }) {
  const form = useForm({
    shape: z.object({ email: Email }),
    initial: { email: '' },
    send: ({ email }) => onAsk(email),
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        hint="We'll send you a code. The creator doesn't see your address."
        {...form.text('email')}
      />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
      <Button type="submit" size="large" busy={form.isBusy}>
        Send me a code
      </Button>
      <p className="text-13 text-quiet">One free pass per person and creator.</p>
    </form>
  );
}

function Taken({ taken: { creatorName, until } }: { taken: TakenPass }) {
  const now = useNow();
  return (
    <GuestFrame
      title="It's yours"
      text={`Until ${formatDate(until, now)}, links for subscribers that ${isolate(creatorName)} sends you open in this browser.`}
    >
      <p className="flex items-center gap-2.5" role="status">
        <Check className="text-moss" />
        <span>Nothing is charged, and it doesn't renew.</span>
      </p>
      <ButtonLink to="/my" variant="outline" className="justify-self-start">
        My purchases
      </ButtonLink>
    </GuestFrame>
  );
}
