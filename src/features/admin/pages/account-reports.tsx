import { claimWords } from '#features/reports/report-words.ts';
import { formatMoment } from '#kit/time.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { reportStates } from '../admin-words.ts';
import { type AccountCard, type AccountReport, mostReports } from '../contract.ts';

interface AccountReportsProps {
  account: AccountCard;
  /** They decide reports, so the rows lead there. */
  canOpen: boolean;
}

/** Reports of what an account shares, and those that its address has sent; nothing stands here where there are none. */
export function AccountReports({ account: { reports }, canOpen }: AccountReportsProps) {
  return (
    <>
      <Reports title="Reports about what they share" reports={reports.against} canOpen={canOpen} />
      <Reports title="Reports from their address" reports={reports.by} canOpen={canOpen} />
    </>
  );
}

function Reports({ title, reports, canOpen }: { title: string; reports: readonly AccountReport[]; canOpen: boolean }) {
  const now = useNow();
  if (reports.length === 0) return null;
  return (
    <section>
      <SectionHeader title={title} />
      <List label={title}>
        {reports.map(({ number, kind, state, at }) => (
          <li key={number}>
            <Row
              title={`${number}: ${claimWords[kind]}`}
              to={canOpen ? `/admin/moderation/${number}` : undefined}
              mark={<Chip tone={reportStates[state].tone}>{reportStates[state].word}</Chip>}
              quiet={formatMoment(at, now)}
            />
          </li>
        ))}
      </List>
      {reports.length === mostReports && (
        <p className="mt-3 text-quiet">{`Only the newest ${mostReports} are shown.`}</p>
      )}
    </section>
  );
}
