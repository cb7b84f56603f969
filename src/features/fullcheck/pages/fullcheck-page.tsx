import { useQuery } from '@tanstack/react-query';
import { CircleDashed } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { CheckRun, ResultChip, secondsOf } from '../check-run.tsx';
import type { FullCheck } from '../contract.ts';
import { fullCheck, runningMs } from '../fullcheck-calls.tsx';
import { RunButton } from '../run-button.tsx';

export const meta = () => [{ title: 'Full check · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

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
        actions={
          data && <RunButton label="Run the full check" running={newest?.result === null ? newest : undefined} />
        }
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
          <CheckRun run={newest} title="The newest run" />
          {older.length > 0 && <Older runs={older} />}
        </div>
      )}
    </>
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
