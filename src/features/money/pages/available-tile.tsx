import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { describeNextPayout, noteAvailable } from '#features/payouts/payout-words.ts';
import { formatMoney } from '#kit/text.ts';
import { useNow } from '#ui/clock.ts';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { money } from '../money-calls.tsx';

/** What they can be paid, and the next payout or what holds it. */
export function AvailableTile({ cents, currency }: { cents: number; currency: string }) {
  const now = useNow();
  const { data: payouts } = useQuery(money.payouts.queryOptions({ input: {} }));
  const next = payouts && describeNextPayout(payouts, now);
  const note = noteAvailable(cents, payouts && payouts.holds.length > 0);
  return (
    <StatTile
      label="Available"
      value={formatMoney(cents, currency.toUpperCase())}
      note={
        next === undefined ? (
          note
        ) : (
          <Link to="/account/payouts" className="touch-44 font-medium text-plum underline-offset-4 hover:underline">
            {next}
          </Link>
        )
      }
    />
  );
}
