import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { formatCount, isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import type { AnswerKind, ContentReport } from '../contract.ts';
import { answerWords, claimWords, stateWords } from '../report-words.ts';
import { reports } from '../reports-calls.tsx';
import { AnswerDialog } from './answer-dialog.tsx';

export const meta = () => [{ title: 'Reports · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Lists what was hidden or removed of one's own after a report, why, and the ways to say that it is wrong. */
export default function ContentReportsPage() {
  const { me } = useMe();
  const query = useQuery(reports.mine.queryOptions({ input: {} }));
  const found = query.data?.reports ?? [];
  return (
    <>
      <PageHeader
        title="Reports"
        facts="What was hidden or removed because someone reported it, and why."
        {...(me?.hasAccess === true && { back: { to: '/profile/data', label: 'Privacy & data' } })}
      />
      {query.isPending && <SkeletonRows />}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.isSuccess && found.length === 0 && (
        <EmptyState icon={ShieldCheck} title="Nothing was hidden or removed">
          If someone reports one of your links and it is closed, you'll find the reasons here and can answer.
        </EmptyState>
      )}
      <ul className="grid max-w-160 gap-4">
        {found.map((report) => (
          <li key={report.number}>
            <ReportCard report={report} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ReportCard({ report }: { report: ContentReport }) {
  const now = useNow();
  const [answering, setAnswering] = useState<AnswerKind>();
  const { number, kind, state, linkName, albumNames, heldItems, reportedAt, reporterName, open, answers } = report;
  const id = `report-${number}`;
  return (
    <Card aria-labelledby={id} className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="min-w-0 text-21 wrap-break-word">
          {claimWords[kind]}
        </h2>
        <Chip tone={state === 'restored' ? 'moss' : 'rust'}>{stateWords[state]}</Chip>
      </div>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
        <Fact name="Report" value={`${number}, ${formatMoment(reportedAt, now)}`} />
        <Fact name="Link" value={linkName === null ? 'Deleted since' : isolate(linkName || 'Untitled Link')} />
        {albumNames.length > 0 && <Fact name="Albums" value={albumNames.map(isolate).join(', ')} />}
        {heldItems > 0 && (
          <Fact
            name="Under review"
            value={`${formatCount(heldItems, 'photo or video', 'photos and videos')}, in every album`}
          />
        )}
        {reporterName !== null && <Fact name="Reported by" value={isolate(reporterName)} />}
      </dl>
      {report.notice !== null && <Quote text={report.notice} />}
      <Story report={report} now={now} />
      {answers.map((answer) => (
        <Said key={answer.kind} answer={answer} now={now} />
      ))}
      {open.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {open.map((one, n) => (
            <Button key={one} variant={n === 0 ? 'primary' : 'outline'} onClick={() => setAnswering(one)}>
              {answerWords[one].button}
            </Button>
          ))}
        </div>
      )}
      {answering !== undefined && (
        <AnswerDialog number={number} kind={answering} onClose={() => setAnswering(undefined)} />
      )}
    </Card>
  );
}

function Quote({ text }: { text: string }) {
  return <p className="whitespace-pre-line border-l-2 border-line pl-3 wrap-anywhere">{isolate(text)}</p>;
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-13 text-quiet sm:leading-6">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{value}</dd>
    </>
  );
}

/** Says what was done, by whom, why and until when something can be done about it. */
function Story({ report, now }: { report: ContentReport; now: Date }) {
  const { state, wasHiddenAtOnce, decideBy, decidedAt, reason, appealUntil } = report;
  const hidden = wasHiddenAtOnce
    ? 'It was hidden automatically when the report arrived, and nobody can open it.'
    : 'A person hid it, and nobody can open it.';
  return (
    <div className="grid gap-2">
      {state === 'hidden' && <p>{`${hidden} A person decides by ${formatMoment(decideBy, now)}.`}</p>}
      {decidedAt !== null && reason !== null && (
        <>
          <p>{`${state === 'restored' && report.answers.every(({ outcome }) => outcome === null) ? 'A person looked at it and opened it again' : 'A person removed it'} on ${formatMoment(decidedAt, now)}. The reason:`}</p>
          <Quote text={reason} />
        </>
      )}
      {appealUntil !== null && report.open.length > 0 && (
        <p className="text-quiet">{`You can appeal until ${formatMoment(appealUntil, now)}. Someone else decides then.`}</p>
      )}
    </div>
  );
}

/** Shows what the creator has said, and what came of it. */
function Said({ answer, now }: { answer: ContentReport['answers'][number]; now: Date }) {
  const { kind, text, createdAt, decideBy, outcome, reason } = answer;
  return (
    <div className="grid gap-2">
      <p className="font-medium">{`${answerWords[kind].said} on ${formatMoment(createdAt, now)}`}</p>
      <Quote text={text} />
      {outcome === null && decideBy !== null && (
        <p className="text-quiet">
          {kind === 'appeal'
            ? `It is decided by ${formatMoment(decideBy, now)}.`
            : `It opens again on ${formatMoment(decideBy, now)}, unless whoever reported it has gone to court.`}
        </p>
      )}
      {outcome !== null && (
        <>
          <p>{outcome === 'restored' ? 'It is open again. The reason:' : 'It stays removed. The reason:'}</p>
          <Quote text={reason ?? ''} />
        </>
      )}
    </div>
  );
}
