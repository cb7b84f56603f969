import { useInfiniteQuery } from '@tanstack/react-query';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { useLive } from '#wire/use-live.tsx';
import { links } from '../link-calls.tsx';
import { describeVersion, nameAuthor } from '../version-texts.ts';
import type { LinkVersion } from '../versions-contract.ts';

/** The versions of a link's rules, newest first: when, by whom, and what changed. */
export function RuleHistory({ linkId }: { linkId: string }) {
  return (
    <Card>
      <h2 className="mb-2 text-21">Rule history</h2>
      <Versions linkId={linkId} />
    </Card>
  );
}

function Versions({ linkId }: { linkId: string }) {
  useLive(['link.changed'], [links.history.key()]);
  const query = useInfiniteQuery(
    links.history.infiniteOptions({
      input: (beforeVersion: number | undefined) => ({
        linkId,
        limit: 10,
        ...(beforeVersion !== undefined && { beforeVersion }),
      }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ versions, hasMore }) => (hasMore ? versions.at(-1)?.version : undefined),
    }),
  );
  if (query.isPending) return <SkeletonRows rows={2} label="Rule history is loading" />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? [];
  if (versions.length === 0) return <p className="text-quiet">The rules have never changed.</p>;
  return (
    <>
      <ul aria-label="Rule history" className="grid gap-3">
        {versions.map((version) => (
          <VersionLine key={version.version} version={version} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          variant="bare"
          className="mt-2 -ml-2.5"
          busy={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          Older changes
        </Button>
      )}
    </>
  );
}

function VersionLine({ version }: { version: LinkVersion }) {
  const now = useNow();
  return (
    <li className="border-line [&+&]:border-t [&+&]:pt-3">
      <p className="text-13 text-quiet">{`${formatMoment(version.at, now)} · ${nameAuthor(version)}`}</p>
      {describeVersion(version, now).map((sentence) => (
        <p key={sentence} className="wrap-anywhere">
          {sentence}
        </p>
      ))}
    </li>
  );
}
