import { ChevronDown, ChevronUp, RotateCw } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import type { CreditsBalance } from './contract.ts';
import { CreditHistory } from './pages/credit-history.tsx';
import { balanceFailed, useCredits } from './pages/use-credits.tsx';

/** All about their credits, for whoever has the suite. */
export function CreditsCard() {
  const { data, isPending, isRefetching, refetch } = useCredits();
  return (
    <section>
      <SectionHeader title="Credits" />
      <Card aria-label="Credits" aria-busy={isPending}>
        {isPending && <Skeleton className="h-32 w-full" />}
        {!isPending && data === undefined && <NoBalance isBusy={isRefetching} onRetry={() => void refetch()} />}
        {data && <Balance balance={data} />}
      </Card>
    </section>
  );
}

/** The balance could not be read: says so, and asks again. */
export function NoBalance({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p className="text-rust">{balanceFailed}</p>
      <Button variant="outline" icon={RotateCw} busy={isBusy} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

function Balance({ balance }: { balance: CreditsBalance }) {
  const { currentBalance, totalEarned, totalSpent, recentTransactions } = balance;
  const historyId = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-4">
      <div>
        <p className="font-display text-56 font-title tabular-nums lining-nums">{currentBalance}</p>
        <p className="text-13 text-quiet">{`${totalEarned} earned · ${totalSpent} spent`}</p>
      </div>
      {currentBalance < 0 && (
        <p className="text-13 text-rust">
          The payment for a pack you had already spent went back. You can use credits again once your balance is above
          0.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/pricing?tab=credits">Buy credits</ButtonLink>
        <Button
          variant="outline"
          icon={isOpen ? ChevronUp : ChevronDown}
          aria-expanded={isOpen}
          aria-controls={historyId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide history' : 'Show history'}
        </Button>
      </div>
      <div id={historyId} hidden={!isOpen}>
        {isOpen && <CreditHistory transactions={recentTransactions} />}
      </div>
    </div>
  );
}
