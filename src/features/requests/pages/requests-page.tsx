import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Settings2, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { formatMoney, isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { RequestFilter, RequestRow } from '../contract.ts';
import { stateNames } from '../moves/request-words.ts';
import { requests } from './requests-calls.tsx';
import { SettingsDialog } from './settings-dialog.tsx';

export const meta = () => [{ title: 'Requests · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const filters: { value: RequestFilter; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
];

const useRequestList = (filter: RequestFilter) =>
  useInfiniteQuery(
    requests.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ filter, ...(cursor !== undefined && { cursor }) }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: (before) => before,
    }),
  );

/** What people ask a creator to make, those first whose time runs out first. */
export default function RequestsPage() {
  useLive(['viewer.paid'], [requests.list.key()]);
  const [filter, setFilter] = useState<RequestFilter>('open');
  const [isSetting, setSetting] = useState(false);
  const query = useRequestList(filter);
  const settings = useQuery(requests.settings.queryOptions({ input: {} }));
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const { me } = useMe();
  const hasAccess = me?.hasAccess === true;
  const canSet = hasAccess && settings.data?.account === 'complete';
  return (
    <>
      <PageHeader
        title="Requests"
        back={hasAccess ? { to: '/earnings', label: 'Earnings' } : { to: '/account/payouts', label: 'Payouts' }}
        actions={
          canSet ? (
            <Button variant="outline" icon={Settings2} onClick={() => setSetting(true)}>
              Settings
            </Button>
          ) : undefined
        }
      />
      <div className="grid gap-5">
        <Chips label="Which requests" options={filters} value={filter} onChange={setFilter} />
        {query.isPending && <SkeletonRows />}
        {query.isError && query.data === undefined && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
        )}
        {query.data && rows.length === 0 && (filter === 'done' || !hasAccess) && (
          <p className="py-6 text-quiet">{filter === 'done' ? 'No finished requests yet.' : 'No open requests.'}</p>
        )}
        {query.data && rows.length === 0 && filter === 'open' && hasAccess && (
          <Nothing
            isOn={query.data.pages[0]?.isOn === true && canSet}
            isClosed={settings.data?.account === 'closed'}
            onTake={canSet ? () => setSetting(true) : undefined}
          />
        )}
        {rows.length > 0 && <RequestLines rows={rows} />}
        {query.hasNextPage && (
          <Button
            variant="outline"
            className="justify-self-center"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </Button>
        )}
      </div>
      {isSetting && settings.data && <SettingsDialog settings={settings.data} onClose={() => setSetting(false)} />}
    </>
  );
}

interface NothingProps {
  isOn: boolean;
  /** Their payout account was closed: they can't connect another one. */
  isClosed: boolean;
  onTake: (() => void) | undefined;
}

function Nothing({ isOn, isClosed, onTake }: NothingProps) {
  if (isOn)
    return (
      <EmptyState icon={Sparkles} title="No requests yet">
        People can ask on your page, or from a link they have opened. We'll tell you about each request right away.
      </EmptyState>
    );
  if (isClosed)
    return (
      <EmptyState
        icon={Sparkles}
        title="Your payout account was closed"
        action={<ButtonLink to="/contact">Write to support</ButtonLink>}
      >
        Nobody can pay you, so you can't take requests.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={Sparkles}
      title="You're not taking requests"
      action={
        onTake === undefined ? (
          <ButtonLink to="/earnings">Connect payouts first</ButtonLink>
        ) : (
          <Button onClick={onTake}>Take requests</Button>
        )
      }
    >
      People ask you to make something and offer a price. You accept, decline or propose something else. We hold the
      payment, and it's yours once they have what they asked for.
    </EmptyState>
  );
}

function RequestLines({ rows }: { rows: readonly RequestRow[] }) {
  return (
    <List label="Requests">
      {rows.map((row) => (
        <li key={row.id}>
          <RequestLine row={row} />
        </li>
      ))}
    </List>
  );
}

const untilNames: Readonly<Record<string, string>> = {
  requested: 'answer by',
  quoted: 'to be paid by',
  delivered: 'counts as accepted after',
  revision_requested: 'deliver by',
  problem: 'decided by',
  reported: 'decided by',
};

function RequestLine({ row }: { row: RequestRow }) {
  const now = useNow();
  const { id, title, state, actUntil, dueAt, offeredCents, agreedCents, currency, at } = row;
  const until = state === 'paid' ? dueAt : actUntil;
  const name = state === 'paid' ? 'due' : untilNames[state];
  const isHers = state === 'requested' || state === 'revision_requested';
  return (
    <Row
      title={isolate(title)}
      to={`/requests/${id}`}
      mark={<Chip tone={isHers ? 'ember' : 'plain'}>{stateNames[state] ?? state}</Chip>}
      quiet={until !== null && name !== undefined ? `${name} ${formatMoment(until, now)}` : undefined}
      end={
        <span className="grid justify-items-end">
          <span>{formatMoney(agreedCents ?? offeredCents, currency.toUpperCase())}</span>
          <span className="text-13 font-normal text-quiet">
            <RelativeTime at={at} />
          </span>
        </span>
      }
    />
  );
}
