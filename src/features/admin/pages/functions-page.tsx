import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { formatBytes, formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminOperations } from '../admin-calls.tsx';
import type { FailedJobRow, FailedMedium, QueueRow } from '../operations-contract.ts';
import { Loaded } from './load-states.tsx';

export const meta = () => [{ title: 'Jobs & media · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const refreshMs = 10_000;

/** Uploads and jobs that failed, each with a way to try again, and every queue. */
export default function FunctionsPage() {
  const jobs = useQuery(adminOperations.jobs.queryOptions({ input: {}, refetchInterval: refreshMs }));
  const media = useQuery(adminOperations.failedMedia.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader title="Jobs & media" />
      <div className="grid max-w-190 gap-8">
        <section>
          <SectionHeader title="Failed uploads" />
          <Loaded query={media} label="Loading failed uploads">
            {(data) =>
              data.media.length === 0 ? (
                <EmptyState icon={CircleCheck} title="No upload has failed" />
              ) : (
                <List label="Failed uploads">
                  {data.media.map((medium) => (
                    <li key={medium.id}>
                      <MediumRow medium={medium} />
                    </li>
                  ))}
                </List>
              )
            }
          </Loaded>
        </section>
        <Loaded query={jobs} label="Loading jobs">
          {({ queues, failed }) => (
            <div className="grid gap-8">
              <FailedJobs failed={failed} />
              <Queues queues={queues} />
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}

/** What both kinds of retrying do when they are done. */
function useSettle(done: string) {
  const queries = useQueryClient();
  return {
    onSuccess: () => {
      toast.success({ title: done });
      return queries.invalidateQueries({ queryKey: adminOperations.key() });
    },
    onError: (error: unknown) => {
      toast.error({ title: "Couldn't try again", message: Object.values(faultsOf(error))[0] });
    },
  };
}

function MediumRow({ medium }: { medium: FailedMedium }) {
  const { id, creatorId, creatorEmail, kind, code, text, sizeBytes, createdAt } = medium;
  const retry = useWrite(adminOperations.retryMedium.mutationOptions(useSettle('It is made ready once more')));
  return (
    <Row
      title={creatorEmail}
      to={`/admin/users/${creatorId}`}
      mark={<Chip tone="rust">{code}</Chip>}
      quiet={
        <>
          <span>{`${kind === 'video' ? 'Video' : 'Photo'}, ${formatBytes(sizeBytes)} · `}</span>
          <RelativeTime at={createdAt} />
        </>
      }
      story={text === null ? undefined : isolate(text)}
      end={
        <Button variant="bare" busy={retry.isPending} onClick={() => retry.mutate({ mediaId: id })}>
          Try again
        </Button>
      }
    />
  );
}

function FailedJobs({ failed }: { failed: readonly FailedJobRow[] }) {
  return (
    <section>
      <SectionHeader title="Failed jobs" />
      {failed.length === 0 ? (
        <EmptyState icon={CircleCheck} title="No job has failed in the last day" />
      ) : (
        <List label="Failed jobs">
          {failed.map((job) => (
            <li key={job.id}>
              <JobRow job={job} />
            </li>
          ))}
        </List>
      )}
    </section>
  );
}

function JobRow({ job }: { job: FailedJobRow }) {
  const { id, queue, tries, error, failedAt } = job;
  const retry = useWrite(adminOperations.retryJob.mutationOptions(useSettle('The job runs once more')));
  return (
    <Row
      title={queue}
      quiet={
        <>
          <span>{`${formatCount(tries, 'try', 'tries')} · `}</span>
          <RelativeTime at={failedAt} />
        </>
      }
      story={isolate(error)}
      end={
        <Button variant="bare" busy={retry.isPending} onClick={() => retry.mutate({ queue, jobId: id })}>
          Try again
        </Button>
      }
    />
  );
}

function Queues({ queues }: { queues: readonly QueueRow[] }) {
  return (
    <section>
      <SectionHeader title="Every queue" />
      <List label="Queues">
        {queues.map(({ queue, cron, waiting, running, failed, lastDoneAt }) => (
          <li key={queue}>
            <Row
              title={queue}
              mark={failed > 0 && <Chip tone="rust">{`${failed} failed`}</Chip>}
              quiet={
                <>
                  <span>{`${cron === null ? 'When there is work' : `At ${cron} UTC`} · last done `}</span>
                  {lastDoneAt === null ? <span>more than a day ago</span> : <RelativeTime at={lastDoneAt} />}
                </>
              }
              end={waiting + running > 0 && <span>{`${running} running, ${waiting} waiting`}</span>}
            />
          </li>
        ))}
      </List>
    </section>
  );
}
