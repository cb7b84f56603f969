import fc from 'fast-check';
import { expect } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { expireCredits, giveBack, grantCredits, settlePack, spendCredits } from '#features/credits/lots/accounting.ts';
import { newId } from '#kit/ids.ts';
import { readRow, readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';
import { countCredits } from './credits.ts';

const day = 86_400_000;
export const begin = Date.parse('2026-11-21T12:00:00Z');
const realm = { provider: 'sandbox', livemode: false } as const;

/** Somebody who has none yet. */
export async function newOwner(app: TestApp): Promise<string> {
  const { id } = await readRow<{ id: string }>(
    app,
    `insert into users (id, email, status, created_at) values (gen_random_uuid(), gen_random_uuid() || '@example.com', 'active', now()) returning id`,
  );
  return id;
}

/** What changes somebody's credits, as the product does it. A planted fault stands in the place of one of them. */
export function openCreditWallet(app: TestApp) {
  const work = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
  return {
    grant(userId: string, credits: number, now: Date): Promise<boolean> {
      const key = `credits:grant:${newId(now.getTime())}` as const;
      return work((tx) => grantCredits(tx, { realm, userId, source: 'grant', credits, key, now }));
    },
    spend: (userId: string, credits: number, jobId = newId(begin), now = new Date(begin)): Promise<boolean> =>
      work((tx) => spendCredits(tx, { realm, userId, jobId, what: 'trace', credits, now })),
    giveBack: (jobId: string, now = new Date(begin)): Promise<boolean> =>
      work((tx) => giveBack(tx, { realm, jobId, now })),
    settlePack: (packId: string, now: Date): Promise<void> => work((tx) => settlePack(tx, realm, packId, now)),
    expire: (userId: string, now: Date): Promise<void> => work((tx) => expireCredits(tx, { realm, userId, now })),
  };
}
export type CreditWallet = ReturnType<typeof openCreditWallet>;

/** One pack as its payment goes, beside what is given, spent, given back and waited for. */
export const creditStep = fc.oneof(
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
export type CreditStep = typeof creditStep extends fc.Arbitrary<infer Made> ? Made : never;

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

type Doing = { app: TestApp; wallet: CreditWallet; userId: string; model: Model; now: Date };
type Deed<Name extends CreditStep['do']> = (about: Doing, params: Extract<CreditStep, { do: Name }>) => Promise<void>;

const pay: Deed<'pay'> = async ({ app, wallet, userId, model, now }, params) => {
  const pack = model.packs[params.of % Math.max(1, model.packs.length)];
  if (pack === undefined) return;
  if (params.how === 'refund') pack.cents = Math.max(pack.cents, params.percent * 5);
  const state = params.how === 'dispute' ? 'disputed' : pack.cents === 0 ? 'paid' : 'partially_refunded';
  await readRows(app, 'update credit_orders set state = $2, refunded_cents = $3 where id = $1', [
    pack.id,
    state,
    pack.cents,
  ]);
  await wallet.settlePack(pack.id, now);
  const back = state === 'disputed' ? 50 : Math.ceil(pack.cents / 10);
  model.balance -= back - pack.back;
  pack.back = back;
  await follow(app, userId, model);
};

/** Follows the product in where credits went; how many there are is the model's own. */
async function follow(app: TestApp, userId: string, model: Model): Promise<void> {
  const rows = await readRows<{ id: string; ends: Date | null; left: number }>(
    app,
    'select id, expires_at as ends, remaining as left from credit_lots where user_id = $1',
    [userId],
  );
  model.lots = rows.map(({ id, ends, left }) => ({ id, left, ends: ends?.getTime() ?? Number.POSITIVE_INFINITY }));
}

const deeds: { [Name in CreditStep['do']]: Deed<Name> } = {
  async grant({ app, wallet, userId, model, now }, { credits }) {
    await wallet.grant(userId, credits, now);
    model.balance += credits;
    await follow(app, userId, model);
  },
  async spend({ app, wallet, userId, model, now }, { credits }) {
    const jobId = newId(now.getTime());
    const isSpent = await wallet.spend(userId, credits, jobId, now);
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
    await follow(app, userId, model);
  },
  async giveBack({ app, wallet, userId, model, now }, { of }) {
    const job = model.jobs.splice(of % Math.max(1, model.jobs.length), 1)[0];
    if (job === undefined) return;
    expect(await wallet.giveBack(job.id, now)).toBe(true);
    model.balance += job.credits;
    await follow(app, userId, model);
  },
  /** What has ended may not be spent, whether or not the daily job has been there. */
  async wait({ app, wallet, userId, model }, { days, isNoticed }) {
    model.now += days * day;
    if (!isNoticed) return;
    expire(model);
    await wallet.expire(userId, new Date(model.now));
    await follow(app, userId, model);
  },
  async buy({ app, wallet, userId, model, now }) {
    const id = newId(now.getTime());
    await readRows(app, insertPack, [id, userId, now]);
    await Promise.all([wallet.settlePack(id, now), wallet.settlePack(id, now)]);
    model.balance += 50;
    model.packs.push({ id, back: 0, cents: 0 });
    await follow(app, userId, model);
  },
  pay,
};

/** @throws when the books, the lots and the model say different things after any step */
export async function runCreditSteps(
  app: TestApp,
  steps: readonly CreditStep[],
  wallet = openCreditWallet(app),
): Promise<void> {
  const userId = await newOwner(app);
  const model: Model = { now: begin, balance: 0, lots: [], jobs: [], packs: [] };
  for (const params of steps) {
    const about = { app, wallet, userId, model, now: new Date(model.now) };
    await (deeds[params.do] as (about: Doing, params: CreditStep) => Promise<void>)(about, params);
    const { balance, inLots } = await countCredits(app, userId);
    expect({ after: params, balance, inLots }).toEqual({
      after: params,
      balance: model.balance,
      inLots: Math.max(0, model.balance),
    });
    expect(sum(model)).toBe(inLots);
  }
}
