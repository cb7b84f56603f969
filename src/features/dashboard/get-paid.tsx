import { HandCoins } from 'lucide-react';
import type { Me } from '#features/accounts/contract.ts';
import { Card } from '#ui/card.tsx';
import { SectionHeader } from '#ui/section-header.tsx';

/** How a creator is paid: as long as viewers cannot pay, what it will be, and no button. */
export function GetPaid({ plan }: Pick<Me, 'plan'>) {
  return (
    <section>
      <SectionHeader title="Get Paid" />
      <Card className="flex gap-3.5">
        <HandCoins className="mt-0.5 size-5.5 text-ember-ink" />
        <p className="text-quiet">
          {`Tips, album sales and subscriptions aren't part of this version yet. When they are, ${100 - plan.commissionPercent}% of the price your viewers see is yours.`}
        </p>
      </Card>
    </section>
  );
}
