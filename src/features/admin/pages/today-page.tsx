import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useMe } from '#features/accounts/guard.tsx';
import { formatCount, formatMoney } from '#kit/text.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import type { AdminScope } from '#wire/promise.ts';
import { adminOperations } from '../admin-calls.tsx';
import type { Today } from '../operations-contract.ts';
import { Loaded } from './load-states.tsx';

export const meta = () => [{ title: 'Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const minuteMs = 60_000;

/** What waits for somebody, then how the week goes against the one before. */
export default function TodayPage() {
  const { me } = useMe();
  const query = useQuery(adminOperations.today.queryOptions({ input: {}, refetchInterval: minuteMs }));
  return (
    <>
      <PageHeader title="Admin" facts="What waits for someone, and the last seven days against the seven before." />
      <Loaded query={query} label="Loading today">
        {(today) => (
          <div className="grid gap-8">
            <Waiting waiting={today.waiting} scopes={me?.adminScopes ?? []} />
            <Week today={today} />
          </div>
        )}
      </Loaded>
    </>
  );
}

/** What waits, each with where it is seen to; what there is none of is left out. */
function listWaiting(waiting: Today['waiting']) {
  const { reports, overdueReports, support, emails, media, jobs, errors, heldPayouts } = waiting;
  return [
    {
      count: reports,
      title: formatCount(reports, 'report waits for a decision', 'reports wait for a decision'),
      quiet: overdueReports > 0 ? `${overdueReports} of them past its time` : 'All within their time',
      to: '/admin/moderation',
    },
    {
      count: support,
      title: formatCount(support, 'message to support is not answered', 'messages to support are not answered'),
      quiet: undefined,
      to: '/admin/support',
    },
    {
      count: emails,
      title: formatCount(emails, 'email was not delivered', 'emails were not delivered'),
      quiet: undefined,
      to: '/admin/mails',
    },
    {
      count: media,
      title: formatCount(media, 'upload of the last two weeks failed', 'uploads of the last two weeks failed'),
      quiet: undefined,
      to: '/admin/functions',
    },
    {
      count: jobs,
      title: formatCount(jobs, 'job failed in the last day', 'jobs failed in the last day'),
      quiet: undefined,
      to: '/admin/functions',
    },
    {
      count: errors,
      title: formatCount(errors, 'error in the last day', 'errors in the last day'),
      quiet: undefined,
      to: '/admin/debug',
    },
    {
      count: heldPayouts,
      title: formatCount(heldPayouts, "creator's payouts are held", "creators' payouts are held"),
      quiet: 'See them with: npm run pf -- payouts',
      to: undefined,
    },
  ].filter(({ count }) => count > 0);
}

function Waiting({ waiting, scopes }: { waiting: Today['waiting']; scopes: readonly AdminScope[] }) {
  const may = (scope: AdminScope) => scopes.includes('owner') || scopes.includes(scope);
  const rows = listWaiting(waiting).filter(({ to }) => may(to === '/admin/moderation' ? 'moderation' : 'support'));
  return (
    <section>
      <SectionHeader title="Waiting" />
      {rows.length === 0 ? (
        <EmptyState icon={CircleCheck} title="Nothing waits">
          Reports, messages, failed emails, uploads and jobs appear here.
        </EmptyState>
      ) : (
        <List label="Waiting">
          {rows.map(({ title, quiet, to }) => (
            <li key={title}>
              <Row title={title} to={to} quiet={quiet} />
            </li>
          ))}
        </List>
      )}
    </section>
  );
}

function Week({ today }: { today: Today }) {
  const tiles: [label: string, week: { now: number; before: number }, write: (value: number) => string][] = [
    ['New accounts', today.signUps, String],
    ['Uploads', today.uploads, String],
    ['Links opened for the first time', today.linksOpened, String],
    ['Sales', today.salesCents, (cents) => formatMoney(cents)],
    ['Our share', today.feeCents, (cents) => formatMoney(cents)],
    ['Refunded', today.refundedCents, (cents) => formatMoney(cents)],
  ];
  return (
    <section>
      <SectionHeader title="Seven days" />
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {tiles.map(([label, { now, before }, write]) => (
          <StatTile key={label} label={label} value={write(now)} note={`${write(before)} in the seven days before`} />
        ))}
        <StatTile label="Accounts that pay" value={today.payingAccounts} note="Now" />
        <StatTile label="Accounts in trial" value={today.trialAccounts} note="Now" />
      </div>
    </section>
  );
}
