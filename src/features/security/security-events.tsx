import { useInfiniteQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { List } from '#ui/layout/list.tsx';
import { useLive } from '#wire/use-live.tsx';
import { RiskFilter } from './contract.ts';
import { EventRow } from './event-row.tsx';
import { riskNames } from './event-texts.ts';
import { security } from './security-calls.tsx';

/** So many stand there until all are asked for, and so many come at once then. */
const fewShown = 5;
const pageSize = 100;

const news = ['security.', 'viewer.', 'link.'];
const filters = RiskFilter.options.map((value) => ({ value, label: riskNames[value] }));

/** What happened at a creator's links, or at one of them, that they may want to know of; new events come by themselves. */
export function SecurityEvents({ linkId }: { linkId?: string }) {
  useLive(news, [security.list.key()]);
  const [risk, setRisk] = useState<RiskFilter>('all');
  const [showsAll, setShowsAll] = useState(false);
  const query = useInfiniteQuery(
    security.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        risk,
        limit: showsAll ? pageSize : fewShown,
        ...(linkId !== undefined && { linkId }),
        ...(cursor !== undefined && { cursor }),
      }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: (before) => before,
    }),
  );
  const { data, error } = query;
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: what failed is logged, and nobody is interrupted for it
    if (error !== null) console.warn("Couldn't load your security events.", error);
  }, [error]);
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  if (data === undefined && error !== null) return null;
  return (
    <section className="grid gap-3" aria-label="Security events">
      <h2 className="text-21">Security events</h2>
      <Chips label="Risk" options={filters} value={risk} onChange={setRisk} />
      {data === undefined && <SkeletonRows />}
      {data !== undefined && events.length === 0 && <Nothing risk={risk} />}
      {events.length > 0 && (
        <List label="Security events">
          {events.map((event) => (
            <EventRow key={event.id} event={event} isOfOneLink={linkId !== undefined} />
          ))}
        </List>
      )}
      <p className="flex flex-wrap justify-center gap-2 empty:hidden">
        {showsAll && query.hasNextPage && (
          <Button variant="outline" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            Show more
          </Button>
        )}
        {(showsAll || total > fewShown) && (
          <Button variant="bare" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show Recent 5' : `View All ${total.toLocaleString('en')} Events`}
          </Button>
        )}
      </p>
    </section>
  );
}

function Nothing({ risk }: { risk: RiskFilter }) {
  return (
    <p className="flex items-center gap-2.5 rounded-card border border-line border-dashed px-4 py-5 text-quiet">
      <ShieldCheck className="flex-none" />
      <span>{risk === 'all' ? 'No security events recorded yet' : 'No security events of this risk'}</span>
    </p>
  );
}
