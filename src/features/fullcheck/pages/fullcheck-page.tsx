import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, CircleMinus, CircleX, type LucideIcon, Play, Square } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { type CheckStep, type FullCheck, fullCheckContract } from '../contract.ts';

export const meta = () => [{ title: 'Full check · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const fullCheck = callsOf('fullCheck', fullCheckContract);

/** While a run is under way its steps are read this often. */
const runningMs = 1000;

/** One click, and the whole product is gone through on accounts that are made for it and erased again. */
export default function FullCheckPage() {
  const query = useQuery(
    fullCheck.show.queryOptions({
      input: {},
      refetchInterval: ({ state }) => (state.data?.runs[0]?.result === null ? runningMs : false),
    }),
  );
  const { data, isError, error, refetch, isRefetching } = query;
  const [newest, ...older] = data?.runs ?? [];
  return (
    <>
      <PageHeader
        title="Full check"
        facts={data && (data.isNightly ? 'It runs every night by itself, too.' : 'The nightly run is turned off.')}
        actions={data && <Doing running={newest?.result === null ? newest : undefined} />}
      />
      {isError && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} busy={isRefetching} />}
      {query.isPending && <SkeletonRows label="Loading the full check" />}
      {data !== undefined && newest === undefined && (
        <EmptyState icon={CircleDashed} title="It has not run yet">
          It signs up a creator, uploads a photo and a video, opens links as phones do, pays with test money, traces a
          copy, and deletes all of it again. It takes a minute or two.
        </EmptyState>
      )}
      {newest !== undefined && (
        <div className="grid max-w-190 gap-8">
          <Run run={newest} />
          {older.length > 0 && <Older runs={older} />}
        </div>
      )}
    </>
  );
}

/** Begins a run, or ends the one that is under way. */
function Doing({ running }: { running: FullCheck | undefined }) {
  const queries = useQueryClient();
  const settle = {
    onSuccess: () => queries.invalidateQueries({ queryKey: fullCheck.key() }),
    onError: (error: unknown) => {
      toast.error({ title: "That didn't work", message: Object.values(faultsOf(error))[0] });
    },
  };
  const start = useWrite(fullCheck.start.mutationOptions(settle));
  const cancel = useWrite(fullCheck.cancel.mutationOptions(settle));
  if (running === undefined)
    return (
      <Button icon={Play} busy={start.isPending} onClick={() => start.mutate({})}>
        Run the full check
      </Button>
    );
  return (
    <Button
      variant="outline"
      icon={Square}
      busy={cancel.isPending || running.isEnding}
      onClick={() => cancel.mutate({})}
    >
      End it
    </Button>
  );
}

const results = {
  green: { word: 'Green', tone: 'moss' },
  red: { word: 'Red', tone: 'rust' },
  cancelled: { word: 'Ended early', tone: 'plain' },
  died: { word: 'Broke off', tone: 'rust' },
} as const;

function ResultChip({ run: { result, isEnding } }: { run: FullCheck }) {
  if (result === null) return <Chip tone="plum">{isEnding ? 'Ending' : 'Running'}</Chip>;
  const { word, tone } = results[result];
  return <Chip tone={tone}>{word}</Chip>;
}

const secondsOf = ({ startedAt, endedAt }: FullCheck) =>
  endedAt === null ? undefined : Math.round((endedAt.getTime() - startedAt.getTime()) / 1000);

function Run({ run }: { run: FullCheck }) {
  const { steps, startedAt } = run;
  const done = steps.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  const seconds = secondsOf(run);
  return (
    <section>
      <SectionHeader title="The newest run">
        <ResultChip run={run} />
      </SectionHeader>
      <p className="mb-3 text-13 text-quiet">
        <RelativeTime at={startedAt} />
        <span>
          {seconds === undefined
            ? ` · ${done} of ${formatCount(steps.length, 'step', 'steps')}`
            : ` · took ${formatCount(seconds, 'second', 'seconds')}`}
        </span>
      </p>
      <List label="Steps">
        {steps.map((step) => (
          <li key={step.key}>
            <StepRow step={step} />
          </li>
        ))}
      </List>
    </section>
  );
}

const marks: Record<Exclude<CheckStep['state'], 'running'>, { icon: LucideIcon; word: string; colour: string }> = {
  waiting: { icon: CircleDashed, word: 'Waiting', colour: 'text-quiet' },
  passed: { icon: CircleCheck, word: 'Passed', colour: 'text-moss' },
  failed: { icon: CircleX, word: 'Failed', colour: 'text-rust' },
  left_out: { icon: CircleMinus, word: 'Left out', colour: 'text-quiet' },
  not_run: { icon: CircleMinus, word: 'Not run here', colour: 'text-quiet' },
};

function StepMark({ state }: { state: CheckStep['state'] }) {
  if (state === 'running')
    return (
      <>
        <Spinner />
        <span className="sr-only">Running</span>
      </>
    );
  const { icon: Icon, word, colour } = marks[state];
  return <Icon role="img" aria-label={word} className={colour} />;
}

function StepRow({ step: { title, state, ms, said } }: { step: CheckStep }) {
  return (
    <div className="flex gap-3 px-4 py-3">
      <span className="mt-0.5 flex-none">
        <StepMark state={state} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {said !== '' && <p className="text-13 text-quiet wrap-anywhere">{said}</p>}
      </div>
      {ms !== null && (
        <span className="flex-none text-13 text-quiet tabular-nums">{`${(ms / 1000).toFixed(1)} s`}</span>
      )}
    </div>
  );
}

function Older({ runs }: { runs: readonly FullCheck[] }) {
  return (
    <section>
      <SectionHeader title="Before" />
      <List label="Runs before">
        {runs.map((run) => (
          <li key={run.id}>
            <OlderRow run={run} />
          </li>
        ))}
      </List>
    </section>
  );
}

function OlderRow({ run }: { run: FullCheck }) {
  const failed = run.steps.filter(({ state }) => state === 'failed');
  const seconds = secondsOf(run);
  return (
    <Row
      title={run.isByHand ? 'Begun here' : 'By night, or from the command line'}
      mark={<ResultChip run={run} />}
      quiet={
        <>
          <RelativeTime at={run.startedAt} />
          <span>{seconds === undefined ? '' : ` · ${formatCount(seconds, 'second', 'seconds')}`}</span>
        </>
      }
      story={failed.length > 0 ? failed.map(({ title, said }) => `${title}: ${said}`).join(' · ') : undefined}
    />
  );
}
