import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Movement } from '#engines/payments/payments.ts';
import { listParts, listPayouts, listPending, sumEarnings } from '#features/money/earnings/earnings-store.ts';
import { listBookLines, sumBefore } from '#features/money/earnings/statement-store.ts';
import { findUneven } from '#features/money/reconcile.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { listBalances, postMovement, sumDays } from './ledger-store.ts';
import { entriesOf } from './posting.ts';

const realm = { provider: 'sandbox', livemode: false } as const;
const system = { kind: 'system' } as const;
const now = new Date('2026-11-26T12:00:00Z');
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** A creator with an account, in which a sale rests no longer than at the provider, and what has moved in it. */
async function book(movements: readonly Movement[]): Promise<string> {
  const [userId, accountId] = [randomUUID(), `acct_${randomUUID()}`];
  await database.work(system, async ({ db }) => {
    const at = new Date('2025-01-01T00:00:00Z');
    await sql`insert into users (id, email, created_at) values (${userId}, ${`${userId}@example.com`}, ${at})`.execute(
      db,
    );
    await sql`insert into user_stripe_accounts (user_id, provider, livemode, acct_id, country, settlement_days, created_at) values (${userId}, 'sandbox', false, ${accountId}, 'US', 0, ${at})`.execute(
      db,
    );
  });
  for (const movement of movements) {
    const own = {
      ...movement,
      id: `${accountId} ${movement.id}`,
      chargeId: `${accountId} ${movement.chargeId}`,
      accountId,
    };
    await database.work(system, (tx) => postMovement(tx, realm, own, entriesOf(own)));
  }
  return userId;
}

const nothing = {
  currency: 'usd',
  accountId: undefined,
  feeShareCents: 0,
  feeCents: 0,
  sold: undefined,
  isOwnSale: false,
};

/** A payment as the provider books it: the charge, its way to the creator, and what of it goes back. */
function movementsOf({ n, atMs, cents, sold, backMs }: Sale): Movement[] {
  const [at, chargeId, fee] = [new Date(atMs), `ch_${n}`, Math.floor(cents / 10)];
  const about = { ...nothing, at, chargeId, availableAt: new Date(atMs + 2 * dayMs) };
  const [charge, transfer, share] = ['charge', 'transfer', 'application_fee'] as const;
  const came: Movement[] = [
    { ...about, id: `c${n}`, kind: charge, amountCents: cents, netCents: cents, feeShareCents: fee, sold },
    { ...about, id: `t${n}`, kind: transfer, amountCents: -cents, netCents: -cents },
    { ...about, id: `f${n}`, kind: share, amountCents: fee, netCents: fee },
  ];
  if (backMs === undefined) return came;
  const back = { ...nothing, at: new Date(atMs + backMs), chargeId, availableAt: new Date(atMs + backMs) };
  const [refund, refundedFee] = ['transfer_refund', 'application_fee_refund'] as const;
  return [
    ...came,
    { ...back, id: `r${n}`, kind: refund, amountCents: cents, netCents: cents },
    { ...back, id: `b${n}`, kind: refundedFee, amountCents: -fee, netCents: -fee },
  ];
}

const begun = new Date('2026-11-01T00:00:00Z').getTime();
const sale = fc.record({
  n: fc.nat(),
  // Anywhere in the year, and often where a month begins somewhere.
  atMs: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: now.getTime() - 400 * dayMs, max: now.getTime() - 1 }) },
    fc.integer({ min: begun - dayMs, max: begun + dayMs }),
  ),
  cents: fc.integer({ min: 500, max: 50_000 }),
  sold: fc.constantFrom('tip', 'album', undefined),
  backMs: fc.option(fc.integer({ min: 0, max: hourMs }), { nil: undefined, freq: 3 }),
});
type Sale = typeof sale extends fc.Arbitrary<infer Made> ? Made : never;
/** Whole hours, halves and quarters from UTC, with and without summer time, and where midnight comes twice a year. */
const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Auckland', 'Atlantic/Azores'];

