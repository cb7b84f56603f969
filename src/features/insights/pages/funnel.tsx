import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { Card } from '#ui/layout/card.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { Days, Funnel as Steps } from '../contract.ts';
import { funnelSteps } from '../funnel-texts.ts';
import { insights } from '../insight-calls.tsx';
import { readDays, spans } from './spans.ts';

/** Returns how far people came, kept true by the server's news. */
export const useFunnel = (days: Days, linkId?: string) => {
  useLive(['visit.opened', 'visit.ended', 'visit.closed', 'viewer.paid'], [insights.funnel.key()]);
  const input = { days, ...(linkId !== undefined && { linkId }) };
  return useQuery(insights.funnel.queryOptions({ input, placeholderData: (before: Steps | undefined) => before }));
};

/** How far people came by all links; nothing as long as nobody tapped Open. */
export function Funnel({ days }: { days: Days }) {
  const query = useFunnel(days);
  if (query.isPending) return <Skeleton className="h-80 rounded-card" />;
  if (query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  if (query.data.tapped === 0) return null;
  return (
    <Card>
      <h2 className="mb-3 text-21">How far people came</h2>
      <Ladder steps={query.data} />
    </Card>
  );
}

/** The same of one link, for a period of its own. */
export function FunnelOfLink({ linkId }: { linkId: string }) {
  const [span, setSpan] = useState<`${Days}`>('30');
  const query = useFunnel(readDays(span), linkId);
  return (
    <Card>
      <h2 className="mb-3 text-21">How far people came</h2>
      <div className="mb-4 min-w-0">
        <Chips label="Period" options={spans} value={span} onChange={setSpan} />
      </div>
      {query.isPending && <Skeleton className="h-60" />}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.data?.tapped === 0 && <p className="text-quiet">{`Nobody tapped Open in the last ${span} days.`}</p>}
      {query.data !== undefined && query.data.tapped > 0 && <Ladder steps={query.data} />}
    </Card>
  );
}

/** Steps as bars, each as long as its share of those who tapped Open; read out as a list of sentences. */
function Ladder({ steps }: { steps: Steps }) {
  return (
    <ol className="grid gap-3.5">
      {funnelSteps(steps).map(({ key, name, count, percent, lost }) => (
        <li key={key} className="grid gap-1.5">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{name}</span>
            <span className="text-13 text-quiet tabular-nums">
              <strong className="text-15 text-ink">{count.toLocaleString('en')}</strong>
              <span>{` · ${percent}`}</span>
            </span>
          </span>
          <svg
            viewBox="0 0 100 1"
            preserveAspectRatio="none"
            aria-hidden="true"
            className="block h-3 w-full rounded-full bg-line"
          >
            <rect
              width={(100 * count) / steps.tapped}
              height="1"
              className={key === 'paid' ? 'fill-ember' : 'fill-plum'}
            />
          </svg>
          {lost && <span className="text-13 text-quiet tabular-nums">{lost}</span>}
        </li>
      ))}
    </ol>
  );
}
