import { formatDate } from '#kit/time.ts';
import { useNow } from '#ui/clock.ts';
import type { CreditTransaction } from '../contract.ts';

/** What came and went, newest first. */
export function CreditHistory({ transactions }: { transactions: readonly CreditTransaction[] }) {
  const now = useNow();
  if (transactions.length === 0) return <p className="text-13 text-quiet">No credits earned or spent yet.</p>;
  return (
    <ul aria-label="History" className="grid">
      {transactions.map(({ id, reason, date, type, amount }) => (
        <li key={id} className="flex items-baseline gap-3 border-t border-line py-2.5 first:border-t-0">
          <span className="min-w-0 flex-1">
            <span className="block text-pretty">{reason}</span>
            <span className="block text-13 text-quiet">{formatDate(date, now)}</span>
          </span>
          <span className={type === 'credit' ? 'font-strong tabular-nums text-moss' : 'font-strong tabular-nums'}>
            {`${type === 'credit' ? '+' : '−'}${amount}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
