import { useInfiniteQuery } from '@tanstack/react-query';
import { Bot, KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { LiveDot } from '#ui/live-dot.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { Days, Refused, Robots, Visit } from '../contract.ts';
import { insights } from '../insight-calls.tsx';
import {
  describeDispute,
  describeFrom,
  describeLink,
  describeRefused,
  describeRobots,
  describeVisit,
  notCountedWords,
} from '../insight-texts.ts';
import { DisputeChip } from './dispute-chip.tsx';

type Cursor = string | undefined;
const paged = { initialPageParam: undefined as Cursor, getNextPageParam: nextOf } as const;
function nextOf(page: { nextCursor: string | null }): Cursor {
  return page.nextCursor ?? undefined;
}
const from = (cursor: Cursor) => ({ limit: 8, ...(cursor !== undefined && { cursor }) });

interface VisitsProps {
  label: string;
  /** Said when there are none. */
  empty: ReactNode;
}

/** Visits of people in a span of days. */
export function VisitsOfPeople({ days, ...rest }: VisitsProps & { days: Days }) {
  useLive(['visit.opened', 'visit.ended', 'visit.closed', 'viewer.'], [insights.visits.key()]);
  const input = (cursor: Cursor) => ({ days, ...from(cursor) });
  return <Visits query={useInfiniteQuery(insights.visits.infiniteOptions({ input, ...paged }))} {...rest} />;
}

/** What was opened in a span of days and is no view. */
export function VisitsNotCounted({ days, ...rest }: VisitsProps & { days: Days }) {
  const query = useNotCounted(days);
  const robots = query.data?.pages[0]?.robots ?? [];
  if (robots.length === 0) return <Visits query={query} {...rest} />;
  const hasVisits = query.data?.pages.some(({ visits }) => visits.length > 0);
  return (
    <>
      <List label="Bots">
        {robots.map((one) => (
          <RobotsRow key={one.linkId} robots={one} />
        ))}
      </List>
      {hasVisits && <Visits query={query} {...rest} />}
    </>
  );
}

/** Its children as soon as something came that is no view. */
export function WhereNotCounted({ days, children }: { days: Days; children: ReactNode }) {
  const { data } = useNotCounted(days);
  return data?.pages.some(({ visits, robots }) => visits.length + robots.length > 0) ? children : null;
}

function useNotCounted(days: Days) {
  useLive(['visit.opened', 'visit.ended', 'visit.closed'], [insights.notCounted.key()]);
  const input = (cursor: Cursor) => ({ days, ...from(cursor) });
  return useInfiniteQuery(insights.notCounted.infiniteOptions({ input, ...paged }));
}

/** Every visit of one link. */
export function VisitsOfLink({
  linkId,
  begin,
  ...rest
}: VisitsProps & {
  linkId: string;
  /** Where the list begins; at the newest when left out. */
  begin?: string | undefined;
}) {
  useLive(['visit.', 'viewer.'], [insights.visitsOfLink.key({ input: { linkId } })]);
  const input = (cursor: Cursor) => ({ linkId, ...from(cursor) });
  const place = { ...paged, initialPageParam: begin };
  const query = useInfiniteQuery(insights.visitsOfLink.infiniteOptions({ input, ...place }));
  const refused = query.data?.pages[0]?.refused ?? [];
  return (
    <>
      {refused.length > 0 && (
        <div className="mb-4">
          <List label="Not let in">
            {refused.map((one) => (
              <RefusedRow key={one.kind} refused={one} />
            ))}
          </List>
        </div>
      )}
      <Visits query={query} isOneLink {...rest} />
    </>
  );
}

/** What these lists need of their query. */
interface VisitQuery {
  data: { pages: { visits: Visit[] }[] } | undefined;
  isPending: boolean;
  isError: boolean;
  error: Error | null;
  isRefetching: boolean;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

function Visits({ query, label, empty, isOneLink = false }: VisitsProps & { query: VisitQuery; isOneLink?: boolean }) {
  if (query.isPending) return <SkeletonRows label={`${label}: loading`} />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  const visits = query.data?.pages.flatMap((page) => page.visits) ?? [];
  if (visits.length === 0) return <p className="py-6 text-quiet">{empty}</p>;
  return (
    <>
      <List label={label}>
        {visits.map((visit) => (
          <VisitRow key={visit.visitId} visit={visit} isOneLink={isOneLink} />
        ))}
      </List>
      {query.hasNextPage && (
        <div className="mt-4 grid justify-items-center">
          <Button variant="outline" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            More visits
          </Button>
        </div>
      )}
    </>
  );
}

/** A visit as a row. */
export function VisitRow({ visit, isOneLink }: { visit: Visit; isOneLink: boolean }) {
  const now = useNow();
  const { viewerName, linkId, startedAt, isLookingNow, notCounted, dispute } = visit;
  const mark = isLookingNow ? (
    <span className="flex flex-none items-center gap-2 text-13 text-ember-ink">
      <LiveDot /> looking now
    </span>
  ) : (
    notCounted && <NotCountedChip visit={visit} />
  );
  return (
    <li>
      <Row
        title={viewerName}
        {...(!isOneLink && { to: `/magic-links/${linkId}` })}
        mark={
          <>
            {mark}
            {dispute !== null && <DisputeChip />}
          </>
        }
        quiet={isOneLink ? describeFrom(visit) : `${describeLink(visit)} · ${describeFrom(visit)}`}
        story={dispute === null ? describeVisit(visit) : `${describeVisit(visit)} · ${describeDispute(dispute, now)}`}
        start={<Avatar name={viewerName} />}
        end={
          <span className="text-13 text-quiet">
            <RelativeTime at={startedAt} />
          </span>
        }
      />
    </li>
  );
}

function RefusedRow({ refused }: { refused: Refused }) {
  return (
    <li>
      <Row
        {...describeRefused(refused)}
        start={<Sign>{refused.kind === 'program' ? <Bot /> : <KeyRound />}</Sign>}
        end={
          <span className="text-13 text-quiet">
            <RelativeTime at={refused.lastAt} />
          </span>
        }
      />
    </li>
  );
}

/** What stands where a person's letter would. */
export function Sign({ children }: { children: ReactNode }) {
  return (
    <span className="grid size-10 flex-none place-items-center rounded-full bg-plum-wash text-plum">{children}</span>
  );
}

function RobotsRow({ robots }: { robots: Robots }) {
  return (
    <li>
      <Row
        title="A bot"
        to={`/magic-links/${robots.linkId}`}
        mark={<Chip tone="plain">not counted</Chip>}
        quiet={describeLink({ viewerName: '', ...robots })}
        story={describeRobots(robots)}
        start={
          <Sign>
            <Bot />
          </Sign>
        }
        end={
          <span className="text-13 text-quiet">
            <RelativeTime at={robots.lastAt} />
          </span>
        }
      />
    </li>
  );
}

function NotCountedChip({ visit: { notCounted } }: { visit: Visit }) {
  if (notCounted === null) return null;
  return (
    <span title={notCountedWords[notCounted]} className="flex-none">
      <Chip tone="plain">not counted</Chip>
    </span>
  );
}
