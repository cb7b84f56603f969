import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { insights } from '#features/insights/insight-calls.tsx';
import { chartDays } from '#features/insights/insight-texts.ts';
import { formatCount, formatDuration } from '#kit/text.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Counter } from '#ui/figures/counter.tsx';
import { LineChart } from '#ui/figures/line-chart.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useLive } from '#wire/use-live.tsx';

/** The week in one figure, one sentence and one line. */
export function WeekCard() {
  useLive(['visit.'], [insights.overview.key({ input: { days: 7 } })]);
  const { data, error, refetch, isRefetching } = useQuery(insights.overview.queryOptions({ input: { days: 7 } }));
  return (
    <section>
      <SectionHeader title="Analytics" more={{ to: '/analytics', label: 'View Analytics' }} />
      {data === undefined && error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} busy={isRefetching} />
      ) : (
        <Card>{data === undefined ? <Skeleton className="h-62 w-full" /> : <Week {...data} />}</Card>
      )}
      <ButtonLink to="/analytics" variant="outline" icon={ChartLine} className="mt-3 w-full">
        View Detailed Analytics
      </ButtonLink>
    </section>
  );
}

interface WeekProps {
  figures: { views: number; uniqueViewers: number; watchMs: number };
  days: readonly { day: string; views: number }[];
}

function Week({ figures: { views, uniqueViewers, watchMs }, days }: WeekProps) {
  if (views === 0)
    return <p className="text-quiet">No views counted in the last 7 days yet. Share a link to see who opens it.</p>;
  return (
    <div className="grid gap-x-8 gap-y-5 md:grid-cols-[auto_minmax(0,1fr)] md:items-start">
      <div>
        <p className="text-quiet">Views in 7 days</p>
        <p className="mt-1 font-display text-56 font-title lining-nums">
          <Counter value={views} />
        </p>
        <p className="mt-1 text-13 text-quiet">
          {`${formatCount(uniqueViewers, 'person', 'people')} · ${formatDuration(watchMs)}`}
        </p>
      </div>
      <LineChart label="By day" points={chartDays(days, ({ views }) => views)} />
    </div>
  );
}
