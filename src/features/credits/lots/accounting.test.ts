import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseAway } from '#engines/database/away.ts';
import { newId } from '#kit/ids.ts';
import {
  begin,
  type CreditWallet,
  creditStep,
  newOwner,
  openCreditWallet,
  runCreditSteps,
} from '#tests/support/money/credit-steps.ts';
import { countCredits, giveCredits } from '#tests/support/money/credits.ts';
import { readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let wallet: CreditWallet;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  wallet = openCreditWallet(app);
});
afterAll(() => app.close());

/** The same on a busy machine: whoever finds no line to the database asks again, for the same job. */
async function spendAtLast(userId: string, credits: number): Promise<boolean> {
  const jobId = newId(begin);
  for (let tries = 1; ; tries++)
    try {
      return await wallet.spend(userId, credits, jobId);
    } catch (error) {
      if (!(error instanceof DatabaseAway) || tries === 20) throw error;
    }
}

describe('credits', () => {
  // Two things hold this: the creator's turn and the rows of their lots. It fails where both are missing; either one is enough.
  it('that were the last are spent once, however many ask for them in the same moment', async () => {
    const userId = await newOwner(app);
    await giveCredits(app, userId, 1);
    const spent = await Promise.all(Array.from({ length: 200 }, () => spendAtLast(userId, 1)));
    expect(spent.filter((isSpent) => isSpent)).toHaveLength(1);
    expect(await countCredits(app, userId)).toEqual({ balance: 0, inLots: 0 });
    expect(await readRows(app, 'select credits from credit_debits where user_id = $1', [userId])).toEqual([
      { credits: 1 },
    ]);
  });

  it('pay one job once, and are given back once', async () => {
    const userId = await newOwner(app);
    await giveCredits(app, userId, 12);
    const jobId = newId(begin);
    expect([await wallet.spend(userId, 5, jobId), await wallet.spend(userId, 5, jobId)]).toEqual([true, true]);
    expect(await countCredits(app, userId)).toEqual({ balance: 7, inLots: 7 });
    const back = () => wallet.giveBack(jobId);
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
    const userId = await newOwner(app);
    await giveCredits(app, userId, 3);
    expect(await readRows(app, 'select * from ledger_days where owner_user_id = $1', [userId])).toEqual([]);
  });
});

const moveOne = `update credit_lots set remaining = remaining + case when id = $1 then 1 else -1 end where id = any(array[$1, $2]::uuid[])`;

/** What could go wrong, each in the place of the real one. */
const faults: Record<string, Partial<CreditWallet>> = {
  'gives credits twice': {
    grant: async (userId, credits, now) =>
      (await wallet.grant(userId, credits, now)) && wallet.grant(userId, credits, now),
  },
  'takes a job’s credits twice': {
    async spend(userId, credits, jobId, now) {
      await wallet.spend(userId, credits, newId(begin), now);
      return wallet.spend(userId, credits, jobId, now);
    },
  },
  'takes what ends last': {
    async spend(userId, credits, jobId, now) {
      const isSpent = await wallet.spend(userId, credits, jobId, now);
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
  },
  'takes what has ended': { spend: (userId, credits, jobId) => wallet.spend(userId, credits, jobId, new Date(begin)) },
  'says that it took what there is not': {
    spend: async (userId, credits, jobId, now) => (await wallet.spend(userId, credits, jobId, now)) || true,
  },
  'gives a job’s credits back twice': {
    async giveBack(jobId, now) {
      const isBack = await wallet.giveBack(jobId, now);
      // As if the job had been paid for once more: under its first name nothing is given back again.
      await readRows(app, 'update credit_debits set revoked_at = null, turn = turn + 1 where job_id = $1', [jobId]);
      await wallet.giveBack(jobId, now);
      return isBack;
    },
  },
  'takes a pack’s credits back twice': {
    async settlePack(packId, now) {
      await wallet.settlePack(packId, now);
      await readRows(app, 'update credit_lots set taken_back = 0 where order_id = $1', [packId]);
      await wallet.settlePack(packId, now);
    },
  },
  'takes no credits back of a pack whose money went back': {
    async settlePack(packId, now) {
      const { state } = await readRow<{ state: string }>(app, 'select state from credit_orders where id = $1', [
        packId,
      ]);
      if (state === 'paid') await wallet.settlePack(packId, now);
    },
  },
};

describe('whatever is given, bought, spent, given back, disputed and waited for', () => {
  const drawn = fc.sample(fc.array(creditStep, { minLength: 4, maxLength: 14 }), { numRuns: 25, seed: 11 });

  it('the books say what a simple count says, and the lots hold as much', async () => {
    for (const steps of drawn) await runCreditSteps(app, steps);
    expect(
      await readRows(
        app,
        `select currency, sum(amount_cents)::int as sum from ledger_entries group by 1 having sum(amount_cents) <> 0`,
      ),
    ).toEqual([]);
  });

  it.each(Object.entries(faults))('planted: whoever %s is found', async (_, fault) => {
    const found = async () => {
      for (const steps of drawn) await runCreditSteps(app, steps, { ...wallet, ...fault });
    };
    await expect(found()).rejects.toMatchObject({ name: 'AssertionError' });
  });
});
