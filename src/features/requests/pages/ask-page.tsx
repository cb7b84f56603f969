import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod';
import { CodeForm, type MailSent, readJustSent } from '#features/accounts/code-form.tsx';
import { metaOfPaid } from '#features/viewing/paid.tsx';
import { readCents } from '#kit/cents.ts';
import { formatPrice, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { FormError, useForm } from '#ui/forms/use-form.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { briefRuleWords, findBriefFault } from '../asking/brief-filter.ts';
import { type Offer, RequestInput } from '../contract.ts';
import { requests } from './requests-calls.tsx';

export const meta = () => metaOfPaid('Custom request');

interface Of {
  handle?: string;
  slug?: string;
}

/** Where somebody asks a creator to make something: from their own page, or from a link that has let them in. */
export default function AskPage() {
  const [search] = useSearchParams();
  const [handle, slug] = [search.get('creator'), search.get('link')];
  const of: Of = handle !== null ? { handle } : { slug: slug ?? '' };
  const query = useQuery(requests.offer.queryOptions({ input: of, retry: false }));
  if (query.data) return <Ask of={of} offer={query.data} />;
  const isGone = query.error instanceof ORPCError && query.error.code === 'NOT_FOUND';
  return (
    <GuestFrame title={isGone ? 'No requests here' : 'Custom request'}>
      {query.isPending && <Spinner className="mx-auto my-10 size-6" />}
      {isGone && (
        <p className="text-quiet">
          {isOfLink(query.error)
            ? query.error?.message
            : "This creator isn't taking requests right now. If you have one of their links, open it in this browser and ask from there."}
        </p>
      )}
      {query.isError && !isGone && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
    </GuestFrame>
  );
}

/** It has its own words: what they were let in to says no. */
const isOfLink = (error: unknown): boolean =>
  error instanceof ORPCError &&
  ['ALBUM', 'LINK'].includes((error.data as { reason?: string } | undefined)?.reason ?? '');

type Sent = z.output<typeof RequestInput> & MailSent & { email: string };

function Ask({ of, offer }: { of: Of; offer: Offer }) {
  const [sent, setSent] = useState<Sent>();
  const [fault, setFault] = useState<string>();
  if (offer.isFull)
    return (
      <GuestFrame title={`Ask ${isolate(offer.creatorName)}`}>
        <p className="text-quiet">
          {`${isolate(offer.creatorName)} can't take any more requests right now. Please try again later.`}
        </p>
      </GuestFrame>
    );
  return (
    <GuestFrame
      title={`Ask ${isolate(offer.creatorName)}`}
      text="Say what you would like and what you offer. You pay only if it is accepted, and your payment is held until delivery."
    >
      {/* What was typed stays while the code is entered, and comes back where the brief has to be changed. */}
      <div hidden={sent !== undefined}>
        <RequestForm of={of} offer={offer} fault={fault} onSent={setSent} />
      </div>
      {sent !== undefined && (
        <Confirm
          of={of}
          sent={sent}
          onBack={(said) => {
            setFault(said);
            setSent(undefined);
          }}
        />
      )}
    </GuestFrame>
  );
}

const kinds = [
  { value: 'photo', label: 'Photos' },
  { value: 'video', label: 'Video' },
  { value: 'both', label: 'Both' },
] as const;

/** What is typed, and whether it may be asked for: nobody is sent a code for what would then be refused. */
const Typed = RequestInput.pick({ title: true, brief: true, kind: true })
  .extend({ email: z.email('Enter your email address') })
  .superRefine(({ title, brief }, { addIssue }) => {
    const fault = findBriefFault(title, brief);
    if (fault !== undefined) addIssue({ code: 'custom', path: ['brief'], message: briefRuleWords[fault] });
  });

/** The code of a moment ago is still good. */
const mailCode = (of: Of, email: string): Promise<MailSent> =>
  requests.mailCode.call({ ...of, email }).catch(readJustSent);

const numberOf = (text: string) => (text.trim() === '' ? null : Number(text));

interface RequestFormProps {
  of: Of;
  offer: Offer;
  fault: string | undefined;
  onSent: (sent: Sent) => void;
}

const moneyIn = (offer: Offer) => (cents: number) => formatPrice(cents, offer.currency.toUpperCase());

/** What is typed becomes a request, once a code is on its way to the address. */
function useRequestForm({ of, offer, onSent }: Omit<RequestFormProps, 'fault'>) {
  const money = moneyIn(offer);
  const form = useForm({
    shape: Typed,
    initial: {
      title: '',
      brief: '',
      kind: 'photo' as Sent['kind'],
      quantity: '1',
      lengthMinutes: '',
      wantedBy: '',
      dollars: (offer.leastCents / 100).toString(),
      email: '',
    },
    async send(input) {
      const { quantity, lengthMinutes, wantedBy, dollars, kind } = form.values;
      const params = RequestInput.safeParse({
        ...input,
        quantity: Number(quantity),
        lengthMinutes: kind === 'photo' ? null : numberOf(lengthMinutes),
        wantedBy: wantedBy === '' ? null : wantedBy,
        offeredCents: Math.max(0, readCents(dollars) || 0),
      });
      if (!params.success) throw new FormError('Ask for 1 to 20 pieces, and for 1 to 60 minutes of video.');
      const { offeredCents } = params.data;
      const isListed = offer.priceList.some(({ cents }) => cents === offeredCents);
      if (!isListed && !(offeredCents >= offer.leastCents && offeredCents <= offer.mostCents))
        throw new FormError(`Offer between ${money(offer.leastCents)} and ${money(offer.mostCents)}.`);
      const { resendAfterMs } = await mailCode(of, input.email);
      onSent({ ...params.data, email: input.email, resendAfterMs });
    },
  });
  return form;
}

function RequestForm({ of, offer, fault, onSent }: RequestFormProps) {
  const money = moneyIn(offer);
  const form = useRequestForm({ of, offer, onSent });
  const { values } = form;
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FixedPrices
        list={offer.priceList}
        money={money}
        onChoose={({ title, cents }) => {
          form.set('title', title);
          form.set('dollars', String(cents / 100));
        }}
      />
      {offer.wontDo !== '' && (
        <p className="max-w-140 wrap-break-word text-quiet">{`Not offered: ${isolate(offer.wontDo)}`}</p>
      )}
      <Field label="Title" maxLength={80} autoComplete="off" {...form.text('title')} />
      <Textarea
        label="What you would like"
        hint="No names of apps, addresses or other ways to pay. Adults only, and only with everyone's agreement."
        rows={5}
        maxLength={1500}
        value={values.brief}
        error={form.faults.brief ?? fault}
        onChange={(event) => form.set('brief', event.target.value)}
      />
      <Pieces form={form} />
      <Field label="Wanted by (optional)" type="date" {...form.text('wantedBy')} />
      <Field
        label="You offer, $"
        inputMode="decimal"
        maxLength={10}
        autoComplete="off"
        hint={`From ${money(offer.leastCents)}. Usually delivered within ${offer.days === 1 ? 'a day' : `${offer.days} days`}.`}
        {...form.text('dollars')}
      />
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        hint="For the answer. The creator never sees it."
        {...form.text('email')}
      />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
      <Button type="submit" size="large" busy={form.isBusy}>
        Continue
      </Button>
      {offer.isSandbox && <p className="text-13 text-quiet">Test payments, no real money.</p>}
    </form>
  );
}

/** What is made, and how much of it. */
function Pieces({ form }: { form: ReturnType<typeof useRequestForm> }) {
  const { values } = form;
  return (
    <>
      <Segmented label="Kind" options={kinds} value={values.kind} onChange={(kind) => form.set('kind', kind)} />
      <div className="grid grid-cols-2 gap-3">
        <Field label="How many" inputMode="numeric" maxLength={2} {...form.text('quantity')} />
        {values.kind !== 'photo' && (
          <Field label="Minutes (optional)" inputMode="numeric" maxLength={2} {...form.text('lengthMinutes')} />
        )}
      </div>
    </>
  );
}

interface FixedPricesProps {
  list: Offer['priceList'];
  money: (cents: number) => string;
  onChoose: (item: Offer['priceList'][number]) => void;
}

/** What the creator makes at a fixed price: a tap fills in title and price. */
function FixedPrices({ list, money, onChoose }: FixedPricesProps) {
  if (list.length === 0) return null;
  return (
    <div className="grid gap-2">
      <p className="font-medium">Fixed prices</p>
      <div className="flex flex-wrap gap-2">
        {list.map((item) => (
          <Button
            key={item.title}
            type="button"
            variant="outline"
            className="max-w-full wrap-anywhere"
            onClick={() => onChoose(item)}
          >
            {`${isolate(item.title)}, ${money(item.cents)}`}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** @param onBack with what has to be changed */
function Confirm({ of, sent, onBack }: { of: Of; sent: Sent; onBack: (said: string | undefined) => void }) {
  const navigate = useNavigate();
  const { email, resendAfterMs, ...params } = sent;
  const send = async ({ code: emailCode }: { code: string }) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    try {
      const { code } = await requests.ask.call({ ...of, ...params, emailCode, timeZone });
      await navigate(`/custom-request-success?request=${encodeURIComponent(code)}`, { replace: true });
    } catch (error) {
      // What is wrong with the request itself is said where it can be changed.
      const field = error instanceof ORPCError ? (error.data as { field?: string } | undefined)?.field : undefined;
      if (error instanceof ORPCError && field !== undefined && field !== 'emailCode') return onBack(error.message);
      if (error instanceof ORPCError && error.code === 'VALIDATION') throw new FormError(error.message);
      throw error;
    }
  };
  return (
    <CodeForm
      lead={`We've sent a code to ${email}.`}
      onCode={send}
      resendAfterMs={resendAfterMs}
      onResend={() => requests.mailCode.call({ ...of, email })}
      other={
        <Button variant="bare" onClick={() => onBack(undefined)}>
          Change my request
        </Button>
      }
    />
  );
}
