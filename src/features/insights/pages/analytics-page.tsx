import { useQuery } from '@tanstack/react-query';
import { ChartLine, Download, Link2 } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { drawButton } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { Days, Overview } from '../contract.ts';
import { insights } from '../insight-calls.tsx';
import { LookingNow } from '../looking-now.tsx';
import { Funnel } from './funnel.tsx';
import { HowWeCount } from './how-we-count.tsx';
import { Audience, Figures, TopLinks, TopPhotos } from './overview-parts.tsx';
import { Places } from './places.tsx';
import { readDays, spans } from './spans.ts';
import { Videos } from './videos.tsx';
import { ViewerList } from './viewer-list.tsx';
import { VisitsNotCounted, VisitsOfPeople, WhereNotCounted } from './visit-list.tsx';
import { WeekHours } from './week-hours.tsx';

export const meta = () => [{ title: 'Analytics · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Who looked, at what, for how long and from where; who looks now stands first. */
export default function AnalyticsPage() {
  const [search, setSearch] = useSearchParams();
  const span = spans.find(({ value }) => value === search.get('days'))?.value ?? '30';
  const days = readDays(span);
  useLive(['visit.', 'link.revoked'], [insights.overview.key(), insights.videos.key(), insights.retention.key()]);
  const query = useQuery(
    insights.overview.queryOptions({ input: { days }, placeholderData: (before: Overview | undefined) => before }),
  );
  return (
    <>
      <PageHeader title="Analytics" actions={<DownloadVisits days={days} />} />
      <div className="grid gap-5">
        <Chips
          label="Period"
          options={spans}
          value={span}
          onChange={(value) => setSearch({ days: value }, { replace: true })}
        />
        <LookingNow />
        {query.isPending && <LoadingFigures />}
        {query.isError && query.data === undefined && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
        )}
        {query.data && (query.data.hasBegun ? <Everything overview={query.data} days={days} /> : <NoViews />)}
        {query.data && <Funnel days={days} />}
        {query.data?.hasBegun && <People days={days} first="viewers" />}
        {query.data?.hasBegun === false && (
          <WhereNotCounted days={days}>
            <People days={days} first="not_counted" />
          </WhereNotCounted>
        )}
        <HowWeCount />
      </div>
    </>
  );
}

/** A table of every visit, for a program of their own. */
function DownloadVisits({ days }: { days: Days }) {
  return (
    <a href={`/api/insights/visits.csv?days=${days}`} download className={drawButton({ variant: 'outline' })}>
      <Download />
      Download CSV
    </a>
  );
}

function NoViews() {
  return (
    <EmptyState
      icon={ChartLine}
      title="No views yet. Share a link to see who opens it."
      action={
        <ButtonLink to="/magic-links?new=1" icon={Link2}>
          New link
        </ButtonLink>
      }
    />
  );
}

function LoadingFigures() {
  return (
    <div className="grid gap-3" aria-busy="true">
      <Skeleton className="h-92 rounded-card" />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {['viewers', 'time', 'opens', 'earned', 'paid', 'closed'].map((key) => (
          <Skeleton key={key} className="h-29 rounded-card" />
        ))}
      </div>
    </div>
  );
}

function Everything({ overview, days }: { overview: Overview; days: Days }) {
  if (overview.figures.opens === 0 && overview.figures.views === 0)
    return <p className="py-6 text-quiet">{`Nobody opened a link in the last ${days} days.`}</p>;
  return (
    <>
      <Figures overview={overview} days={days} />
      <WeekHours overview={overview} />
      <TopPhotos overview={overview} />
      <Videos days={days} />
      <Places countries={overview.countries} />
      <div className="grid gap-5 md:grid-cols-2 md:items-start">
        <div className="grid gap-5">
          <TopLinks overview={overview} />
        </div>
        <div className="grid gap-5">
          <Audience overview={overview} />
        </div>
      </div>
    </>
  );
}

type Who = 'viewers' | 'visits' | 'not_counted';
const lists: { value: Who; label: string }[] = [
  { value: 'viewers', label: 'Viewers' },
  { value: 'visits', label: 'Visits' },
  { value: 'not_counted', label: 'Not counted' },
];

/** The same people in three ways: by person, by visit, and what was left out of the figures. */
function People({ days, first }: { days: Days; first: Who }) {
  const [who, setWho] = useState<Who>(first);
  return (
    <section className="grid gap-3">
      <SectionHeader title="People" />
      <div className="-mt-3 mb-1 min-w-0">
        <Chips label="Which list" options={lists} value={who} onChange={setWho} />
      </div>
      {who === 'viewers' && <ViewerList days={days} />}
      {who === 'visits' && <VisitsOfPeople label="Visits" days={days} empty="No viewers in this period." />}
      {who === 'not_counted' && (
        <VisitsNotCounted label="Not counted" days={days} empty="Everything was counted in this period." />
      )}
    </section>
  );
}
