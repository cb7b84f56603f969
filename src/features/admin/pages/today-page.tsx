import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useMe } from '#features/accounts/guard.tsx';
import { formatCount, formatMoney } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import type { AdminScope } from '#wire/promise.ts';
import { adminOperations } from '../admin-calls.tsx';
import type { Today } from '../operations-contract.ts';

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
            <Waiting today={today} scopes={me?.adminScopes ?? []} />
            <Week today={today} />
          </div>
        )}
      </Loaded>
    </>
  );
}

interface WaitingRow {
  count: number;
  title: string;
  quiet?: string;
  /** Who sees to it, and where. */
  scope: AdminScope;
  to?: string;
}

const timeWords = (overdue: number) => (overdue > 0 ? `${overdue} of them past its time` : 'All within their time');

function listForModerators({ reports, overdueReports, appeals, overdueAppeals, ...waiting }: Today['waiting']) {
  const { heldCopies, lockedAlbums } = waiting;
  const rows: Omit<WaitingRow, 'scope'>[] = [
    {
      count: reports,
      title: formatCount(reports, 'report waits for a decision', 'reports wait for a decision'),
      quiet: timeWords(overdueReports),
      to: '/admin/moderation',
    },
    {
      count: appeals,
      title: formatCount(appeals, 'appeal waits for a decision', 'appeals wait for a decision'),
      quiet: timeWords(overdueAppeals),
      to: '/admin/moderation',
    },
    {
      count: heldCopies,
      title: formatCount(heldCopies, 'upload is held back as a copy', 'uploads are held back as copies'),
      to: '/admin/moderation',
    },
    {
      count: lockedAlbums,
      title: formatCount(lockedAlbums, 'locked album waits for a look', 'locked albums wait for a look'),
      quiet: 'A consent was withdrawn, and the creator says that the pictures are gone',
      to: '/admin/moderation',
    },
  ];
  return rows.map((row) => ({ ...row, scope: 'moderation' as const }));
}

function listForSupport({ support, emails, media, jobs, errors }: Today['waiting']) {
  const rows: Omit<WaitingRow, 'scope'>[] = [
    {
      count: support,
      title: formatCount(support, 'message to support is not answered', 'messages to support are not answered'),
      to: '/admin/support',
    },
    {
      count: emails,
      title: formatCount(emails, 'email was not delivered', 'emails were not delivered'),
      to: '/admin/mails',
    },
    {
      count: media,
      title: formatCount(media, 'upload of the last two weeks failed', 'uploads of the last two weeks failed'),
      to: '/admin/functions',
    },
    {
      count: jobs,
      title: formatCount(jobs, 'job of the last two weeks failed', 'jobs of the last two weeks failed'),
      to: '/admin/functions',
    },
    {
      count: errors,
      title: formatCount(errors, 'error in the last day', 'errors in the last day'),
      to: '/admin/debug',
    },
  ];
  return rows.map((row) => ({ ...row, scope: 'support' as const }));
}

type WaitingMoney = NonNullable<Today['money']>['waiting'];

function listForFinance({ disputes, disputesDueBy, refundRequests, heldPayouts, ...waiting }: WaitingMoney, now: Date) {
  const { customRequests, providerEvents, partnerApplications } = waiting;
  const rows: Omit<WaitingRow, 'scope'>[] = [
    {
      count: disputes,
      title: formatCount(disputes, 'dispute is not answered', 'disputes are not answered'),
      ...(disputesDueBy !== null && { quiet: `The next by ${formatMoment(disputesDueBy, now)}` }),
      to: '/admin/payments/disputes',
    },
    {
      count: refundRequests,
      title: formatCount(refundRequests, 'buyer asks for their money', 'buyers ask for their money'),
      to: '/admin/payments',
    },
    {
      count: customRequests,
      title: formatCount(customRequests, 'custom request waits for a decision', 'custom requests wait for a decision'),
      to: '/admin/payments/requests',
    },
    {
      count: heldPayouts,
      title: formatCount(heldPayouts, "creator's payouts are held", "creators' payouts are held"),
      to: '/admin/payments/payouts',
    },
    {
      count: providerEvents,
      title: formatCount(providerEvents, 'event of the provider waits', 'events of the provider wait'),
      to: '/admin/payments/events',
    },
    {
      count: partnerApplications,
      title: formatCount(partnerApplications, 'partner application waits', 'partner applications wait'),
      to: '/admin/affiliates?state=applied',
    },
  ];
  return rows.map((row) => ({ ...row, scope: 'finance' as const }));
}

