import { CircleCheck, CircleDashed, CircleMinus, CircleX, type LucideIcon } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { List } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { CheckStep, FullCheck } from './contract.ts';

const results = {
  green: { word: 'Green', tone: 'moss' },
  red: { word: 'Red', tone: 'rust' },
  cancelled: { word: 'Ended early', tone: 'plain' },
  died: { word: 'Broke off', tone: 'rust' },
} as const;

/** How a run ended, or that it has not. */
export function ResultChip({ run: { result, isEnding } }: { run: FullCheck }) {
  if (result === null) return <Chip tone="plum">{isEnding ? 'Ending' : 'Running'}</Chip>;
  const { word, tone } = results[result];
  return <Chip tone={tone}>{word}</Chip>;
}

/** Returns how long a run took; undefined while it goes on. */
export const secondsOf = ({ startedAt, endedAt }: FullCheck) =>
  endedAt === null ? undefined : Math.round((endedAt.getTime() - startedAt.getTime()) / 1000);

/** A run with its steps. */
export function CheckRun({ run, title }: { run: FullCheck; title: string }) {
  const { steps, startedAt } = run;
  const done = steps.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  const seconds = secondsOf(run);
  return (
    <section>
      <SectionHeader title={title}>
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
