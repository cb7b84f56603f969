import { useQuery } from '@tanstack/react-query';
import { Landmark, Sparkles, Users } from 'lucide-react';
import { refunds } from '#features/returns/refunds-calls.tsx';
import { formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { Earnings } from '../contract.ts';
import { CouldntRefresh } from '../couldnt-refresh.tsx';
import { money } from '../money-calls.tsx';
import { GetPaid } from '../payout/get-paid.tsx';
import { useConnectReturn } from '../payout/use-connect-return.tsx';
import { TipSettingsCard } from '../tips/tip-settings.tsx';
import { AvailableTile } from './available-tile.tsx';
import { Disputes } from './dispute-list.tsx';
import { EarningChart } from './earning-chart.tsx';
import { EarningList } from './earning-list.tsx';
import { RefundRequests } from './refund-requests.tsx';
import { Statements } from './statements.tsx';

export const meta = () => [{ title: 'Earnings · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What a creator earned, what they have, and every line of it. */
export default function EarningsPage() {
  useLive(
    ['viewer.paid'],
    [
      money.earnings.key(),
      money.payouts.key(),
      money.listEarnings.key(),
      money.chart.key(),
      money.disputes.key(),
      refunds.key(),
    ],
  );
  useConnectReturn();
  const query = useQuery(money.earnings.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader
        title="Earnings"
        actions={
          <>
            <ButtonLink to="/account/tiers" variant="outline" icon={Users}>
              Subscribers
            </ButtonLink>
            <ButtonLink to="/requests" variant="outline" icon={Sparkles}>
              Requests
            </ButtonLink>
            <ButtonLink to="/account/payouts" variant="outline" icon={Landmark}>
              Payouts
            </ButtonLink>
          </>
        }
      />
      <div className="grid gap-5">
        {query.isPending && <Loading />}
        {query.isError && <CouldntRefresh onRetry={() => void query.refetch()} busy={query.isRefetching} />}
        {query.isError && query.data === undefined && <GetPaid account="none" isRestricted={false} />}
        {query.data && <Everything earnings={query.data} />}
      </div>
    </>
  );
}

function Everything({ earnings }: { earnings: Earnings }) {
  const isNew = earnings.earnings.lifetimeEarned === 0 && earnings.earnings.lastTip === null;
  return (
    <>
      {earnings.account !== 'complete' && <GetPaid account={earnings.account} isRestricted={earnings.isRestricted} />}
      {(earnings.account === 'complete' || !isNew) && (
        <>
          <Figures earnings={earnings} />
          {!isNew && <EarningChart />}
          <RefundRequests />
          <Disputes />
          <EarningList />
          {earnings.account === 'complete' && <TipSettingsCard />}
          {earnings.begunAt !== null && <Statements begunAt={earnings.begunAt} />}
        </>
      )}
      {earnings.account === 'complete' && <GetPaid account="complete" isRestricted={false} />}
    </>
  );
}

function Figures({ earnings: { earnings, balance, currency, isSandbox } }: { earnings: Earnings }) {
  const now = useNow();
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const { totalEarned, monthlyTips, monthlyPurchases, monthlySubscriptions, monthlyCustom, lifetimeEarned } = earnings;
  const pending =
    balance.pendingUntil === null ? 'nothing on its way' : `from ${formatDate(balance.pendingUntil, now)}`;
  return (
    <div className="grid gap-3">
      <StatTile
        size="large"
        label="Total Earned This Month"
        value={format(totalEarned)}
        chip={
          <Split
            tips={format(monthlyTips)}
            albums={format(monthlyPurchases)}
            subscriptions={monthlySubscriptions === 0 ? undefined : format(monthlySubscriptions)}
            customs={monthlyCustom === 0 ? undefined : format(monthlyCustom)}
          />
        }
        note={`Your share of what was paid, after refunds${isSandbox ? ' · test payments, no real money' : ''}`}
      />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
        <AvailableTile cents={balance.available} currency={currency} />
        <StatTile label="Pending" value={format(balance.pending)} note={pending} />
        <div className="col-span-2 md:col-span-1">
          <StatTile label="All time" value={format(lifetimeEarned)} note="since your first sale" />
        </div>
      </div>
    </div>
  );
}

/** What the month is made of. */
function Split({
  tips,
  albums,
  subscriptions,
  customs,
}: {
  tips: string;
  albums: string;
  /** Left out where nobody subscribes. */
  subscriptions: string | undefined;
  /** Left out where nothing was made for anybody. */
  customs: string | undefined;
}) {
  return (
    <span className="flex flex-wrap justify-end gap-1.5">
      <Chip tone="ember">{`${tips} tips`}</Chip>
      <Chip>{`${albums} albums`}</Chip>
      {subscriptions !== undefined && <Chip tone="moss">{`${subscriptions} subscriptions`}</Chip>}
      {customs !== undefined && <Chip>{`${customs} customs`}</Chip>}
    </span>
  );
}

function Loading() {
  return (
    <div className="grid gap-3" aria-busy="true">
      <Skeleton className="h-40 rounded-card" />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {['available', 'pending', 'lifetime'].map((key) => (
          <Skeleton key={key} className="h-29 rounded-card" />
        ))}
      </div>
    </div>
  );
}
