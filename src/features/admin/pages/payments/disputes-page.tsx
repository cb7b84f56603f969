import { useInfiniteQuery } from '@tanstack/react-query';
import { Landmark } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { dayMs, formatDate } from '#kit/time.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import { nextWords, standingWords, writeCents } from '../../payment-words.ts';
import type { ListedDispute } from '../../payments-contract.ts';
import { Pages } from './more-pages.tsx';
import { PaymentsHeader } from './payment-tabs.tsx';

export const meta = () => [{ title: 'Disputes · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Payments that a bank was asked to take back, those first that have to be answered. */
export default function DisputesPage() {
  const query = useInfiniteQuery(
    adminPayments.disputes.infiniteOptions({
      input: (page: number) => ({ page }),
      initialPageParam: 0,
      getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length : undefined),
    }),
  );
  return (
    <>
      <PaymentsHeader />
      <div className="max-w-190">
        <Pages query={query} label="Loading disputes">
          {(pages) => {
            const disputes = pages.flatMap((page) => page.disputes);
            return disputes.length === 0 ? (
              <EmptyState icon={Landmark} title="No payment has been disputed">
                When a buyer asks their bank for a payment back, it appears here with what we would answer.
              </EmptyState>
            ) : (
              <List label="Disputes">
                {disputes.map((dispute) => (
                  <li key={dispute.disputeId}>
                    <DisputeRow dispute={dispute} />
                  </li>
                ))}
              </List>
            );
          }}
        </Pages>
      </div>
    </>
  );
}

function DisputeRow({ dispute }: { dispute: ListedDispute }) {
  const now = useNow();
  const { disputeId, amountCents, currency, reason, standing, next, dueBy, openedAt, isOwed } = dispute;
  const isDecided = next === 'ended';
  const { word, tone } = isDecided ? standingWords[standing] : nextWords[next];
  return (
    <Row
      title={`${writeCents(amountCents, currency)}: ${reason.replaceAll('_', ' ')}`}
      to={`/admin/payments/disputes/${disputeId}`}
      mark={<Chip tone={tone}>{word}</Chip>}
      quiet={`Disputed ${formatDate(openedAt, now)}${isDecided ? '' : ` · ${describeDue(dueBy, now)}`}`}
      story={isOwed ? 'Money is still owed for it' : undefined}
    />
  );
}

/** Returns until when a bank takes an answer. */
export function describeDue(dueBy: Date | null, now: Date): string {
  if (dueBy === null) return 'no date to answer by';
  const leftMs = dueBy.getTime() - now.getTime();
  if (leftMs <= 0) return 'the time to answer is over';
  const days = Math.floor(leftMs / dayMs);
  const left = days === 0 ? 'less than a day left' : `${formatCount(days, 'day')} left`;
  return `answer by ${formatDate(dueBy, now)}, ${left}`;
}
