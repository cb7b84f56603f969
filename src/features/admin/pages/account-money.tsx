import { Link } from 'react-router';
import { formatMoment } from '#kit/time.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import type { AccountMoney } from '../contract.ts';
import { holdNames, payoutWords, writeCents } from '../payment-words.ts';
import { type Fact, FactsList } from './facts-list.tsx';

const stateWords = { ...payoutWords, created: { word: 'Being made', tone: 'ember' } } as const;

interface AccountMoneyProps {
  userId: string;
  money: AccountMoney;
}

/** What of an account's money is where, its last payouts, and the way to what was paid to it. */
export function AccountMoneySection({ userId, money }: AccountMoneyProps) {
  const now = useNow();
  const { availableCents, pendingCents, dueCents, paidOutCents, currency, holds, payouts } = money;
  const facts: Fact[] = [
    ['Available', writeCents(availableCents, currency)],
    ['Pending', writeCents(pendingCents, currency)],
    ['Paid out', writeCents(paidOutCents, currency)],
    ...(dueCents === 0 ? [] : [['Owed for disputes', writeCents(dueCents, currency)] as Fact]),
    ...(holds.length === 0 ? [] : [['Payouts held', holds.map((code) => holdNames[code]).join(', ')] as Fact]),
  ];
  return (
    <section>
      <SectionHeader title="Money" />
      <div className="grid gap-4">
        <FactsList facts={facts} />
        {payouts.length > 0 && (
          <List label="Last payouts">
            {payouts.map(({ id, state, at, ...payout }) => (
              <li key={id}>
                <Row
                  title={writeCents(payout.amountCents, payout.currency)}
                  mark={<Chip tone={stateWords[state].tone}>{stateWords[state].word}</Chip>}
                  quiet={formatMoment(at, now)}
                />
              </li>
            ))}
          </List>
        )}
        <Link
          to={`/admin/payments#${userId}`}
          className="inline-flex min-h-11 items-center justify-self-start font-strong text-plum underline-offset-4 hover:underline"
        >
          Payments to them
        </Link>
      </div>
    </section>
  );
}
