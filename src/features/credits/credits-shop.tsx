import { useQuery } from '@tanstack/react-query';
import type { Me } from '#features/accounts/contract.ts';
import type { Elements } from '#kit/elements.ts';
import { formatCount, formatPrice } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import type { CreditUses } from './contract.ts';
import { NoBalance } from './credits-card.tsx';
import { BoughtPacks } from './pages/bought-packs.tsx';
import { CreditHistory } from './pages/credit-history.tsx';
import { CreditSpending } from './pages/credit-spending.tsx';
import { credits } from './pages/credits-calls.tsx';
import { useCredits } from './pages/use-credits.tsx';
import { usePackCheckout, usePackReturn } from './pages/use-pack-checkout.tsx';
import { packCurrency, packs } from './rules.ts';

/** Where a creator buys credits, spends them, and sees what became of them. */
export function CreditsShop({ me }: { me: Pick<Me, 'hasAccess'> }) {
  usePackReturn();
  const balance = useCredits();
  const uses = useQuery(credits.uses.queryOptions({ input: {} }));
  return (
    <div className="grid gap-9">
      {balance.isPending && <Skeleton className="h-12 w-60" />}
      {!balance.isPending && balance.data === undefined && (
        <NoBalance isBusy={balance.isRefetching} onRetry={() => void balance.refetch()} />
      )}
      {balance.data && (
        <p className="text-21">
          You have <strong>{formatCount(balance.data.currentBalance, 'credit')}</strong>.
        </p>
      )}
      {uses.isPending && <Skeleton className="h-60 rounded-card" />}
      {uses.isError && uses.data === undefined && (
        <ErrorState error={uses.error} onRetry={() => void uses.refetch()} busy={uses.isRefetching} />
      )}
      {uses.data && (
        <>
          <Packs canBuy={uses.data.canBuy} hasAccess={me.hasAccess} isSandbox={uses.data.isSandbox} />
          <CreditSpending
            uses={uses.data}
            balance={balance.data?.currentBalance ?? 0}
            hasAccess={me.hasAccess && balance.data !== undefined}
          />
          {uses.data.packs.length > 0 && <BoughtPacks packs={uses.data.packs} />}
        </>
      )}
      {balance.data && (
        <section>
          <SectionHeader title="History" />
          <Card>
            <CreditHistory transactions={balance.data.recentTransactions} />
          </Card>
        </section>
      )}
    </div>
  );
}

interface PacksProps extends Pick<CreditUses, 'canBuy' | 'isSandbox'> {
  hasAccess: boolean;
}

function Packs({ canBuy, hasAccess, isSandbox }: PacksProps) {
  const { begin, busy, panel: drawn } = usePackCheckout();
  const panel: Elements = drawn;
  return (
    <section>
      <SectionHeader title="Buy credits" />
      <ul className="grid gap-4 sm:grid-cols-3">
        {packs.map(({ credits: size, cents }) => {
          const price = formatPrice(cents, packCurrency.toUpperCase());
          return (
            <li key={size}>
              <Card
                aria-label={formatCount(size, 'credit')}
                className="grid gap-3 max-sm:grid-cols-[1fr_auto] max-sm:items-center"
              >
                <div>
                  <h3 className="text-21">{formatCount(size, 'credit')}</h3>
                  <p className="font-display text-28 font-title tabular-nums lining-nums sm:text-38">{price}</p>
                  <p className="text-13 text-quiet">{`${Number((cents / size).toFixed(1))}¢ each`}</p>
                </div>
                {canBuy && hasAccess && (
                  <Button variant="outline" busy={busy === size} onClick={() => begin(size)}>
                    {`Buy ${size} for ${price}`}
                  </Button>
                )}
              </Card>
            </li>
          );
        })}
      </ul>
      <p className="mt-3 max-w-160 text-13 text-quiet">{describeSale({ canBuy, hasAccess, isSandbox })}</p>
      {panel}
    </section>
  );
}

function describeSale({ canBuy, hasAccess, isSandbox }: PacksProps): string {
  if (!canBuy) return "Credits can't be bought on this server: it takes no payments.";
  if (!hasAccess) return 'Choose a plan first. Then you can buy credits.';
  const terms =
    'PrivateFans is the seller. Credits that you buy never expire, and the unused part of a pack is refunded within 14 days of buying it.';
  return isSandbox ? `${terms} Test payments, no real money.` : terms;
}
