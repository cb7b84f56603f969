import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { formatMoney, isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { OwnRequest } from '../contract.ts';
import { describeCreator } from '../moves/request-words.ts';
import { History, RequestFacts } from '../request-facts.tsx';
import { CreatorActions } from './creator-actions.tsx';
import { textsOf } from './request-texts.ts';
import { requests } from './requests-calls.tsx';

export const meta = () => [{ title: 'Request · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One request, as its creator answers and delivers it. */
export default function RequestPage() {
  const { requestId = '' } = useParams();
  useLive(['viewer.paid'], [requests.one.key()]);
  const query = useQuery(requests.one.queryOptions({ input: { requestId } }));
  const { data } = query;
  return (
    <>
      <PageHeader title={data === undefined ? 'Request' : data.title} back={{ to: '/requests', label: 'Requests' }} />
      <div className="grid gap-5">
        {query.isPending && (
          <div aria-busy="true">
            <Skeleton className="h-40 rounded-card" />
          </div>
        )}
        {query.isError && data === undefined && (
          <ErrorState
            {...(isNowhere(query.error) && { title: 'No such request' })}
            error={query.error}
            onRetry={() => void query.refetch()}
            busy={query.isRefetching}
          />
        )}
        {data && <Everything request={data} />}
      </div>
    </>
  );
}

const isNowhere = (error: Error) => error instanceof ORPCError && error.code === 'NOT_FOUND';

/** Nothing of it comes to the creator, or nobody knows yet. */
const promisesNothing: readonly string[] = ['declined', 'expired', 'refunded', 'disputed', 'charged_back'];

const untilWords: Readonly<Record<string, string>> = {
  requested: 'Answer by',
  quoted: 'To be paid by',
  paid: 'If nothing is delivered, the payment goes back on',
  delivered: 'It counts as accepted after',
  revision_requested: 'Deliver by',
  problem: 'We decide by',
  reported: 'We decide by',
};

function Everything({ request }: { request: OwnRequest }) {
  const now = useNow();
  const { me } = useMe();
  const { state, actUntil, album, linkName, reference, shareCents, sending, currency, isSandbox } = request;
  const until = untilWords[state];
  const isReleased = state === 'released' || state === 'reported';
  const where = linkName === null ? 'Asked on your page' : `Asked from ${isolate(linkName) || 'Untitled Link'}`;
  const share = formatMoney(shareCents, currency.toUpperCase());
  return (
    <>
      <Card className="grid gap-3">
        <p role="status" className="text-21 font-strong text-balance">
          {describeCreator(textsOf(request, 'creator'))}
        </p>
        {until !== undefined && actUntil !== null && (
          <p className="text-quiet">{`${until} ${formatMoment(actUntil, now)}.`}</p>
        )}
        {!promisesNothing.includes(state) && (
          <p className="text-quiet">
            {`${isReleased && sending === null ? 'You got' : 'You get'} ${share}, your share${isSandbox ? ' · test payments, no real money' : ''}.`}
          </p>
        )}
        {sending === 'waits' && (
          <ButtonLink to="/account/payouts" variant="outline" className="justify-self-start">
            Check payout account
          </ButtonLink>
        )}
        {request.hasDisputed && <p className="text-quiet">This buyer has disputed another payment to you.</p>}
        <CreatorActions request={request} hasAccess={me?.hasAccess === true} />
      </Card>
      <RequestFacts request={request} />
      {album !== null && (
        <p>
          <span>{'Delivered as '}</span>
          {me?.hasAccess ? (
            <Link to={`/albums/${album.id}`} className="font-strong text-plum underline underline-offset-2">
              {isolate(album.name)}
            </Link>
          ) : (
            <span>{isolate(album.name)}</span>
          )}
          <span>, behind a link for this buyer alone.</span>
        </p>
      )}
      <History events={request.events} currency={currency} buyer="Buyer" creator="You" />
      <p className="flex flex-wrap items-center gap-x-3 text-13 text-quiet">
        <span>{`${where} · reference ${reference}`}</span>
        <ButtonLink to="/report" variant="bare">
          Report
        </ButtonLink>
      </p>
    </>
  );
}
