import { useQuery } from '@tanstack/react-query';
import { earnedIn } from '#features/money/earning-rules.ts';
import { money } from '#features/money/money-calls.tsx';
import { formatMoney, formatShare } from '#kit/text.ts';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { Days } from '../contract.ts';
import { useFunnel } from './funnel.tsx';

/** What was earned in a span, as the page of earnings counts it, and how many of those who opened have paid. */
export function MoneyTiles({ days }: { days: Days }) {
  useLive(['viewer.paid'], [money.chart.key()]);
  const chart = useQuery(
    money.chart.queryOptions({ input: { span: `${days}d` }, placeholderData: (before) => before }),
  );
  const { data: funnel } = useFunnel(days);
  const { parts, currency = 'usd' } = chart.data ?? {};
  const isMissing = chart.isError && parts === undefined;
  return (
    <>
      <StatTile
        label="Earned"
        value={parts === undefined ? '–' : formatMoney(earnedIn(parts), currency.toUpperCase())}
        note={isMissing ? "couldn't be loaded" : 'after our part and refunds'}
      />
      <StatTile
        label="Paid"
        value={funnel === undefined ? '–' : formatShare(funnel.paid, funnel.letIn)}
        note={funnel === undefined ? 'of who opened' : describePaid(funnel)}
      />
    </>
  );
}

const describePaid = ({ paid, letIn }: { paid: number; letIn: number }) =>
  `${paid.toLocaleString('en')} of ${letIn.toLocaleString('en')} who opened`;
