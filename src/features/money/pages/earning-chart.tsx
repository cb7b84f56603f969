import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '#kit/text.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { StackedChart } from '#ui/figures/stacked-chart.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Card } from '#ui/layout/card.tsx';
import type { EarningSpan } from '../contract.ts';
import { nameBar } from '../earnings/earning-texts.ts';
import { money } from '../money-calls.tsx';

const spans: { value: EarningSpan; label: string }[] = [
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '12m', label: '12 months' },
];
const kinds = [
  { label: 'Tips', tone: 'ember' },
  { label: 'Albums', tone: 'plum' },
  { label: 'Subscriptions', tone: 'moss' },
  { label: 'Customs', tone: 'quiet' },
  { label: 'Refunds and disputes', tone: 'rust' },
] as const;

/** What was earned, by day or month and by what for. */
export function EarningChart() {
  const [span, setSpan] = useState<EarningSpan>('30d');
  const query = useQuery(money.chart.queryOptions({ input: { span }, placeholderData: (before) => before }));
  return (
    <Card>
      <div className="mb-4">
        <Segmented label="Period" options={spans} value={span} onChange={setSpan} />
      </div>
      {query.isPending && (
        <div aria-busy="true">
          <Skeleton className="h-64 rounded-photo" />
        </div>
      )}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.data && (
        <StackedChart
          label="Earned"
          by={query.data.by}
          kinds={kinds}
          points={query.data.parts.map(({ day, tips, albums, subscriptions, customs, refunds }) => ({
            day: nameBar(day, query.data.parts.at(-1)?.day ?? day, query.data.by),
            values: [tips, albums, subscriptions, customs, refunds],
          }))}
          formatValue={(cents) => formatMoney(cents, query.data.currency.toUpperCase())}
        />
      )}
    </Card>
  );
}
