import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { formatBytes, formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminFunctions, adminOperations } from '../admin-calls.tsx';
import type { FailedJobRow } from '../functions-contract.ts';
import type { FailedMedium } from '../operations-contract.ts';

/** Uploads that could not be made ready, each with a way to try again. */
export function FailedMedia({ media }: { media: readonly FailedMedium[] }) {
  if (media.length === 0) return <EmptyState icon={CircleCheck} title="No upload has failed" />;
  return (
    <List label="Failed uploads">
      {media.map((medium) => (
        <li key={medium.id}>
          <MediumRow medium={medium} />
        </li>
      ))}
    </List>
  );
}

/** What both kinds of retrying do when they are done. */
function useSettle(done: string) {
  const queries = useQueryClient();
  return {
    onSuccess: () => {
      toast.success({ title: done });
      return Promise.all([
        queries.invalidateQueries({ queryKey: adminOperations.key() }),
        queries.invalidateQueries({ queryKey: adminFunctions.key() }),
      ]);
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

/** Jobs that were laid aside, each with a way to try again. */
export function FailedJobs({ failed }: { failed: readonly FailedJobRow[] }) {
  if (failed.length === 0) return <EmptyState icon={CircleCheck} title="No job has failed in the last two weeks" />;
  return (
    <List label="Failed jobs">
      {failed.map((job) => (
        <li key={job.id}>
          <JobRow job={job} />
        </li>
      ))}
    </List>
  );
}

function JobRow({ job }: { job: FailedJobRow }) {
  const { id, queue, tries, error, failedAt } = job;
  const retry = useWrite(adminFunctions.retryJob.mutationOptions(useSettle('The job runs once more')));
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
