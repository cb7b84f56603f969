import { useQuery } from '@tanstack/react-query';
import { nameSold } from '#features/orders/sold-words.ts';
import type { CreatorDispute } from '#features/returns/disputes-contract.ts';
import { formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { money } from '../money-calls.tsx';
import { describeFee, describeNext, describeRate, stateNames } from './dispute-words.ts';

const tones = { open: 'ember', answered: 'plum', won: 'moss', lost: 'plain' } as const;

/** Payments that a bank was asked to take back; nothing while there are none. */
export function Disputes() {
  const { data } = useQuery(money.disputes.queryOptions({ input: {} }));
  if (data === undefined || (data.rows.length === 0 && data.rate === 'fine')) return null;
  return (
    <section>
      <SectionHeader title="Disputes" />
      <div className="grid gap-3">
        {data.rate !== 'fine' && (
          <Card>
            <p className="max-w-140">{describeRate(data.rate, data)}</p>
          </Card>
        )}
        <ul className="grid gap-3">
          {data.rows.map((dispute) => (
            <li key={dispute.id}>
              <Dispute dispute={dispute} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Dispute({ dispute }: { dispute: CreatorDispute }) {
  const now = useNow();
  const { kind, amountCents, currency, state, openedAt, fee } = dispute;
  return (
    <Card className="grid gap-1">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-17">{`${nameSold(kind)}, ${formatMoney(amountCents, currency.toUpperCase())}`}</h3>
        <Chip tone={tones[state]}>{stateNames[state]}</Chip>
      </div>
      <p>{describeNext(dispute, now)}</p>
      {fee !== null && <p>{describeFee(fee, currency)}</p>}
      <p className="text-13 text-quiet">{`Disputed ${formatDate(openedAt, now)}`}</p>
    </Card>
  );
}
