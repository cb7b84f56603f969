import { HandCoins } from 'lucide-react';
import type { Me } from '#features/accounts/contract.ts';
import { Card } from '#ui/card.tsx';
import { SectionHeader } from '#ui/section-header.tsx';

/** How a creator is paid, and where she sees it. */
export function GetPaid({ plan }: Pick<Me, 'plan'>) {
  return (
    <section>
      <SectionHeader title="Get Paid" more={{ to: '/earnings', label: 'Earnings' }} />
      <Card className="flex gap-3.5">
        <HandCoins className="mt-0.5 size-5.5 flex-none text-ember-ink" />
        <p className="text-quiet">
          {`Ask for a tip on any link: ${100 - plan.commissionPercent}% of what your viewers pay is yours. Connect payouts once to begin.`}
        </p>
      </Card>
    </section>
  );
}
