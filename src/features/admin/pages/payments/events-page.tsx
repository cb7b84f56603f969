import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw, Webhook } from 'lucide-react';
import { formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import type { ProviderEvent } from '../../payments-contract.ts';
import { Pages } from './more-pages.tsx';
import { PaymentsHeader } from './payment-tabs.tsx';

export const meta = () => [{ title: 'Provider events · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What the payment provider has told and nobody could act upon yet. */
export default function EventsPage() {
  const query = useInfiniteQuery(
    adminPayments.events.infiniteOptions({
      input: (page: number) => ({ page }),
      initialPageParam: 0,
      getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length : undefined),
    }),
  );
  return (
    <>
      <PaymentsHeader />
      <div className="max-w-190">
        <Pages query={query} label="Loading events">
          {(pages) => {
            const events = pages.flatMap((page) => page.events);
            const lastReceivedAt = pages[0]?.lastReceivedAt ?? null;
            return (
              <div className="grid gap-4">
                <p className="text-13 text-quiet">
                  {lastReceivedAt === null ? (
                    'The provider has told nothing yet.'
                  ) : (
                    <>
                      <span>The provider told something last </span>
                      <RelativeTime at={lastReceivedAt} />
                    </>
                  )}
                </p>
                {events.length === 0 ? (
                  <EmptyState icon={Webhook} title="No event waits">
                    Events that could not be acted upon appear here, and are tried again by themselves.
                  </EmptyState>
                ) : (
                  <List label="Events that wait">
                    {events.map((event) => (
                      <li key={event.eventId}>
                        <EventRow event={event} />
                      </li>
                    ))}
                  </List>
                )}
              </div>
            );
          }}
        </Pages>
      </div>
    </>
  );
}

function EventRow({ event }: { event: ProviderEvent }) {
  const queries = useQueryClient();
  const { eventId, type, objectId, receivedAt, attempts, nextAttemptAt, error } = event;
  const replay = useWrite(
    adminPayments.replayEvent.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'It is acted upon once more' });
      },
      onError: (fault) => toast.error({ title: "Couldn't replay it", message: Object.values(faultsOf(fault))[0] }),
      onSettled: () => queries.invalidateQueries({ queryKey: adminPayments.events.key() }),
    }),
  );
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3.5">
      <div className="min-w-0 grow basis-60">
        <p className="font-strong wrap-anywhere">{type}</p>
        <p className="text-13 wrap-anywhere text-quiet">
          <span>{`${objectId} · received `}</span>
          <RelativeTime at={receivedAt} />
          <span>{` · ${attempts === 0 ? 'not tried yet' : `tried ${formatCount(attempts, 'time')}`} · again `}</span>
          <RelativeTime at={nextAttemptAt} />
        </p>
        {error !== null && <p className="text-13 wrap-anywhere">{isolate(error)}</p>}
      </div>
      <Button variant="outline" icon={RotateCw} busy={replay.isPending} onClick={() => replay.mutate({ eventId })}>
        Replay
      </Button>
    </div>
  );
}
