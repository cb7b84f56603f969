import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Pause, Play } from 'lucide-react';
import { formatCount, isolate } from '#kit/text.ts';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Chip } from '#ui/chip.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminFunctions } from '../admin-calls.tsx';
import type { QueueRow } from '../functions-contract.ts';
import { NothingFound } from './function-list.tsx';
import { arrange, describeCalls, type FunctionSearch, formatMs } from './function-order.ts';

/** Every queue of jobs; an owner runs what comes by itself, pauses and resumes. */
export function QueueList({
  query,
  search,
  isOwner,
}: {
  query: UseQueryResult<{ queues: QueueRow[] }>;
  search: FunctionSearch;
  isOwner: boolean;
}) {
  return (
    <Loaded query={query} label="Loading jobs">
      {({ queues }) => {
        const found = arrange(
          queues,
          search,
          ({ queue, about }) => `${queue} ${about}`,
          ({ paused }) => paused !== null,
        );
        if (found.length === 0) return <NothingFound />;
        return (
          <List label="Queues">
            {found.map((row) => (
              <li key={row.queue}>
                <Queue row={row} isOwner={isOwner} />
              </li>
            ))}
          </List>
        );
      }}
    </Loaded>
  );
}

function Queue({ row, isOwner }: { row: QueueRow; isOwner: boolean }) {
  const { queue, about, paused, failed, waiting, running } = row;
  return (
    <div className="flex items-start gap-3 px-4 py-3.5">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-strong wrap-anywhere">{queue}</span>
          {paused !== null && <Chip tone="rust">Paused</Chip>}
          {failed > 0 && <Chip tone="rust">{`${failed} failed`}</Chip>}
          {waiting + running > 0 && <Chip tone="plain">{`${running} running, ${waiting} waiting`}</Chip>}
        </p>
        <p className="text-13 text-pretty">{about}</p>
        {paused !== null && (
          <p className="text-13 font-medium text-rust">
            <span>{`By ${paused.by === null ? 'the command line' : isolate(paused.by)}, `}</span>
            <RelativeTime at={paused.at} />
          </p>
        )}
        <Turns row={row} />
        <p className="text-13 text-pretty text-quiet">{describeCalls(row)}</p>
        <p className="text-13 text-pretty text-quiet">{describeRules(row)}</p>
      </div>
      {isOwner && <Actions row={row} />}
    </div>
  );
}

/** When it ran last, how that went, and when it comes next. */
function Turns({ row: { cron, nextAt, last } }: { row: QueueRow }) {
  return (
    <p className="text-13 text-pretty text-quiet">
      <span>{cron === null ? 'When there is work' : `At ${cron} UTC`}</span>
      <span>{last === null ? ' · not within a day' : ` · ${last.hasFailed ? 'failed' : 'done'} `}</span>
      {last !== null && <RelativeTime at={last.at} />}
      {last !== null && <span>{` in ${formatMs(last.ms)}`}</span>}
      {nextAt !== null && <span>{` · next at ${nextAt.toISOString().slice(11, 16)} UTC`}</span>}
    </p>
  );
}

const describeRules = ({ atOnce, retryLimit, expireInSeconds, neverPaused }: QueueRow): string =>
  [
    `${atOnce} at once in a process`,
    formatCount(retryLimit, 'retry', 'retries'),
    `${Math.round(expireInSeconds / 60)} minutes at most`,
    ...(neverPaused === null ? [] : [`never paused: ${neverPaused}`]),
  ].join(' · ');

function Actions({ row: { queue, cron, paused, neverPaused } }: { row: QueueRow }) {
  const run = useWrite(adminFunctions.run.mutationOptions(useSettled('It runs as soon as a process is free')));
  const pause = useWrite(adminFunctions.pause.mutationOptions(useSettled('It is paused. What runs ends first')));
  const resume = useWrite(adminFunctions.resume.mutationOptions(useSettled('It goes on')));
  const items = [
    ...(cron === null || paused !== null
      ? []
      : [{ label: 'Run now', icon: Play, onSelect: () => run.mutate({ queue }) }]),
    ...(paused === null && neverPaused === null
      ? [{ label: 'Pause', icon: Pause, danger: true, onSelect: () => pause.mutate({ queue }) }]
      : []),
    ...(paused === null ? [] : [{ label: 'Resume', icon: Play, onSelect: () => resume.mutate({ queue }) }]),
  ];
  if (items.length === 0) return null;
  return <Menu trigger={<IconButton icon={Ellipsis} label={`What to do with ${queue}`} />} items={items} />;
}

/** What follows on each of the three. */
function useSettled(done: string) {
  const queries = useQueryClient();
  return {
    onSuccess: () => {
      toast.success({ title: done });
      return queries.invalidateQueries({ queryKey: adminFunctions.key() });
    },
    onError: (error: unknown) => {
      toast.error({ title: "That didn't work", message: Object.values(faultsOf(error))[0] });
    },
  };
}
