import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseAway } from '#engines/database/away.ts';
import type { Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import { countCredits, giveCredits } from '#tests/support/money/credits.ts';
import { readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { expireCredits, giveBack, grantCredits, settlePack, spendCredits } from './accounting.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let app: TestApp;
const day = 86_400_000;
const begin = Date.parse('2026-11-21T12:00:00Z');
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const work = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
const realm = { provider: 'sandbox', livemode: false } as const;

/** Somebody who has none yet. */
async function newUser(): Promise<string> {
  const { id } = await readRow<{ id: string }>(
    app,
    `insert into users (id, email, status, created_at) values (gen_random_uuid(), gen_random_uuid() || '@example.com', 'active', now()) returning id`,
  );
  return id;
}

const spend = (userId: string, credits: number, jobId = newId(begin), now = new Date(begin)) =>
  work((tx) => spendCredits(tx, { realm, userId, jobId, what: 'trace', credits, now }));

/** The same on a busy machine: whoever finds no line to the database asks again, for the same job. */
async function spendAtLast(userId: string, credits: number): Promise<boolean> {
  const jobId = newId(begin);
  for (let tries = 1; ; tries++)
    try {
      return await spend(userId, credits, jobId);
    } catch (error) {
      if (!(error instanceof DatabaseAway) || tries === 20) throw error;
    }
}

describe('credits', () => {
  // Two things hold this: the creator's turn and the rows of her lots. It fails where both are missing; either one is enough.
  it('that were the last are spent once, however many ask for them in the same moment', async () => {
    const userId = await newUser();
    await giveCredits(app, userId, 1);
    const spent = await Promise.all(Array.from({ length: 200 }, () => spendAtLast(userId, 1)));
    expect(spent.filter((isSpent) => isSpent)).toHaveLength(1);
    expect(await countCredits(app, userId)).toEqual({ balance: 0, inLots: 0 });
    expect(await readRows(app, 'select credits from credit_debits where user_id = $1', [userId])).toEqual([
      { credits: 1 },
    ]);
  });

  it('pay one job once, and are given back once', async () => {
    const userId = await newUser();
    await giveCredits(app, userId, 12);
    const jobId = newId(begin);
    expect([await spend(userId, 5, jobId), await spend(userId, 5, jobId)]).toEqual([true, true]);
    expect(await countCredits(app, userId)).toEqual({ balance: 7, inLots: 7 });
    const back = () => work((tx) => giveBack(tx, { realm, jobId, now: new Date(begin) }));
    expect(await Promise.all([back(), back(), back()])).toEqual(expect.arrayContaining([true, false, false]));
    expect(await countCredits(app, userId)).toEqual({ balance: 12, inLots: 12 });
  });

  it('stand in no account of money, and money in none of theirs', async () => {
    const [key, currency] = ['credits:user:x', 'asset:stripe'];
    const insert = `insert into ledger_accounts (provider, livemode, key, kind, currency) values ('sandbox', false, $1, 'asset', $2)`;
    await expect(readRows(app, insert, [key, 'usd'])).rejects.toMatchObject({ constraint: 'credits_stand_apart' });
    await expect(readRows(app, insert, [currency, 'crd'])).rejects.toMatchObject({ constraint: 'credits_stand_apart' });
    const move = `insert into ledger_transactions (provider, livemode, source_key, kind, occurred_at, available_at, currency)
      values ('sandbox', false, 'txn_1', 'charge', now(), now(), 'crd')`;
    await expect(readRows(app, move)).rejects.toMatchObject({ constraint: 'credits_move_apart' });
  });

  it('leave no trace among the days of what was earned', async () => {
    const userId = await newUser();
    await giveCredits(app, userId, 3);
    expect(await readRows(app, 'select * from ledger_days where owner_user_id = $1', [userId])).toEqual([]);
  });
});

/** One pack as its payment goes, beside what is given, spent, given back and waited for. */
const step = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), credits: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constant('spend' as const), credits: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constant('giveBack' as const), of: fc.nat(9) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 400 }), isNoticed: fc.boolean() }),
  fc.record({ do: fc.constant('buy' as const) }),
  fc.record({
    do: fc.constant('pay' as const),
    how: fc.constantFrom('dispute', 'win', 'refund'),
    of: fc.nat(3),
    percent: fc.integer({ min: 1, max: 100 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** The same in the simplest way: what ends when, oldest first, and one number. */
interface Model {
  now: number;
  balance: number;
  lots: { id: string; ends: number; left: number }[];
  jobs: { id: string; credits: number }[];
  packs: { id: string; back: number; cents: number }[];
}

const sum = (model: Model) => model.lots.reduce((total, { left }) => total + left, 0);
const order = (model: Model) => model.lots.sort((a, b) => a.ends - b.ends);

function expire(model: Model): void {
  for (const lot of model.lots)
    if (lot.ends <= model.now) {
      model.balance -= lot.left;
      lot.left = 0;
    }
}

const insertPack = `insert into credit_orders (id, provider, livemode, user_id, credits, amount_cents, currency, state, expires_at, created_at, paid_at)
  values ($1, 'sandbox', false, $2, 50, 500, 'usd', 'paid', $3, $3, $3)`;

type Doing = { userId: string; model: Model; now: Date; spend: typeof spend };
type Deed<Name extends Step['do']> = (about: Doing, wish: Extract<Step, { do: Name }>) => Promise<void>;

const pay: Deed<'pay'> = async ({ userId, model, now }, wish) => {
  const pack = model.packs[wish.of % Math.max(1, model.packs.length)];
  if (pack === undefined) return;
  if (wish.how === 'refund') pack.cents = Math.max(pack.cents, wish.percent * 5);
  const state = wish.how === 'dispute' ? 'disputed' : pack.cents === 0 ? 'paid' : 'partially_refunded';
  await readRows(app, 'update credit_orders set state = $2, refunded_cents = $3 where id = $1', [
    pack.id,
    state,
    pack.cents,
  ]);
  await work((tx) => settlePack(tx, realm, pack.id, now));
  const back = state === 'disputed' ? 50 : Math.ceil(pack.cents / 10);
  model.balance -= back - pack.back;
  pack.back = back;
  await follow(userId, model);
};

/** Where the credits went is the product's; how many there are is not. */
async function follow(userId: string, model: Model): Promise<void> {
  const rows = await readRows<{ id: string; ends: Date | null; left: number }>(
    app,
    'select id, expires_at as ends, remaining as left from credit_lots where user_id = $1',
    [userId],
  );
  model.lots = rows.map(({ id, ends, left }) => ({ id, left, ends: ends?.getTime() ?? Number.POSITIVE_INFINITY }));
}

const deeds: { [Name in Step['do']]: Deed<Name> } = {
  async grant({ userId, model, now }, { credits }) {
    const key = `credits:grant:${newId(now.getTime())}` as const;
    await work((tx) => grantCredits(tx, { realm, userId, source: 'grant', credits, key, now }));
    model.balance += credits;
    await follow(userId, model);
  },
  async spend({ userId, model, now, spend }, { credits }) {
    const jobId = newId(now.getTime());
    const isSpent = await spend(userId, credits, jobId, now);
    expire(model);
    expect(isSpent).toBe(model.balance >= credits);
    if (!isSpent) return;
    model.balance -= credits;
    model.jobs.push({ id: jobId, credits });
    let owed = credits;
    for (const lot of order(model)) {
      const taken = Math.min(owed, lot.left);
      lot.left -= taken;
      owed -= taken;
    }
    const rows = await readRows<{ id: string; left: number }>(
      app,
      'select id, remaining as left from credit_lots where user_id = $1',
      [userId],
    );
    // What ends first was spent first; of two that end together nobody minds which.
    const endsOf = new Map(model.lots.map(({ id, ends }) => [id, ends]));
    const by = (of: readonly { id: string; left: number }[]) =>
      Object.fromEntries(
        [...Map.groupBy(of, ({ id }) => endsOf.get(id))].map(([ends, some]) => [
          ends,
          some.reduce((total, { left }) => total + left, 0),
        ]),
      );
    expect(by(rows)).toEqual(by(model.lots));
    await follow(userId, model);
  },
  async giveBack({ userId, model, now }, { of }) {
    const job = model.jobs.splice(of % Math.max(1, model.jobs.length), 1)[0];
    if (job === undefined) return;
    expect(await work((tx) => giveBack(tx, { realm, jobId: job.id, now }))).toBe(true);
    model.balance += job.credits;
    await follow(userId, model);
  },
  /** What has ended may not be spent, whether or not the daily job has been there. */
  async wait({ userId, model }, { days, isNoticed }) {
    model.now += days * day;
    if (!isNoticed) return;
    expire(model);
    await work((tx) => expireCredits(tx, { realm, userId, now: new Date(model.now) }));
    await follow(userId, model);
  },
  async buy({ userId, model, now }) {
    const id = newId(now.getTime());
    await readRows(app, insertPack, [id, userId, now]);
    await Promise.all([1, 2].map(() => work((tx) => settlePack(tx, realm, id, now))));
    model.balance += 50;
    model.packs.push({ id, back: 0, cents: 0 });
    await follow(userId, model);
  },
  pay,
};

/** @throws when the books, the lots and the model say different things after any step */
async function runSteps(steps: readonly Step[], spending = spend): Promise<void> {
  const userId = await newUser();
  const model: Model = { now: begin, balance: 0, lots: [], jobs: [], packs: [] };
  for (const wish of steps) {
    const about = { userId, model, now: new Date(model.now), spend: spending };
    await (deeds[wish.do] as (about: Doing, wish: Step) => Promise<void>)(about, wish);
    const { balance, inLots } = await countCredits(app, userId);
    expect({ after: wish, balance, inLots }).toEqual({
      after: wish,
      balance: model.balance,
      inLots: Math.max(0, model.balance),
    });
    expect(sum(model)).toBe(inLots);
  }
}

const moveOne = `update credit_lots set remaining = remaining + case when id = $1 then 1 else -1 end where id = any(array[$1, $2]::uuid[])`;

/** What spending could get wrong, each in the place of the real one. */
const faults: Record<string, typeof spend> = {
  'takes a job’s credits twice': async (userId, credits, jobId, now) => {
    await spend(userId, credits, newId(begin), now);
    return spend(userId, credits, jobId, now);
  },
  'takes what ends last': async (userId, credits, jobId, now) => {
    const isSpent = await spend(userId, credits, jobId, now);
    const lots = await readRows<{ id: string; left: number; ends: number }>(
      app,
      `select id, remaining as left, coalesce(extract(epoch from expires_at), 1e12)::float8 as ends from credit_lots
        where user_id = $1 order by expires_at nulls last`,
      [userId],
    );
    const [first, last] = [lots[0], lots.findLast(({ left, ends }) => left > 0 && ends !== lots[0]?.ends)];
    if (isSpent && first && last) await readRows(app, moveOne, [first.id, last.id]);
    return isSpent;
  },
  'takes what has ended': (userId, credits, jobId) => spend(userId, credits, jobId, new Date(begin)),
  'says that it took what there is not': async (userId, credits, jobId, now) =>
    (await spend(userId, credits, jobId, now)) || true,
};

describe('whatever is given, bought, spent, given back, disputed and waited for', () => {
  const drawn = fc.sample(fc.array(step, { minLength: 4, maxLength: 14 }), { numRuns: 25, seed: 11 });

  it('the books say what a simple count says, and the lots hold as much', async () => {
    for (const steps of drawn) await runSteps(steps);
    expect(
      await readRows(
        app,
        `select currency, sum(amount_cents)::int as sum from ledger_entries group by 1 having sum(amount_cents) <> 0`,
      ),
    ).toEqual([]);
  });

  it.each(Object.entries(faults))('planted: whoever %s is found', async (_, fault) => {
    const found = async () => {
      for (const steps of drawn) await runSteps(steps, fault);
    };
    await expect(found()).rejects.toMatchObject({ name: 'AssertionError' });
  });
});
