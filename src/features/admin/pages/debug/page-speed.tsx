import { useQuery } from '@tanstack/react-query';
import { Gauge } from 'lucide-react';
import { type MetricName, metricNames, type PageVitals, rateMetric } from '#features/audit/page-metrics.ts';
import { formatShare, isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { adminDebug } from '../../admin-calls.tsx';
import { formatMs } from '../function-order.ts';

/** How fast each page was, by what web vitals measure. */
export function PageSpeed({ days }: { days: number }) {
  const query = useQuery(adminDebug.vitals.queryOptions({ input: { days } }));
  return (
    <>
      <Loaded query={query} label="Loading the measurements">
        {({ vitals }) =>
          vitals.length === 0 ? (
            <EmptyState icon={Gauge} title="Nothing was measured" />
          ) : (
            <ul className="grid gap-3" aria-label="Pages">
              {[...new Set(vitals.map(({ page }) => page))].map((page) => (
                <li key={page}>
                  <PageTable page={page} metrics={vitals.filter((measured) => measured.page === page)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p className="mt-3 text-13 text-pretty text-quiet">
        Three in four loads were no slower than p75. Only pages of the studio are measured, and only in browsers of
        administrators on a computer; what they measured is kept for 30 days.
      </p>
    </>
  );
}

const tones = { good: 'moss', 'needs-improvement': 'ember', poor: 'rust' } as const;

const about: Record<MetricName, string> = {
  LCP: 'Largest contentful paint',
  FCP: 'First contentful paint',
  CLS: 'Cumulative layout shift',
  INP: 'Interaction to next paint',
  TTFB: 'Time to first byte',
};

const formatValue = (metric: MetricName, value: number): string =>
  metric === 'CLS' ? value.toFixed(2) : formatMs(Math.round(value));

function PageTable({ page, metrics }: { page: string; metrics: readonly PageVitals[] }) {
  const listed = metricNames.flatMap((name) => metrics.filter(({ metric }) => metric === name));
  return (
    <div className="overflow-hidden rounded-card border border-line bg-raised px-4 py-3.5">
      <table className="w-full table-fixed text-right tabular-nums">
        <caption className="pb-1 text-left font-strong wrap-anywhere">{isolate(page)}</caption>
        <thead className="text-13 text-quiet">
          <tr>
            <th scope="col" className="w-1/5 text-left font-normal">
              Metric
            </th>
            <th scope="col" className="font-normal">
              p75
            </th>
            <th scope="col" className="font-normal">
              Good
            </th>
            <th scope="col" className="font-normal">
              Poor
            </th>
            <th scope="col" className="font-normal">
              Samples
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map(({ metric, p75, samples, good, poor }) => (
            <tr key={metric}>
              <th scope="row" className="py-1 text-left font-medium">
                <abbr title={about[metric]} className="no-underline">
                  {metric}
                </abbr>
              </th>
              <td className="py-1">
                <Chip tone={tones[rateMetric(metric, p75)]}>{formatValue(metric, p75)}</Chip>
              </td>
              <td>{formatShare(good, samples)}</td>
              <td>{formatShare(poor, samples)}</td>
              <td>{samples.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
