import { useQuery } from '@tanstack/react-query';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { useNow } from '#ui/clock.ts';
import { Card } from '#ui/layout/card.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import type { ReportOutcome } from '../contract.ts';
import { reports } from '../reports-calls.tsx';
import { NotHere } from './case-not-here.tsx';

const words: Readonly<Record<ReportOutcome['state'], { title: string; text: string }>> = {
  waiting: { title: 'We have your report', text: 'Nothing has been hidden so far. A person looks at it.' },
  hidden: { title: 'It is hidden', text: 'Nobody can open what you reported until a person has decided.' },
  removed: { title: 'It was removed', text: 'What you reported stays closed.' },
  rejected: { title: 'It was not removed', text: 'We looked at your report and found no reason to remove it.' },
  restored: { title: 'It is open again', text: 'It was removed, and opened again after its creator had appealed.' },
  appealed: { title: 'It is looked at again', text: 'It was removed, and its creator has appealed. It stays closed.' },
};

/** How a report stands. */
export function ReportCasePart({ reference }: { reference: { number: string; secret: string } }) {
  const query = useQuery(reports.state.queryOptions({ input: reference, retry: false }));
  const now = useNow();
  if (query.data === undefined) return <NotHere query={query} />;
  const { number, state, createdAt, decideBy, decidedAt, reason } = query.data;
  const { title, text } = words[state];
  return (
    <GuestFrame title={title} text={text}>
      <Card className="grid gap-2">
        <p>{`Report ${number}, ${formatMoment(createdAt, now)}`}</p>
        <p>
          {decidedAt === null
            ? `Decided by ${formatMoment(decideBy, now)}`
            : `Decided on ${formatMoment(decidedAt, now)}`}
        </p>
        {reason !== null && <p className="whitespace-pre-line wrap-anywhere">{isolate(reason)}</p>}
      </Card>
    </GuestFrame>
  );
}
