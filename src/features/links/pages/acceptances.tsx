import { useQuery } from '@tanstack/react-query';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { useLive } from '#wire/use-live.tsx';
import { agreements } from '../agreements/agreements-calls.tsx';
import type { Acceptance } from '../agreements/agreements-contract.ts';

/** Who has agreed to the text of a link, when and under which name. @param isAsked the link asks for it now */
export function Acceptances({ linkId, isAsked }: { linkId: string; isAsked: boolean }) {
  const input = { linkId };
  const query = useQuery(agreements.accepted.queryOptions({ input }));
  useLive(['visit.opened'], [agreements.accepted.key({ input })]);
  if (!isAsked && !query.data?.acceptances.length) return null;
  return (
    <Card>
      <h2 className="mb-2 text-21">Who agreed</h2>
      {query.isPending && <Skeleton className="h-11 w-full" />}
      {query.isError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.data?.acceptances.length === 0 && (
        <p className="text-quiet">No one yet. Whoever agrees stands here, with the time and the name they typed.</p>
      )}
      <ul className="grid divide-y divide-line empty:hidden">
        {query.data?.acceptances.map((one) => (
          <Row key={one.id} {...one} />
        ))}
      </ul>
      {query.data?.hasMore && <p className="pt-2 text-13 text-quiet">These are the newest ones.</p>}
    </Card>
  );
}

function Row({ viewer, typedName, title, version, at }: Acceptance) {
  const now = useNow();
  const who = viewer === null ? 'Someone' : isolate(viewer);
  return (
    <li className="grid gap-0.5 py-2.5">
      <span className="font-medium wrap-anywhere">{typedName === null ? who : isolate(typedName)}</span>
      <span className="text-13 text-quiet wrap-anywhere">
        {[typedName !== null && who, `${isolate(title)}, version ${version}`, formatMoment(at, now)]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  );
}
