import { ORPCError } from '@orpc/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';

/** What stands in the place of a case that is not here: it comes, it is gone, or it could not be read. */
export function NotHere({ query }: { query: UseQueryResult<unknown> }) {
  const { error, isPending } = query;
  if (isPending)
    return (
      <GuestFrame title="Where it stands">
        <Spinner className="mx-auto my-10 size-6" />
      </GuestFrame>
    );
  return error instanceof ORPCError && error.code === 'GONE' ? (
    <GuestFrame title="This link doesn't work any more" text="Look for a newer email, and open the link in that.">
      {null}
    </GuestFrame>
  ) : (
    <GuestFrame title="Where it stands">
      <ErrorState error={error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
    </GuestFrame>
  );
}
