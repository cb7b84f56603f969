import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ImageOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { useLive } from '#wire/use-live.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { TraceDetail } from '../contract.ts';
import { describeStep, shareShown } from '../page-texts.ts';
import { Answer } from './answer.tsx';
import { Copy } from './side-by-side.tsx';
import { leaksOf, tracing } from './trace-calls.tsx';

const isOver = ({ state }: Pick<TraceDetail, 'state'>) => state === 'done' || state === 'failed';
/** Without a live line a trace under way is asked for again after this time. */
const lookMs = 3000;

/** What became of one leaked copy; it stands in the page of the album where it was submitted. */
export default function LeakPage() {
  const { albumId = '', traceId = '' } = useParams();
  useLive(['trace.', 'link.', 'viewer.'], [tracing.one.key({ input: { traceId } })]);
  const query = useQuery(
    tracing.one.queryOptions({
      input: { traceId },
      refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? lookMs : false),
    }),
  );
  const back = (
    <Link
      to={leaksOf(albumId)}
      className="-ml-1.5 inline-flex min-h-11 items-center gap-1 justify-self-start pr-3 text-13 text-quiet hover:text-ink"
    >
      <ChevronLeft className="size-4.5" />
      All copies
    </Link>
  );
  return (
    <div className="grid gap-3">
      {back}
      {query.isPending && <Loading />}
      {query.isError && query.data === undefined && (
        <Missing error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && <Trace trace={query.data} albumId={albumId} />}
    </div>
  );
}

function Loading() {
  return (
    <div className="grid gap-4" aria-busy="true">
      <Skeleton className="h-8 w-full max-w-120" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Skeleton className="h-72 w-full rounded-photo" />
        <Skeleton className="h-72 w-full rounded-photo" />
      </div>
    </div>
  );
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const status = 'status' in error ? error.status : 0;
  if (status !== 404 && status !== 422) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <EmptyState icon={ImageOff} title="Copy not found">
      It was deleted, or its 30 days are up.
    </EmptyState>
  );
}

function Trace({ trace, albumId }: { trace: TraceDetail; albumId: string }) {
  if (trace.state === 'failed')
    return (
      <Over trace={trace} albumId={albumId}>
        <EmptyState
          icon={ImageOff}
          title="This copy couldn't be read"
          action={<ButtonLink to={leaksOf(albumId)}>Try another copy</ButtonLink>}
        >
          {trace.failText}
        </EmptyState>
      </Over>
    );
  if (!isOver(trace)) return <UnderWay trace={trace} albumId={albumId} />;
  return (
    <Over trace={trace} albumId={albumId}>
      <Answer trace={trace} albumId={albumId} />
    </Over>
  );
}

function UnderWay({ trace, albumId }: { trace: TraceDetail; albumId: string }) {
  const remove = useRemove(trace.id, albumId, 'The trace was canceled and the copy was deleted.');
  return (
    <div className="grid gap-4">
      <Card className="grid gap-3">
        <h2 role="status" className="text-21">
          {describeStep(trace)}
        </h2>
        <ProgressBar label="Trace progress" done={shareShown(trace)} />
        <p className="text-quiet">You can leave this page. Your result will be here.</p>
        <Button
          variant="outline"
          className="justify-self-start"
          busy={remove.isPending}
          onClick={() => remove.mutate({ traceId: trace.id })}
        >
          Cancel
        </Button>
      </Card>
      <div className="max-w-100">
        <Copy trace={trace} />
      </div>
    </div>
  );
}

/** What stands under every trace that is over: until when it is kept, and the way to delete it now. */
function Over({ trace, albumId, children }: { trace: TraceDetail; albumId: string; children: Elements }) {
  const now = useNow();
  const [isAsking, setAsking] = useState(false);
  const remove = useRemove(trace.id, albumId, 'The copy and its result were deleted.');
  return (
    <div className="grid gap-6">
      {children}
      <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3 text-13 text-quiet">
        <span>
          {`Submitted ${formatMoment(trace.createdAt, now)}. The copy will be deleted on ${formatMoment(trace.keptUntil, now)}.`}
        </span>
        <Button variant="bare" icon={Trash2} onClick={() => setAsking(true)}>
          Delete now
        </Button>
      </footer>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Delete this copy and its result?"
        description="The log will still show that it was submitted, and it still counts when the same photo is traced again."
        confirm="Delete copy"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ traceId: trace.id })}
      />
    </div>
  );
}

function useRemove(traceId: string, albumId: string, words: string) {
  const [go, queries] = [useNavigate(), useQueryClient()];
  return useWrite(
    tracing.remove.mutationOptions({
      onSuccess: async () => {
        toast.success({ title: words, goesAlong: true });
        await go(leaksOf(albumId), { replace: true });
        queries.removeQueries({ queryKey: tracing.one.key({ input: { traceId } }) });
        await queries.invalidateQueries({ queryKey: tracing.list.key() });
      },
      onError: (error) => toast.error({ title: 'Not deleted', message: error.message }),
    }),
  );
}
