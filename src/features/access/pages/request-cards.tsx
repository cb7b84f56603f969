import { useInfiniteQuery } from '@tanstack/react-query';
import { UserRoundCheck } from 'lucide-react';
import { useEffect } from 'react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { List } from '#ui/layout/list.tsx';
import { useLive } from '#wire/use-live.tsx';
import { access, accessNews } from '../access-calls.tsx';
import { toastFailure } from '../use-decisions.tsx';
import { RequestRow } from './request-row.tsx';

/** Requests for access, page by page, newest first. */
export const useRequestList = (status: 'pending' | 'all', albumId: string | undefined, limit = 20) =>
  useInfiniteQuery(
    access.requests.infiniteOptions({
      input: (cursor: string | undefined) => ({
        status,
        limit,
        ...(albumId !== undefined && { albumId }),
        ...(cursor !== undefined && { cursor }),
      }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: (before) => before,
    }),
  );

/** What waits for an answer, and everything that was ever asked, of one album or of all. */
export function RequestCards({ albumId }: { albumId?: string }) {
  useLive(accessNews, [access.key()]);
  return (
    <div className="grid gap-7">
      <RequestCard title="Pending Approval" status="pending" albumId={albumId} empty="Nobody is waiting" />
      <RequestCard title="All Access Requests" status="all" albumId={albumId} empty="No access requests yet" />
    </div>
  );
}

interface RequestCardProps {
  title: string;
  status: 'pending' | 'all';
  albumId: string | undefined;
  empty: string;
}

function RequestCard({ title, status, albumId, empty }: RequestCardProps) {
  const query = useRequestList(status, albumId);
  const rows = query.data?.pages.flatMap((page) => page.requests) ?? [];
  const count = query.data?.pages[0]?.pendingCount ?? 0;
  const { error } = query;
  useEffect(() => {
    if (error !== null && 'status' in error && error.status >= 500) toastFailure(error);
  }, [error]);
  return (
    <section className="grid gap-3" aria-label={title}>
      <h2 className="text-21">
        <span>{title}</span>
        {status === 'pending' && count > 0 && (
          <span className="ml-2 text-15 text-quiet">{formatCount(count, 'request')}</span>
        )}
      </h2>
      {query.isPending && <SkeletonRows />}
      {query.isError && rows.length === 0 && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon={UserRoundCheck} title={empty}>
          {status === 'all' && 'A link with “Ask me first” lets people ask you before they see anything.'}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <List label={title}>
          {rows.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </List>
      )}
      {query.hasNextPage && (
        <Button
          variant="outline"
          busy={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
          className="justify-self-center"
        >
          Show more
        </Button>
      )}
    </section>
  );
}
