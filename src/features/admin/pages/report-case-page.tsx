import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import * as z from 'zod';
import { useMe } from '#features/accounts/guard.tsx';
import type { ReportCase } from '#features/reports/desk-contract.ts';
import { claimWords } from '#features/reports/report-words.ts';
import { proseText } from '#kit/bounded-text.ts';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminReports } from '../admin-calls.tsx';
import { caseWords, reportStates } from '../admin-words.ts';
import { GlassLook } from './glass-look.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

export const meta = () => [{ title: 'Report · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One report with all that was said, and the decision. */
export default function ReportCasePage() {
  const { number = '' } = useParams();
  const query = useQuery(adminReports.show.queryOptions({ input: { number } }));
  return (
    <Loaded query={query} label="Loading the report">
      {(report) => <Case report={report} />}
    </Loaded>
  );
}

function Case({ report }: { report: ReportCase }) {
  const now = useNow();
  const { me } = useMe();
  const { number, kind, state, target, details, name, email, onBehalf, createdAt, decideBy, creatorId } = report;
  const { word, tone } = reportStates[state];
  const isOpen = report.decidedAt === null;
  return (
    <>
      <PageHeader
        title={`Report ${number}`}
        back={{ to: '/admin/moderation', label: 'Reports' }}
        facts={`${claimWords[kind]} · ${formatMoment(createdAt, now)}${isOpen ? ` · decide by ${formatMoment(decideBy, now)}` : ''}`}
        actions={<Chip tone={tone}>{word}</Chip>}
      />
      <div className="grid max-w-160 gap-5">
        <Card className="grid gap-3">
          <p className="wrap-anywhere">{`About: ${isolate(target)}`}</p>
          <p className="text-quiet wrap-anywhere">{`From ${isolate(name)}, ${isolate(email)}, ${onBehalf === 'self' ? 'about themselves' : 'for someone else'}`}</p>
          <p className="whitespace-pre-line border-l-2 border-line pl-3 wrap-anywhere">{isolate(details)}</p>
          {creatorId === null ? (
            <p className="text-quiet">It names no link of this installation.</p>
          ) : (
            <Link
              to={`/admin/users/${creatorId}`}
              className="inline-flex min-h-11 items-center font-strong text-plum underline-offset-4 hover:underline"
            >
              The creator's account
            </Link>
          )}
        </Card>
        {report.hasLink && (
          <GlassLook
            about={{ report: number }}
            scopes={me?.adminScopes ?? []}
            isOwn={report.creatorId === me?.user?.id}
          />
        )}
        {report.decidedAt !== null && (
          <Card className="grid gap-2">
            <p className="font-medium">{`Decided on ${formatMoment(report.decidedAt, now)} by ${isolate(report.decidedBy ?? 'nobody named')}`}</p>
            <p className="wrap-anywhere">{isolate(report.reason ?? '')}</p>
          </Card>
        )}
        {report.answers.map((answer) => (
          <Card key={answer.kind} className="grid gap-2">
            <p className="font-medium">{`${caseWords[answer.kind]} of the creator, ${formatMoment(answer.createdAt, now)}`}</p>
            {answer.name !== null && (
              <p className="text-quiet wrap-anywhere">{`${isolate(answer.name)}, ${isolate(answer.postalAddress ?? '')}`}</p>
            )}
            <p className="whitespace-pre-line wrap-anywhere">{isolate(answer.text)}</p>
            {answer.outcome !== null && (
              <p className="text-quiet wrap-anywhere">{`${answer.outcome === 'restored' ? 'Opened again' : 'Stays removed'}: ${isolate(answer.reason ?? '')}`}</p>
            )}
          </Card>
        ))}
        <Decision report={report} />
      </div>
    </>
  );
}

type Asked = 'remove' | 'reject' | 'kept' | 'restored';

/** Of a report that names no link of ours: nothing is closed by it. */
const noLink = {
  title: 'Note it as removed?',
  description: 'It names no link of this installation, so nothing is closed here. Whoever reported it is told.',
  confirm: 'Note as removed',
  done: 'It is noted',
};

const words: Readonly<Record<Asked, { title: string; description: string; confirm: string; done: string }>> = {
  remove: {
    title: 'Remove it for good?',
    description: 'The link and its albums stay closed, buyers get their money back, and the creator can appeal.',
    confirm: 'Remove',
    done: 'It is removed',
  },
  reject: {
    title: 'Reject the report?',
    description: 'What it had hidden opens again.',
    confirm: 'Reject',
    done: 'The report is rejected',
  },
  kept: {
    title: 'Keep it removed?',
    description: 'The appeal ends here.',
    confirm: 'Keep it removed',
    done: 'It stays removed',
  },
  restored: {
    title: 'Open it again?',
    description: 'The link and its albums open again, and whoever reported it is told.',
    confirm: 'Open again',
    done: 'It is open again',
  },
};

function Decision({ report }: { report: ReportCase }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const { number, state, hasLink, isOwnDecision } = report;
  const refresh = () => queries.invalidateQueries({ queryKey: adminReports.key() });
  const wordsOf = (what: Asked) => (what === 'remove' && !hasLink ? noLink : words[what]);
  const hide = useWrite(
    adminReports.hide.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'It is hidden until it is decided' });
        return refresh();
      },
      onError: (error) => toast.error({ title: "Couldn't hide it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  const decide = async (what: Asked, reason: string) => {
    if (what === 'remove' || what === 'reject')
      await adminReports.decide.call({ number, isRemoved: what === 'remove', reason });
    else await adminReports.decideAppeal.call({ number, outcome: what, reason });
    toast.success({ title: wordsOf(what).done });
    setAsked(undefined);
    await refresh();
  };
  if (state === 'appealed' && isOwnDecision)
    return <p className="text-quiet">You decided this report. Someone else decides about the appeal.</p>;
  const choices: Asked[] =
    state === 'appealed'
      ? ['kept', 'restored']
      : state === 'received' || state === 'hidden'
        ? ['remove', 'reject']
        : [];
  return (
    <div className="flex flex-wrap gap-3">
      {state === 'received' && hasLink && (
        <Button variant="outline" busy={hide.isPending} onClick={() => hide.mutate({ number })}>
          Hide until decided
        </Button>
      )}
      {choices.map((what) => (
        <Button key={what} variant={what === 'remove' ? 'danger' : 'outline'} onClick={() => setAsked(what)}>
          {wordsOf(what).confirm}
        </Button>
      ))}
      {asked !== undefined && (
        <ReasonDialog
          title={wordsOf(asked).title}
          description={wordsOf(asked).description}
          label="Why"
          hint="It is sent to those whom it concerns."
          confirm={wordsOf(asked).confirm}
          mostLetters={1000}
          shape={z.object({ reason: proseText(1000, 'Use at most 1000 characters').min(1, 'Say why') })}
          onClose={() => setAsked(undefined)}
          onConfirm={(reason) => decide(asked, reason)}
        />
      )}
    </div>
  );
}
