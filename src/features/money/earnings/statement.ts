import type { Engines } from '#engines/engines.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import {
  type BookLine,
  listBookLines,
  type MonthSum,
  type StatementParams,
  sumBefore,
  sumMonths,
} from './statement-store.ts';

/** One line of a statement. The amounts add up from the first balance to the last. */
export interface StatementLine {
  at: string;
  what: string;
  link: string;
  orderId: string;
  cents: number;
  balanceCents: number;
}

const names: Readonly<Record<string, string>> = {
  transfer_refund: 'Refund',
  application_fee_refund: 'Platform fee returned',
  dispute_fee: "Bank's dispute fee",
  payout: 'Payout',
};

/** A line of the books as it is read: a sale is what was paid, and below it what the platform keeps of it. */
function readLine({
  kind,
  at,
  cents,
  grossCents,
  orderId,
  sold,
  months,
  linkName,
}: BookLine): Omit<StatementLine, 'balanceCents'>[] {
  const about = { at, link: linkName ?? '', orderId: orderId ?? '' };
  if (kind !== 'charge') return [{ ...about, what: names[kind] ?? 'Adjustment', cents }];
  const gross = grossCents ?? cents;
  const sale = { ...about, what: sold === null ? 'Payment' : nameSold(sold, months ?? 1), cents: gross };
  return gross === cents ? [sale] : [sale, { ...about, what: 'Platform fee', cents: cents - gross }];
}

const pageSize = 500;

/** The lines of a month, some hundred at a time, each with the balance after it. */
export async function* readStatement(
  { database }: Pick<Engines, 'database'>,
  params: StatementParams,
): AsyncGenerator<{ openingCents: number; lines: StatementLine[] }> {
  const actor = { kind: 'user', userId: params.creatorId } as const;
  let balanceCents = await database.work(actor, (tx) => sumBefore(tx, params));
  yield { openingCents: balanceCents, lines: [] };
  let after: BookLine | undefined;
  for (;;) {
    const rows = await database.work(actor, (tx) => listBookLines(tx, params, after, pageSize));
    const openingCents = balanceCents;
    const lines = rows.flatMap(readLine).map((line) => {
      balanceCents += line.cents;
      return { ...line, balanceCents };
    });
    yield { openingCents, lines };
    if (rows.length < pageSize) return;
    after = rows.at(-1);
  }
}

export interface MonthLine extends MonthSum {
  changeCents: number;
  balanceCents: number;
}

/** A year by months, and what was owed at the end of each. */
export async function readYear(
  { database }: Pick<Engines, 'database'>,
  params: StatementParams,
): Promise<{ openingCents: number; months: MonthLine[] }> {
  return database.work({ kind: 'user', userId: params.creatorId }, async (tx) => {
    const openingCents = await sumBefore(tx, params);
    let balanceCents = openingCents;
    const months = (await sumMonths(tx, params)).map((sum) => {
      const { paid, fees, refunds, feesReturned, disputeFees, payouts, other } = sum;
      const changeCents = paid + fees + refunds + feesReturned + disputeFees + payouts + other;
      balanceCents += changeCents;
      return { ...sum, changeCents, balanceCents };
    });
    return { openingCents, months };
  });
}
