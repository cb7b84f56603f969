import { ORPCError } from '@orpc/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Field } from '#ui/forms/field.tsx';
import { faultsOf, useForm } from '#ui/forms/use-form.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { useMailedToken } from '#ui/use-mailed-token.ts';
import { metaOfPaid } from './paid.tsx';
import { proofMinutes } from './rules.ts';
import { viewing } from './viewing-calls.tsx';

export const meta = () => metaOfPaid('Find my purchases');

/** Where whoever has paid comes back in another browser: by an email to the address of the payment. */
export default function FindPurchasesPage() {
  const token = useMailedToken();
  return token === undefined ? <Ask /> : <Claim key={token} token={token} />;
}

function Ask() {
  const [search] = useSearchParams();
  const sessionId = search.get('session_id') ?? '';
  const [isTyping, setTyping] = useState(false);
  const paid = useQuery(
    viewing.checkoutStatus.queryOptions({ input: { sessionId }, enabled: sessionId !== '', retry: false }),
  );
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined)
    return (
      <Sent
        email={sentTo}
        onOther={() => {
          setTyping(true);
          setSentTo(undefined);
        }}
      />
    );
  if (sessionId !== '' && paid.isPending)
    return (
      <GuestFrame title="Find my purchases">
        <p role="status">One moment…</p>
      </GuestFrame>
    );
  const known = isTyping ? undefined : paid.data?.email;
  if (known === undefined) return <Typed onSent={setSentTo} />;
  return <Known email={known} sessionId={sessionId} onSent={setSentTo} onOther={() => setTyping(true)} />;
}

/** The address is the payment's, which the server knows and shows to nobody whole. */
function Known({
  email,
  sessionId,
  onSent,
  onOther,
}: {
  email: string;
  sessionId: string;
  onSent: (email: string) => void;
  onOther: () => void;
}) {
  const form = useForm({
    shape: z.object({}),
    initial: {},
    send: async () => {
      await viewing.findPurchases.call({ sessionId });
      onSent(email);
    },
  });
  return (
    <GuestFrame
      title="Find my purchases"
      text={`You paid with ${email}. We'll send a link there that opens your purchases and requests in any browser.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
        <Button type="submit" size="large" busy={form.isBusy}>
          Send me a link
        </Button>
        <Button variant="bare" className="justify-self-center" onClick={onOther}>
          Use another address
        </Button>
      </form>
    </GuestFrame>
  );
}

function Typed({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm({
    shape: z.object({ email: Email }),
    initial: { email: '' },
    send: async ({ email }) => {
      await viewing.findPurchases.call({ email });
      onSent(email);
    },
  });
  return (
    <GuestFrame
      title="Find my purchases"
      text="Enter the email address you paid or asked with. We'll send you a link that opens your purchases and requests in any browser."
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="Email" type="email" autoComplete="email" inputMode="email" {...form.text('email')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
        <Button type="submit" size="large" busy={form.isBusy}>
          Send me a link
        </Button>
        <ButtonLink to="/my" variant="bare" className="justify-self-center">
          What I bought in this browser
        </ButtonLink>
      </form>
    </GuestFrame>
  );
}

/** Said of every address alike. */
function Sent({ email, onOther }: { email: string; onOther: () => void }) {
  return (
    <GuestFrame
      title="Check your email"
      text={`If something was paid or asked for with ${email}, a link is on its way. It works once, for ${proofMinutes} minutes.`}
    >
      <p className="text-quiet">
        Nothing there? Look in your spam folder, and check which address your receipt went to.
      </p>
      <Button variant="outline" className="justify-self-start" onClick={onOther}>
        Use another address
      </Button>
    </GuestFrame>
  );
}

/** Opening the mailed link does nothing; its button spends it, because mail scanners open links too. */
function Claim({ token }: { token: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const [fault, setFault] = useState<string>();
  const claim = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      await viewing.claimPurchases.call({ token, timeZone });
      // Whatever is shown of a buyer may be more now, also what other rooms show.
      await queries.invalidateQueries();
      await navigate('/my', { replace: true });
    } catch (error) {
      setBusy(false);
      if (error instanceof ORPCError && error.code === 'GONE') return setOver(true);
      setFault(Object.values(faultsOf(error))[0]);
    }
  };
  if (isOver)
    return (
      <GuestFrame
        title="This link doesn't work"
        text={`It was used before, or it's older than ${proofMinutes} minutes.`}
      >
        <Button size="large" onClick={() => location.assign('/find-my-purchases')}>
          Ask for a new link
        </Button>
      </GuestFrame>
    );
  return (
    <GuestFrame title="Your purchases" text="One tap to open what you paid and asked for in this browser.">
      <Button size="large" icon={MailCheck} busy={isBusy} onClick={() => claim()}>
        Show my purchases
      </Button>
      <p role="alert" className="font-medium text-rust empty:hidden">
        {fault}
      </p>
    </GuestFrame>
  );
}
