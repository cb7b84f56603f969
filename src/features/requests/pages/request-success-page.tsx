import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { metaOfPaid } from '#features/viewing/paid.tsx';
import { useBankQuery } from '#features/viewing/use-bank-query.ts';
import { Brand } from '#ui/brand.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { requests } from './requests-calls.tsx';
import { type SuccessWords, unknown, wordsOf } from './success-words.ts';

export const meta = () => metaOfPaid('Your request');

/** A request was sent, or paid for. Everything on it comes from the server; the address carries a reference and no trust. */
export default function RequestSuccessPage() {
  const [search] = useSearchParams();
  const [sessionId, code] = [search.get('session_id') ?? '', search.get('request') ?? ''];
  const { query: paid, isOver } = useBankQuery(
    requests.paid.queryOptions({ input: { sessionId }, enabled: sessionId !== '' }),
  );
  const sent = useQuery(
    requests.show.queryOptions({ input: { code }, enabled: sessionId === '' && code !== '', retry: false }),
  );
  const query = sessionId === '' ? sent : paid;
  const isNowhere = sessionId === '' && (code === '' || sent.isError);
  const words = isNowhere ? unknown : wordsOf({ paid: paid.data, sent: sent.data, isOver });
  return (
    <div className="mx-auto grid min-h-dvh max-w-290 grid-rows-[auto_1fr] px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24 md:pb-16">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" className="grid place-content-center justify-items-center gap-4 text-center">
        {words === undefined && !query.isLoadingError && (
          <>
            <Spinner className="size-6" />
            <p role="status">{sessionId === '' ? 'One moment…' : 'Checking your payment…'}</p>
          </>
        )}
        {words === undefined && query.isLoadingError && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
        )}
        {words && <SuccessText {...words} />}
      </main>
    </div>
  );
}

function SuccessText({ title, text, facts, path, isUnknown = false, note }: SuccessWords) {
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
