import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';

/** Draws a list that comes a page at a time, with a button for the next one. */
export function Pages<Page>({
  query,
  label,
  children,
}: {
  query: UseInfiniteQueryResult<{ pages: Page[] }>;
  label: string;
  children: (pages: readonly Page[]) => Elements;
}) {
  const { data, isError, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (data === undefined && isError)
    return <ErrorState error={error} onRetry={() => void refetch()} busy={isRefetching} />;
  if (data === undefined) return <SkeletonRows label={label} />;
  return (
    <div className="grid gap-4">
      {children(data.pages)}
      {hasNextPage && (
        <div className="flex justify-center">
          <Button variant="outline" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