/** What waits, each with where it is seen to; what there is none of is left out. What has a time comes first. */
const listWaiting = ({ waiting, money }: Today, now: Date): WaitingRow[] =>
  [
    ...listForModerators(waiting),
    ...(money === null ? [] : listForFinance(money.waiting, now)),
    ...listForSupport(waiting),
  ].filter(({ count }) => count > 0);

function Waiting({ today, scopes }: { today: Today; scopes: readonly AdminScope[] }) {
  const may = (scope: AdminScope) => scopes.includes('owner') || scopes.includes(scope);
  const now = useNow();
  const rows = listWaiting(today, now).filter(({ scope }) => may(scope));
  return (
    <section>
      <SectionHeader title="Waiting" />
      {rows.length === 0 ? (
        <EmptyState icon={CircleCheck} title="Nothing waits">
          What has to be decided or answered appears here, and what has failed.
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

const percent = ({ part, whole }: { part: number; whole: number }) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

/** A part of a whole, against the days before. */
function ShareTile({
  label,
  share: { part, whole },
  of,
}: {
  label: string;
  share: Today['emailsReturned'];
  of: string;
}) {
  const before = percent({ part: part.before, whole: whole.before });
  return (
    <StatTile
      label={label}
      value={percent({ part: part.now, whole: whole.now })}
      note={`${part.now} of ${whole.now} ${of}, before ${before}`}
    />
  );
}

const lightWords = {
  green: 'Fine',
  amber: 'Getting full',
  red: 'Nearly full',
  unknown: 'Not known',
  off: 'Off',
} as const;

/** How it stands, whatever the week was like. */
function StateTiles({ today: { money, disk, trialAccounts } }: { today: Today }) {
  return (
    <>
      <SectionHeader title="Now" />
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {money !== null && (
          <StatTile
            label="Plans a month"
            value={formatMoney(money.recurringCents)}
            note={
              money.endingCents === 0
                ? 'None of it ends'
                : `${formatMoney(money.endingCents)} of it end with their period`
            }
          />
        )}
        {money !== null && <StatTile label="Accounts that pay" value={money.payingAccounts} />}
        <StatTile label="Accounts in trial" value={trialAccounts} />
        {money !== null && <ShareTile label="Disputed in 30 days" share={money.disputed} of="payments" />}
        <StatTile label="Disk" value={lightWords[disk.light]} note={disk.finding} />
      </div>
    </>
  );
}

type Tile = [label: string, week: { now: number; before: number }, write: (value: number) => string];

function Week({ today: { money, ...today } }: { today: Today }) {
  const cents = (value: number) => formatMoney(value);
  const tiles: Tile[] = [
    ['New accounts', today.signUps, String],
    ['Uploads', today.uploads, String],
    ['Links opened for the first time', today.linksOpened, String],
  ];
  if (money !== null)
    tiles.push(
      ['Sales', money.salesCents, cents],
      ['Our share', money.feeCents, cents],
      ['Refunded', money.refundedCents, cents],
    );
  tiles.push(['Active creators', today.activeCreators, String]);
  return (
    <section>
      <SectionHeader title="Seven days" />
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {tiles.map(([label, { now, before }, write]) => (
          <StatTile key={label} label={label} value={write(now)} note={`${write(before)} in the seven days before`} />
        ))}
        {money !== null && <ShareTile label="Trials that became paid" share={money.trialsPaid} of="that ended" />}
        <ShareTile label="Emails returned" share={today.emailsReturned} of="that were sent" />
      </div>
      <StateTiles today={{ ...today, money }} />
    </section>
  );
}
