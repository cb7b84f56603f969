import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { metaOfPaid } from '#features/viewing/paid.tsx';
import { formatMoney, isolate } from '#kit/text.ts';
import { Brand } from '#ui/brand.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import type { FollowedRequest, PaidRequest } from '../contract.ts';
import { tellBuyer } from '../moves/request-words.ts';
import { tellDay, toldOf } from './request-told.ts';
import { requests } from './requests-calls.tsx';

export const meta = () => metaOfPaid('Your request');

const askEveryMs = 1000;
const mostAsked = 20;

/** A request was sent, or paid for. Everything on it comes from the server; the address carries a reference and no trust. */
export default function RequestSuccessPage() {
  const [search] = useSearchParams();
  const [sessionId, code] = [search.get('session_id') ?? '', search.get('request') ?? ''];
  const paid = useQuery(
    requests.paid.queryOptions({
      input: { sessionId },
      enabled: sessionId !== '',
      refetchInterval: ({ state: { data, dataUpdateCount } }) =>
        data?.state === 'processing' && dataUpdateCount < mostAsked ? askEveryMs : false,
    }),
  );
  const sent = useQuery(
    requests.show.queryOptions({ input: { code }, enabled: sessionId === '' && code !== '', retry: false }),
  );
  const query = sessionId === '' ? sent : paid;
  const isNowhere = sessionId === '' && (code === '' || sent.isError);
  const words = wordsOf(isNowhere, paid.data, sent.data);
  return (
    <div className="mx-auto grid min-h-dvh max-w-290 grid-rows-[auto_1fr] px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24 md:pb-16">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" className="grid place-content-center justify-items-center gap-4 text-center">
        {words === undefined && !query.isError && (
          <>
            <Spinner className="size-6" />
            <p role="status">{sessionId === '' ? 'One moment…' : 'Checking your payment…'}</p>
          </>
        )}
        {words === undefined && query.isError && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
        )}
        {words && <Told {...words} />}
      </main>
    </div>
  );
}

interface Words {
  title: string;
  text: string;
  facts: readonly string[];
  /** Where it is followed. */
  path?: string | undefined;
  /** Nothing is known of it here: what was paid for or asked for can be found by its email. */
  isUnknown?: boolean;
  note?: string;
}

function wordsOf(
  isNowhere: boolean,
  paid: PaidRequest | undefined,
  sent: FollowedRequest | undefined,
): Words | undefined {
  if (isNowhere) return unknown;
  if (paid !== undefined) return wordsOfPaid(paid);
  if (sent === undefined) return undefined;
  const { creatorName, offeredCents, currency, reference, code, email, state } = sent;
  if (state !== 'requested')
    return {
      title: 'Your request',
      text: tellBuyer(toldOf(sent, 'buyer')),
      ...{ facts: [`Reference ${reference}`], path: `/request/${code}` },
    };
  return {
    title: 'Request sent',
    text: `${isolate(creatorName)} answers within 72 hours. You pay only if it is accepted.`,
    facts: [`You offered ${formatMoney(offeredCents, currency.toUpperCase())}`, `Reference ${reference}`],
    path: `/request/${code}`,
    note: `Keep your access: the email to ${email} leads back to your request in any browser.`,
  };
}

const unknown: Words = {
  title: 'Check your email',
  text: "We don't know this request. If you sent or paid for one, the way back is in your inbox.",
  facts: [],
  isUnknown: true,
};

function wordsOfPaid({
  state,
  amountCents = 0,
  currency = 'usd',
  dueAt,
  path,
  isSandbox,
  ...paid
}: PaidRequest): Words {
  const { reference, creatorName = '', email = '' } = paid;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  const facts = reference === undefined ? [] : [`Reference ${reference}`];
  switch (state) {
    case 'paid':
      return {
        title: 'Paid and held until delivery',
        text: `${isolate(creatorName)} starts now. If nothing is delivered, you get all of it back automatically.`,
        facts: [amount, ...(dueAt ? [`Due ${tellDay(dueAt)}`] : []), ...facts],
        path,
        note: `Keep your access: the email to ${email} leads back to your request in any browser. ${isSandbox ? 'Test payments, no real money.' : 'Your card statement will show PF DIGITAL.'}`,
      };
    case 'done':
      return {
        title: 'Your request is paid',
        text: 'It has gone on since then. Its page says how it stands.',
        ...{ facts: [amount, ...facts], path },
      };
    case 'disputed':
      return {
        title: 'With your bank',
        text: 'Your bank is looking at this payment. Nothing moves until it has decided.',
        ...{ facts: [amount, ...facts], path },
      };
    case 'processing':
      return {
        title: 'Your bank is taking longer',
        text: "We'll email you as soon as it's done. You can close this page.",
        ...{ facts, path },
      };
    case 'failed':
      return { title: "This payment didn't go through", text: 'Nothing was charged.', facts, path };
    case 'returned':
      return {
        title: 'This payment was returned',
        text: `${amount} went back to your card, or is on its way.`,
        ...{ facts, path },
      };
    default:
      return unknown;
  }
}

function Told({ title, text, facts, path, isUnknown = false, note }: Words) {
  return (
    <>
      <h1 className="text-38 text-balance">{title}</h1>
      <p className="max-w-96 text-balance wrap-anywhere text-quiet" role="status">
        {text}
      </p>
      {facts.length > 0 && <p className="font-medium tabular-nums">{facts.join(' · ')}</p>}
      {path !== undefined && (
        <ButtonLink to={path} size="large" className="mt-2 min-w-55">
          Follow my request
        </ButtonLink>
      )}
      {isUnknown && (
        <ButtonLink to="/find-my-purchases" variant="outline" className="mt-2">
          Find my purchases
        </ButtonLink>
      )}
      {note !== undefined && <p className="max-w-96 text-13 text-balance text-quiet">{note}</p>}
    </>
  );
}
