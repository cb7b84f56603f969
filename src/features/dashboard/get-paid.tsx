import { useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import type { Earnings } from '#features/money/contract.ts';
import { CouldntRefresh } from '#features/money/couldnt-refresh.tsx';
import { money } from '#features/money/money-calls.tsx';
import { useKeptPercent } from '#features/money/use-kept-percent.tsx';
import { formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useLive } from '#wire/use-live.tsx';

/** What a creator earned this month, or how they come to be paid. */
export function GetPaid() {
  useLive(['viewer.paid'], [money.earnings.key()]);
  const { data, error, refetch, isRefetching } = useQuery(money.earnings.queryOptions({ input: {} }));
  return (
    <section>
      <SectionHeader title="Get Paid" more={{ to: '/earnings', label: 'Earnings' }} />
      {error !== null && <CouldntRefresh onRetry={() => void refetch()} busy={isRefetching} />}
      {data === undefined && error !== null && <Begin account="none" isRestricted={false} />}
      {data === undefined && error === null && <Skeleton className="h-31 w-full rounded-card" />}
      {data && (hasEarned(data) ? <Earned earnings={data} /> : <Begin {...data} />)}
    </section>
  );
}

const hasEarned = ({ earnings, account, isRestricted }: Earnings): boolean =>
  !isRestricted && account !== 'closed' && (account === 'complete' || earnings.lifetimeEarned !== 0);

function Earned({ earnings: { earnings, balance, currency, isSandbox } }: { earnings: Earnings }) {
  const now = useNow();
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const { available, pending, pendingUntil } = balance;
  const follows = pendingUntil === null ? '' : ` · ${format(pending)} from ${formatDate(pendingUntil, now)}`;
  return (
    <Card>
      <p className="text-quiet">Total Earned This Month</p>
      <p className="mt-1 font-display text-28 font-title tabular-nums lining-nums">{format(earnings.totalEarned)}</p>
      <p className="mt-1 text-13 text-quiet">{`${format(available)} available${follows}`}</p>
      {isSandbox && <p className="text-13 text-quiet">Test payments, no real money</p>}
    </Card>
  );
}

const words: Readonly<Record<Earnings['account'], { text: string; button?: string }>> = {
  off: { text: "Payments aren't set up on this installation yet." },
  none: { text: 'Ask for a tip, or sell an album: ', button: 'Connect Stripe' },
  pending: { text: 'Almost there: your payout account still needs something from you.', button: 'Complete Setup' },
  complete: { text: 'Your payout account needs attention. Until then nobody can pay you.', button: 'Complete Setup' },
  closed: { text: 'Stripe closed your payout account. Nobody can pay you.', button: 'See what to do' },
};

/** Nothing was earned yet, or something stands in the way. */
function Begin({ account, isRestricted }: Pick<Earnings, 'account' | 'isRestricted'>) {
  const shown = isRestricted ? 'complete' : account;
  const share = `${useKeptPercent()}% of what your fans pay is yours.`;
  const { text, button } = words[shown];
  return (
    <Card className="grid gap-3">
      <div className="flex gap-3.5">
        <HandCoins className="mt-0.5 size-5.5 flex-none text-ember-ink" />
        <p className="text-quiet">{shown === 'none' ? `${text}${share}` : text}</p>
      </div>
      {button !== undefined && (
        <ButtonLink to="/earnings" variant="outline" className="justify-self-start">
          {button}
        </ButtonLink>
      )}
    </Card>
  );
}
