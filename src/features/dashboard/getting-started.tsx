import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { money } from '#features/money/money-calls.tsx';
import { cx } from '#ui/cx.ts';
import { Card } from '#ui/layout/card.tsx';
import type { Progress } from './contract.ts';
import { isStarted, listSteps, type Step } from './rules.ts';

/** The first steps, until all that can be done are done. */
export function GettingStarted({ progress }: { progress: Progress }) {
  const { data: earnings, isError } = useQuery(money.earnings.queryOptions({ input: {} }));
  if (earnings === undefined && !isError) return null;
  // Whoever was connected once is told elsewhere on this page what their account needs.
  const account = earnings?.isRestricted ? 'complete' : (earnings?.account ?? 'off');
  const steps = listSteps(progress, account);
  if (isStarted(steps)) return null;
  return (
    <Card aria-labelledby="getting-started">
      <h2 id="getting-started" className="text-21">
        Getting Started
      </h2>
      <ol className="mt-2 grid md:grid-cols-2 md:gap-x-6">
        {steps.map((step, at) => (
          <li key={step.title}>
            <StepRow step={step} number={at + 1} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

const words = { done: 'done', next: 'next', later: 'later' } as const;

function StepRow({ step: { title, text, to, state }, number }: { step: Step; number: number }) {
  const body = (
    <>
      <span
        aria-hidden="true"
        className={cx(
          'grid size-8 flex-none place-items-center rounded-full text-13 font-strong tabular-nums',
          state === 'done' && 'bg-moss-wash text-moss',
          state === 'next' && 'bg-plum text-on-plum',
          state === 'later' && 'border border-line text-quiet',
        )}
      >
        {state === 'done' ? <Check className="size-4" /> : number}
      </span>
      <span className="min-w-0">
        <span className={cx('block font-strong', state === 'later' && 'text-quiet')}>
          <span>{title}</span>
          <span className="sr-only">{`, ${words[state]}`}</span>
        </span>
        <span className="block text-13 text-quiet">{text}</span>
      </span>
    </>
  );
  const look = '-mx-2 flex min-h-14 items-center gap-3 rounded-control px-2 py-1.5';
  if (state !== 'next' || to === undefined) return <div className={look}>{body}</div>;
  return (
    <Link to={to} className={cx(look, 'hover:bg-plum-wash')}>
      {body}
    </Link>
  );
}
