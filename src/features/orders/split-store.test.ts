import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { feeOfPart, feePercentOf, splitMonth, splitPayment } from './split-rules.ts';
import { feeOfOrderPart, feePercentOfOrder, monthFeeOf } from './split-store.ts';

interface Case {
  amountCents: number;
  percent: number;
  feeCents: number;
  partCents: number;
}

/** Every percent that may be set with amounts up to a million dollars, divided in both ways, and a part of each. */
const cases: readonly Case[] = Array.from({ length: 51 }, (_, percent) => percent).flatMap((percent) =>
  [...Array.from({ length: 101 }, (_, n) => 500 + 97 * n), 29_999, 30_000, 49_999, 50_000, 99_999_999].flatMap(
    (amountCents, n) =>
      [splitPayment, splitMonth].map((divide) => {
        const partCents = Math.ceil((amountCents * ((n % 13) + 1)) / 13);
        const { feeCents } = divide(amountCents, percent);
        return { amountCents, percent, feeCents, partCents };
      }),
  ),
);

describe('the division of a payment in SQL', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  /** What an expression over order `o`, its percent and a part of it comes to in every case. */
  async function reckon(expression: string): Promise<number[]> {
    const columns = (['amountCents', 'percent', 'feeCents', 'partCents'] as const).map((key) =>
      cases.map((one) => one[key]),
    );
    const { rows } = await database.work({ kind: 'system' }, ({ db }) =>
      sql<{ found: string }>`select (${sql.raw(expression)})::text as found
from unnest(${columns[0]}::bigint[], ${columns[1]}::int[], ${columns[2]}::bigint[], ${columns[3]}::bigint[])
  with ordinality o(amount_cents, percent, fee_cents, part_cents, n) order by n`.execute(db),
    );
    return rows.map(({ found }) => Number(found));
  }

  it.each<[string, string, (one: Case) => number]>([
    [
      'the fee of a month',
      monthFeeOf('o.amount_cents', 'o.percent'),
      (one) => splitMonth(one.amountCents, one.percent).feeCents,
    ],
    ['the fee of a part', feeOfOrderPart('o.part_cents'), (one) => feeOfPart(one, one.partCents)],
    ['the percent of an order', feePercentOfOrder, feePercentOf],
  ])('%s is that of the function, to the cent', async (_, expression, expected) => {
    const found = await reckon(expression);
    const wrong = cases.flatMap((one, n) => (found[n] === expected(one) ? [] : [{ ...one, found: found[n] }]));
    expect([found.length, wrong.slice(0, 5)]).toEqual([cases.length, []]);
  });
});

describe('how a payment is divided', () => {
  const divides =
    /(fee|commission)Percent\)? ?\/ ?100|fee_percent\b[^;]*?\/ ?100|fee_cents(::numeric)? ?\*|[fF]eeCents \*/;
  it('is written in no other file', () => {
    const files = readdirSync('src/features', { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => /(?<!\.test)\.tsx?$/.test(file));
    const found = sources.filter((file) => divides.test(readFileSync(path.join('src/features', file), 'utf8')));
    expect(found.toSorted()).toEqual(['orders/split-rules.ts', 'orders/split-store.ts']);
  });
});
