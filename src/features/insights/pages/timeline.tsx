import { useInfiniteQuery } from '@tanstack/react-query';
import { Banknote, Bot, KeyRound, Link2Off, type LucideIcon, Pencil, Send, Undo2 } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { TimelineEntry } from '../contract.ts';
import { insights } from '../insight-calls.tsx';
import { describeHappened } from '../timeline-texts.ts';
import { Sign, VisitRow } from './visit-list.tsx';

/** All that happened to a link, newest first: visits, payments, changes of its rules, and whom it kept out. */
export function Timeline({ linkId }: { linkId: string }) {
  useLive(['visit.', 'viewer.', 'link.'], [insights.timeline.key({ input: { linkId } })]);
  const query = useInfiniteQuery(
    insights.timeline.infiniteOptions({
      input: (cursor: string | undefined) => ({ linkId, limit: 8, ...(cursor !== undefined && { cursor }) }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    }),
  );
  if (query.isPending) return <SkeletonRows label="Timeline: loading" />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  if (entries.length === 0) return <p className="py-6 text-quiet">Nobody has opened this link yet.</p>;
  return (
    <>
      <List label="Visits and changes">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </List>
      {query.hasNextPage && (
        <div className="mt-4 grid justify-items-center">
          <Button variant="outline" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            More visits and changes
          </Button>
        </div>
      )}
    </>
  );
}

const actIcons = { revoked: Link2Off, revived: Undo2, shared: Send };

function iconOf(what: TimelineEntry['what']): LucideIcon {
  if (what.kind === 'act') return actIcons[what.act];
  if (what.kind === 'money') return Banknote;
  if (what.kind === 'programs') return Bot;
  return what.kind === 'version' ? Pencil : KeyRound;
}

function Entry({ entry: { at, what } }: { entry: TimelineEntry }) {
  const now = useNow();
  if (what.kind === 'visit') return <VisitRow visit={what.visit} isOneLink />;
  const Icon = iconOf(what);
  return (
    <li>
      <Row
        {...describeHappened(what, now)}
        start={
          <Sign>
            <Icon />
          </Sign>
        }
        end={
          <span className="text-13 text-quiet">
            <RelativeTime at={at} />
          </span>
        }
      />
    </li>
  );
}
