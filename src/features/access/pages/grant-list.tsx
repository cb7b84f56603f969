import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { isolate } from '#kit/text.ts';
import { formatMoment, formatTimeAgo } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { access } from '../access-calls.tsx';
import type { AccessGrant } from '../requests-contract.ts';
import { toastFailure } from '../use-decisions.tsx';

const useGrants = (albumId: string | undefined) =>
  useInfiniteQuery(
    access.grants.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...(albumId !== undefined && { albumId }),
        ...(cursor !== undefined && { cursor }),
      }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: (before) => before,
    }),
  );

/** Who may see what by the creator's yes; each can be taken back. */
export function GrantList({ albumId }: { albumId?: string }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<AccessGrant>();
  const query = useGrants(albumId);
  const revoke = useWrite(
    access.revokeGrant.mutationOptions({
      onSuccess: () => toast.success({ title: 'Access taken back' }),
      onError: toastFailure,
      onSettled: () => queries.invalidateQueries({ queryKey: access.key() }),
    }),
  );
  const grants = query.data?.pages.flatMap((page) => page.grants) ?? [];
  const takeBack = () => {
    if (asked) revoke.mutate({ grantId: asked.id });
    setAsked(undefined);
  };
  return (
    <section className="grid gap-3" aria-label="People with access">
      <h2 className="text-21">People with access</h2>
      {query.isPending && <SkeletonRows />}
      {query.isError && grants.length === 0 && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.isSuccess && grants.length === 0 && (
        <EmptyState icon={Eye} title="Nobody yet">
          Whoever you approve stands here, and can be taken off again.
        </EmptyState>
      )}
      {grants.length > 0 && (
        <List label="People with access">
          {grants.map((grant) => (
            <li key={grant.id}>
              <GrantRow grant={grant} onTakeBack={() => setAsked(grant)} />
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
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title="Take access back?"
        description={`${isolate(asked?.viewerName ?? '')} loses access to “${isolate(asked?.album.name ?? '')}” now, and can ask again.`}
        confirm="Take back"
        danger
        onConfirm={takeBack}
      />
    </section>
  );
}

function GrantRow({ grant, onTakeBack }: { grant: AccessGrant; onTakeBack: () => void }) {
  const now = useNow();
  const { viewerName, album, expiresAt, createdAt, lastVisitAt } = grant;
  const end = expiresAt === null ? 'without an end' : `until ${formatMoment(expiresAt, now)}`;
  const looked =
    lastVisitAt === null ? 'not opened yet' : `last looked ${formatTimeAgo(lastVisitAt, now).toLowerCase()}`;
  return (
    <Row
      title={isolate(viewerName)}
      quiet={`${isolate(album.name)} · ${end}`}
      story={`Approved ${formatMoment(createdAt, now)} · ${looked}`}
      end={
        <Button variant="quietDanger" onClick={onTakeBack}>
          Take back
        </Button>
      }
    />
  );
}
