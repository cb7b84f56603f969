import { moneyNow } from '#features/books/money-clock.ts';
import { findHoldFacts, listHolds } from '#features/payouts/holds-store.ts';
import { rateOf, settlementBy } from '#features/payouts/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { CreatorContext } from '#wire/context.ts';
import { listOfCreator, type CreatorDispute as Row } from './disputes/creator-disputes-store.ts';
import { answerOf } from './disputes/dispute-rules.ts';
import type { CreatorDispute } from './disputes-contract.ts';

/** What a creator is shown of their disputes, and whether they are many. */
export async function showDisputes({ engines, creator, asSystem }: CreatorContext): Promise<{
  rows: CreatorDispute[];
  rate: ReturnType<typeof rateOf>;
  /** While many are disputed: for how long their sales rest, and what one may cost at most. */
  restDays: number;
  mostCents: number;
  /** Their payouts are held for it: staff may have let them go. */
  isHeld: boolean;
}> {
  const { realm } = engines.payments;
  const now = moneyNow(engines);
  const settings = await settingsOf(engines);
  const { disputed: restDays } = settlementBy(settings);
  const about = { creatorId: creator.userId, realm, now };
  // The evidence itself is no creator's to read.
  return asSystem(async (tx) => {
    const facts = await findHoldFacts(tx, { userId: creator.userId, realm }, now);
    return {
      rows: (await listOfCreator(tx, about)).map((row) => show(row, now)),
      rate: facts === undefined ? 'fine' : rateOf(facts),
      restDays,
      mostCents: settings['money.newSellerCents'],
      isHeld: (await listHolds(tx, { userId: creator.userId, realm })).some(({ code }) => code === 'DISPUTE_RATE'),
    };
  });
}

function feeStateOf({
  isFeeReturned,
  isFeeAwaited,
  isFeeTaken,
}: Pick<Row, 'isFeeReturned' | 'isFeeAwaited' | 'isFeeTaken'>): NonNullable<CreatorDispute['fee']>['state'] {
  if (isFeeReturned) return 'returned';
  if (isFeeAwaited) return 'returning';
  return isFeeTaken ? 'taken' : 'due';
}

function show(
  {
    standing,
    isAnswered,
    isRefused,
    isOpened,
    objectedAt,
    wantedAt,
    borneCents,
    isFeeTaken,
    isFeeAwaited,
    isFeeReturned,
    ...row
  }: Row,
  now: Date,
): CreatorDispute {
  const feeState = feeStateOf({ isFeeReturned, isFeeAwaited, isFeeTaken });
  const shown = {
    ...row,
    fee: borneCents === 0 ? null : { cents: borneCents, state: feeState },
    answer: answerOf({ dueBy: row.dueBy, isOpened, objectedAt, wantedAt, isRefused }, now),
  };
  if (standing === 'won' || standing === 'lost') return { ...shown, state: standing };
  return { ...shown, state: isAnswered ? 'answered' : 'open' };
}
