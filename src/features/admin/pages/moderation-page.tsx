import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { HeldMatchCase, WaitingCase } from '#features/reports/desk-contract.ts';
import { claimWords } from '#features/reports/report-words.ts';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminOperations, adminReports } from '../admin-calls.tsx';
import { caseWords } from '../admin-words.ts';
import { LockedAlbums } from './locked-albums.tsx';
import { VerdictDialog } from './verdict-dialog.tsx';

export const meta = () => [{ title: 'Reports · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What waits for a decision, the most urgent first, albums that a withdrawal has locked, and what is held back as a copy. */
export default function ModerationPage() {
  const query = useQuery(adminReports.waiting.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader title="Reports" />
      <Loaded query={query} label="Loading the reports">
        {({ cases, held }) => (
          <div className="grid max-w-190 gap-8">
            <section>
              <SectionHeader title="Waiting for a decision" />
              {cases.length === 0 ? (
                <EmptyState icon={ShieldCheck} title="No report waits for a decision" />
              ) : (
                <List label="Reports">
                  {cases.map((one) => (
                    <li key={`${one.number} ${one.what}`}>
                      <CaseRow one={one} />
                    </li>
                  ))}
                </List>
              )}
            </section>
            <LockedAlbums />
            {held.length > 0 && (
              <section>
                <SectionHeader title="Held back as copies" />
                <List label="Held back">
                  {held.map((match) => (
                    <li key={match.mediaId}>
                      <HeldRow match={match} />
                    </li>
                  ))}
                </List>
              </section>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

function CaseRow({ one }: { one: WaitingCase }) {
  const now = useNow();
  const { number, kind, what, isHidden, target, decideBy } = one;
  const isOver = decideBy < now;
  return (
    <Row
      title={`${caseWords[what]} ${number}: ${claimWords[kind]}`}
      to={`/admin/moderation/${number}`}
      mark={<Chip tone={isHidden ? 'ember' : 'plain'}>{isHidden ? 'Hidden' : 'Not hidden'}</Chip>}
      quiet={isolate(target)}
      story={isOver ? `Past its time: ${formatMoment(decideBy, now)}` : `Decide by ${formatMoment(decideBy, now)}`}
    />
  );
}

const verdicts = {
  release: {
    label: 'It is no copy: show it again',
    about: 'It is shown wherever it was, and not held back for this again.',
    confirm: 'Release',
  },
  erase: {
    label: 'It is one: remove it for good',
    about:
      'It and its keys are destroyed within the hour, and nobody can bring it back. Wait with what an authority may ask you for.',
    confirm: 'Remove for good',
    isFinal: true,
  },
};

function HeldRow({ match }: { match: HeldMatchCase }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { mediaId, kind, creatorEmail, isExact, source, reportNumber, matchedAt } = match;
  const of = source === 'list' ? 'one on your list' : `what report ${reportNumber ?? 'of long ago'} is about`;
  return (
    <>
      <Row
        title={creatorEmail}
        quiet={
          <>
            <span>{`${kind === 'video' ? 'Video' : 'Photo'}, ${isExact ? 'the same file as' : 'looks like'} ${of} · `}</span>
            <RelativeTime at={matchedAt} />
          </>
        }
        end={
          <Button variant="bare" onClick={() => setAsking(true)}>
            Decide
          </Button>
        }
      />
      {isAsking && (
        <VerdictDialog
          title={`What becomes of this ${kind}?`}
          verdicts={verdicts}
          hint="It stands in the audit log. Of what is removed, the creator is mailed it too."
          mostLetters={1000}
          onDecide={async (verdict, reason) => {
            await (verdict === 'release' ? adminReports.release : adminReports.erase).call({ mediaId, reason });
            toast.success({ title: verdict === 'release' ? 'It is shown again' : 'It is removed' });
            setAsking(false);
            await queries.invalidateQueries({ queryKey: adminReports.key() });
            await queries.invalidateQueries({ queryKey: adminOperations.key() });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
