import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { useLive } from '#wire/use-live.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { access, accessNews } from '../access-calls.tsx';
import type { BlockedViewer } from '../requests-contract.ts';
import { toastFailure } from '../use-decisions.tsx';

/** Explains why a viewer was blocked, by the stored reason. */
const reasonTexts: Readonly<Record<string, string>> = {
  leak: 'A leaked copy was traced to them',
  request: 'Blocked when they asked for access',
  chosen: 'Blocked by you, in your list of viewers',
  security: 'Blocked after a security event',
};

/** Describes why a viewer is blocked, and from which link if only one is closed to them. */
const describeBlock = ({ reason, link }: BlockedViewer): string | undefined =>
  link === null ? reasonTexts[reason] : `Only “${isolate(link.linkName)}”: its own rule closed it`;

const useBlocked = () =>
  useInfiniteQuery(
    access.blocked.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...(cursor !== undefined && { cursor }) }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: (before) => before,
    }),
  );

/** Unblocks a viewer, everywhere or for one link, and confirms it in a toast. */
function useUnblock() {
  const queries = useQueryClient();
  return useWrite(
    access.unblock.mutationOptions({
      onSuccess: (_, { linkId }) =>
        linkId === undefined
          ? toast.success({ title: 'Unblocked', message: 'They can open your links again.' })
          : toast.success({ title: 'Let back in', message: 'They can open this link again.' }),
      onError: toastFailure,
      onSettled: () => queries.invalidateQueries({ queryKey: access.key() }),
    }),
  );
}

/** Lists the viewers who are blocked everywhere or from one link, each with a button to let them back in. */
export default function BlockedPage() {
  useLive(accessNews, [access.blocked.key()]);
  const now = useNow();
  const query = useBlocked();
  const unblock = useUnblock();
  const viewers = query.data?.pages.flatMap((page) => page.viewers) ?? [];
  return (
    <section className="grid gap-3">
      <h2 className="text-21">Blocked viewers</h2>
      {query.isPending && <SkeletonRows />}
      {query.isError && viewers.length === 0 && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.isSuccess && viewers.length === 0 && (
        <EmptyState icon={Ban} title="Nobody is blocked">
          You can block a viewer from your list of viewers, when they ask for access, or when a leak is traced to them.
          Viewers whom a link's own rule has shut out are listed here too.
        </EmptyState>
      )}
      {viewers.length > 0 && (
        <List label="Blocked viewers">
          {viewers.map((viewer) => (
            <li key={`${viewer.viewerId} ${viewer.link?.id}`}>
              <Row
                title={isolate(viewer.viewerName)}
                quiet={`Blocked ${formatMoment(viewer.blockedAt, now)}`}
                story={describeBlock(viewer)}
                end={
                  <Button
                    variant="outline"
                    disabled={unblock.isPending}
                    onClick={() => unblock.mutate({ viewerId: viewer.viewerId, linkId: viewer.link?.id })}
                  >
                    {viewer.link === null ? 'Unblock' : 'Let back in'}
                  </Button>
                }
              />
            </li>
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
