import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import type { HeldMatchCase, WaitingCase } from '#features/reports/desk-contract.ts';
import { claimWords } from '#features/reports/report-words.ts';
import { proseText } from '#kit/bounded-text.ts';
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
import { adminReports } from '../admin-calls.tsx';
import { caseWords } from '../admin-words.ts';
import { ReasonDialog } from './reason-dialog.tsx';

export const meta = () => [{ title: 'Reports · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What waits for a decision, the most urgent first, and what is held back as a copy. */
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
            Release
          </Button>
        }
      />
      {isAsking && (
        <ReasonDialog
          title="Show it again?"
          description="It is shown wherever it was, and not held back for this again."
          label="Why"
          hint="It stands in the audit log."
          confirm="Release"
          mostLetters={1000}
          shape={z.object({ reason: proseText(1000, 'Use at most 1000 characters').min(1, 'Say why') })}
          onClose={() => setAsking(false)}
          onConfirm={async (reason) => {
            await adminReports.release.call({ mediaId, reason });
            toast.success({ title: 'It is shown again' });
            setAsking(false);
            await queries.invalidateQueries({ queryKey: adminReports.key() });
          }}
        />
      )}
    </>
  );
}
