import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useMe } from '#features/accounts/guard.tsx';
import type { Payouts } from '#features/payouts/contract.ts';
import { describeDueFees, noteAvailable } from '#features/payouts/payout-words.ts';
import { formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useLive } from '#wire/use-live.tsx';
import { money } from '../money-calls.tsx';
import { GetPaid } from '../payout/get-paid.tsx';
import { useConnectReturn } from '../payout/use-connect-return.tsx';
import { PayoutHolds } from './payout-holds.tsx';
import { PayoutSchedule } from './payout-schedule.tsx';

export const meta = () => [{ title: 'Payouts · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What can be paid out, what follows and when, and how their account stands; with a plan or without. */
export default function PayoutsPage() {
  useLive(['viewer.paid'], [money.payouts.key()]);
  useConnectReturn();
  const { me } = useMe();
  const query = useQuery(money.payouts.queryOptions({ input: {} }));
  return (
    <>
      {me?.hasAccess ? (
        <PageHeader title="Payouts" back={{ to: '/earnings', label: 'Earnings' }} />
      ) : (
        <PageHeader
          title="Payouts"
          actions={
            <ButtonLink to="/requests" variant="outline" icon={Sparkles}>
              Requests
            </ButtonLink>
          }
        />
      )}
      <div className="grid gap-5">
        {query.isPending && (
          <div aria-busy="true">
            <Skeleton className="h-40 rounded-card" />
          </div>
        )}
        {query.isError && query.data === undefined && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
        )}
        {query.data && <Everything payouts={query.data} />}
      </div>
    </>
  );
}

/** Their account at the provider, and what it still asks for. */
function Account({ payouts: { account, isRestricted, missing } }: { payouts: Payouts }) {
  const title = account === 'complete' ? 'Needed before long' : 'Still missing';
  return (
    <>
      <GetPaid account={account} isRestricted={isRestricted} />
      {account !== 'closed' && missing.length > 0 && (
        <section>
          <SectionHeader title={title} />
          <List label={title}>
            {missing.map((what) => (
              <li key={what}>
                <Row title={what} quiet="asked for by Stripe" />
              </li>
            ))}
          </List>
        </section>
      )}
    </>
  );
}

function Everything({ payouts }: { payouts: Payouts }) {
  const { account, isRestricted, available, pending, made, currency, isSandbox } = payouts;
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const notes = [
    noteAvailable(available, payouts.holds.length > 0),
    ...(isSandbox ? ['test payments, no real money'] : []),
  ];
  const dueFees = describeDueFees(payouts);
  // Nothing else can go on before this.
  const needsHer = isRestricted || account === 'closed';
  const ways = <Account payouts={payouts} />;
  return (
    <>
      {needsHer && ways}
      <StatTile
        size="large"
        label="Available"
        value={format(available)}
        note={
          <>
            <span className="block">{notes.join(' · ')}</span>
            {dueFees !== undefined && <span className="block">{dueFees}</span>}
          </>
        }
      />
      <PayoutHolds payouts={payouts} />
      {(account === 'complete' || isRestricted) && <PayoutSchedule payouts={payouts} />}
      {pending.length > 0 && <Pending pending={pending} format={format} />}
      {made.length > 0 && <PaidOut made={made} format={format} />}
      {!needsHer && ways}
    </>
  );
}

interface Formatting {
  /** An amount in the account's currency. */
  format: (cents: number) => string;
}

function Pending({ pending, format }: Pick<Payouts, 'pending'> & Formatting) {
  const now = useNow();
  return (
    <section>
      <SectionHeader title="Pending" />
      <List label="Pending">
        {pending.map(({ on, cents }) => (
          <li key={on}>
            <Row
              title={`From ${formatDate(new Date(`${on}T00:00:00Z`), now, { timeZone: 'UTC' })}`}
              quiet="paid by your viewers, not settled yet"
              end={format(cents)}
            />
          </li>
        ))}
      </List>
    </section>
  );
}

function PaidOut({ made, format }: Pick<Payouts, 'made'> & Formatting) {
  const now = useNow();
  return (
    <section>
      <SectionHeader title="Paid out" />
      <List label="Paid out">
        {made.map(({ id, at, cents }) => (
          <li key={id}>
            <Row
              title={cents < 0 ? 'Came back from the bank' : 'Payout'}
              quiet={formatDate(at, now)}
              end={format(Math.abs(cents))}
            />
          </li>
        ))}
      </List>
    </section>
  );
}