/** The same out of the entries themselves, one by one. */
const folded = (userId: string, by: 'day' | 'month', timeZone: string) =>
  database.work(system, async ({ db }) => {
    const { rows } = await sql<{ part: string; what: string; cents: number }>`
      select to_char(date_trunc(${by}, t.occurred_at at time zone ${timeZone}), 'YYYY-MM-DD') as part,
        case when t.kind <> 'charge' then 'refunds' when coalesce(t.sold, 'tip') = 'tip' then 'tips' else 'albums' end as what, -sum(e.amount_cents)::bigint as cents
      from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
      where e.owner_user_id = ${userId} and a.key like 'liability:creator:%' and t.kind <> 'payout'
        and t.occurred_at < ${now} group by 1, 2`.execute(db);
    return rows;
  });

describe('what is added up by days', () => {
  it('comes to what the entries come to, in every zone, by day and by month', async () => {
    const plan = fc.tuple(fc.array(sale, { minLength: 20, maxLength: 40 }), fc.constantFrom(...zones));
    await fc.assert(
      fc.asyncProperty(plan, async ([sales, timeZone]) => {
        const movements = sales.flatMap((one, n) => movementsOf({ ...one, n })).filter(({ at }) => at < now);
        const userId = await book(movements.toSorted((a, b) => a.at.getTime() - b.at.getTime()));
        const params = { creatorId: userId, realm, currency: 'usd', now, timeZone };
        await database.work({ kind: 'user', userId }, async (tx) => {
          for (const [by, count] of [
            ['day', 90],
            ['month', 12],
          ] as const) {
            const parts = await listParts(tx, { ...params, by, count });
            const truth = (await folded(userId, by, timeZone)).filter(({ part }) => part >= (parts[0]?.day ?? ''));
            const reported = parts.flatMap(({ day, ...sums }) =>
              Object.entries(sums).flatMap(([what, cents]) => (cents === 0 ? [] : [`${day} ${what} ${cents}`])),
            );
            const wanted = truth
              .filter(({ cents }) => cents !== 0)
              .map(({ part, what, cents }) => `${part} ${what} ${cents}`);
            expect(reported.toSorted()).toEqual(wanted.toSorted());
          }
          const earned = await sumEarnings(tx, params);
          const month = (await listParts(tx, { ...params, by: 'month', count: 1 }))[0];
          const all = await folded(userId, 'month', timeZone);
          expect(earned.lifetime).toBe(all.reduce((sum, { cents }) => sum + cents, 0));
          expect(earned.monthTips + earned.monthPurchases).toBe(
            (month?.tips ?? 0) + (month?.albums ?? 0) + (month?.refunds ?? 0),
          );
          const pending = await listPending(tx, params);
          expect(earned.pending).toBe(pending.reduce((sum, { cents }) => sum + cents, 0));
          expect(earned.available + earned.pending).toBe(earned.lifetime);
        });
      }),
      { numRuns: 8, endOnFailure: true },
    );
    const [balances, days] = await database.work(
      system,
      async (tx) => [await listBalances(tx, realm), await sumDays(tx, realm)] as const,
    );
    expect(days.length).toBeGreaterThanOrEqual(8);
    expect(findUneven(balances, days)).toEqual([]);
  });

  it('is found out where it does not: a day is changed by hand', async () => {
    const userId = await book(
      movementsOf({ n: 1, atMs: now.getTime() - dayMs, cents: 1000, sold: 'tip', backMs: undefined }),
    );
    const change = (cents: number) =>
      database.work(system, ({ db }) =>
        sql`update ledger_days set owed_cents = owed_cents + ${cents} where owner_user_id = ${userId} and kind = 'charge'`.execute(
          db,
        ),
      );
    const look = () =>
      database.work(system, async (tx) => findUneven(await listBalances(tx, realm), await sumDays(tx, realm)));
    await change(1);
    expect(await look()).toEqual([`${userId} usd: 901 owed and 900 held by days, 900 and 900 by entries`]);
    await change(-1);
    expect(await look()).toEqual([]);
  });

  it('what goes back belongs to what it was paid for, and a payout earns nothing', async () => {
    const atMs = now.getTime() - 3 * dayMs;
    const payout = {
      ...nothing,
      id: 'p',
      kind: 'payout',
      chargeId: undefined,
      at: new Date(atMs + dayMs),
      availableAt: now,
    } as const;
    const userId = await book([
      ...movementsOf({ n: 1, atMs, cents: 1000, sold: 'album', backMs: hourMs }),
      ...movementsOf({ n: 2, atMs, cents: 2000, sold: 'tip', backMs: undefined }),
      { ...payout, amountCents: -1800, netCents: -1800 },
    ]);
    const params = { creatorId: userId, realm, currency: 'usd', now, timeZone: 'UTC' };
    await database.work({ kind: 'user', userId }, async (tx) => {
      expect(await sumEarnings(tx, params)).toMatchObject({
        monthTips: 1800,
        monthPurchases: 0,
        lifetime: 1800,
        available: 0,
      });
      expect(await listPayouts(tx, params)).toMatchObject([{ at: payout.at, cents: 1800 }]);
      const november = { ...params, first: '2026-11-01', by: 'month' } as const;
      const lines = await listBookLines(tx, november, undefined, 10);
      expect(lines.map(({ kind, cents }) => `${kind} ${cents}`)).toEqual([
        ...['charge 900', 'charge 1800'],
        ...['transfer_refund -1000', 'application_fee_refund 100', 'payout -1800'],
      ]);
      const second = await listBookLines(tx, november, lines[1], 10);
      expect(second).toEqual(lines.slice(2));
      expect(await sumBefore(tx, { ...november, first: '2026-12-01' })).toBe(0);
    });
  });

  it('is pending until its very instant', async () => {
    const atMs = now.getTime() - dayMs;
    const userId = await book(movementsOf({ n: 1, atMs, cents: 1000, sold: 'tip', backMs: undefined }));
    const settles = atMs + 2 * dayMs;
    const look = (ms: number) =>
      database.work({ kind: 'user', userId }, async (tx) => {
        const params = { creatorId: userId, realm, currency: 'usd', now: new Date(settles + ms), timeZone: 'UTC' };
        const { available, pending, pendingUntil } = await sumEarnings(tx, params);
        return [available, pending, pendingUntil?.getTime(), (await listPending(tx, params)).length];
      });
    expect(await look(-1)).toEqual([0, 900, settles, 1]);
    expect(await look(0)).toEqual([900, 0, undefined, 0]);
  });

  it('is refused where a movement says something else than its entries', async () => {
    await book(movementsOf({ n: 1, atMs: now.getTime() - dayMs, cents: 1000, sold: 'tip', backMs: undefined }));
    const write = (owed: number, cents: number) =>
      database.work(system, ({ db }) =>
        sql`with own as (select owner_user_id, id from ledger_accounts where key like 'liability:creator:%' order by id desc limit 1), t as (
          insert into ledger_transactions (provider, livemode, source_key, kind, occurred_at, available_at, currency, owner_user_id, owed_cents)
          select 'sandbox', false, gen_random_uuid(), 'charge', now(), now(), 'usd', a.owner_user_id, ${owed} from own a returning id
        )
        insert into ledger_entries (transaction_id, account_id, provider, livemode, owner_user_id, currency, amount_cents)
        select t.id, a.id, 'sandbox', false, a.owner_user_id, 'usd', case when a.key = 'asset:stripe' then ${cents}::bigint else -${cents}::bigint end
        from t, ledger_accounts a where a.key = 'asset:stripe' or a.id = (select id from own)`.execute(db),
      );
    await expect(write(901, 900)).rejects.toThrow('says something else than its entries');
    await write(900, 900);
  });

  it('is hers alone', async () => {
    const sold = movementsOf({ n: 1, atMs: now.getTime() - dayMs, cents: 1000, sold: 'tip', backMs: undefined });
    const [mia, eve] = [await book(sold), await book([])];
    const count = (userId: string) =>
      database.work({ kind: 'user', userId }, async ({ db }) => {
        const { rows } = await sql<{
          n: number;
        }>`select (select count(*) from ledger_days)::int + (select count(*) from ledger_transactions)::int as n`.execute(
          db,
        );
        return rows[0]?.n;
      });
    expect([await count(mia), await count(eve)]).toEqual([6, 0]);
  });
});
