import { Ticket } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Popover } from '#ui/dialogs/popover.tsx';
import { CreditHistory } from './pages/credit-history.tsx';
import { useCredits } from './pages/use-credits.tsx';

/** Their credits in a word, for whoever has some and no suite; how they came and went opens beside it. */
export function CreditsPopover() {
  const { data } = useCredits();
  if (data === undefined || data.currentBalance === 0) return null;
  const { currentBalance, recentTransactions } = data;
  const count = formatCount(currentBalance, 'credit');
  return (
    <Popover
      title={count}
      trigger={
        <button
          type="button"
          aria-label={`${count}, history`}
          title="Your credits"
          className="inline-flex min-h-11 items-center gap-1.5 rounded-control px-2.5 font-strong text-quiet tabular-nums transition hover:bg-plum-wash hover:text-ink"
        >
          <Ticket className="size-5" />
          <span>{currentBalance}</span>
        </button>
      }
    >
      <div className="max-h-72 overflow-y-auto">
        <CreditHistory transactions={recentTransactions} />
      </div>
      <ButtonLink to="/pricing?tab=credits" variant="outline">
        Buy credits
      </ButtonLink>
    </Popover>
  );
}
