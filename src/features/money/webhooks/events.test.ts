import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { postMovement } from '#features/books/ledger-store.ts';
import { entriesOf } from '#features/books/posting.ts';
import { orderStateOf } from '#features/orders/rules.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { drawPlans, openPlanWorld, type Plan, type PlanWorld } from '#tests/support/money/plan-steps.ts';
import { type Take, type ToldEvent, tell } from '#tests/support/money/published-events.ts';
import { runPlan } from '#tests/support/money/run-plan.ts';
import { readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findDrift, reconcile } from '../reconcile.ts';

const check = openExchangeCheck();
/** The proof `money` runs very many, of more steps. */
const plans = { count: 6, mostSteps: 4 };
let app: TestApp;
let world: PlanWorld;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
  world = await openPlanWorld(app);
});
afterAll(() => app.close());

/** Paid, given back in part and then whole, and told only afterwards. */
const late: Plan = {
  steps: [
    { do: 'tip', cents: 1000 },
    { do: 'refund', of: 0, percent: 40 },
    { do: 'refund', of: 0, percent: 100 },
  ],
  mayDrop: false,
  chaos: [],
};
const sessionIn = ({ body }: ToldEvent) =>
  body.data?.object.object === 'checkout.session' ? body.data.object.id : undefined;
const writeState = (sessionId: string, state: string, refundedCents: number) =>
  readRows(app, 'update checkout_orders set state = $2, refunded_cents = $3 where session_id = $1', [
    ...[sessionId, state, refundedCents],
  ]);
/** Everything is told once more, as it should be. */
const mend = async () => {
  await runPlan(world, late);
  await reconcile(app.engines);
};

describe('events', () => {
  it('late, doubled, reordered, dropped and concurrent come to what the provider says, and the books to its balance', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    for (const { name, ...plan } of drawPlans(plans.count, plans.mostSteps, seed))
      await runPlan(world, plan).catch((error: unknown) => {
        throw new Error(`plan ${name}: ${JSON.stringify(plan)}`, { cause: error });
      });
    expect(check.faults).toEqual([]);
  });

  it('planted: what an event says is believed, and the plans find it', async () => {
    const believe: Take = async (event) => {
      const sessionId = sessionIn(event);
      const isPaid = event.body.data?.object.status === 'complete';
      if (sessionId !== undefined) await writeState(sessionId, isPaid ? 'paid' : 'expired', 0);
    };
    await expect(runPlan(world, late, believe)).rejects.toThrow('an order: paid,0 instead of refunded,1000');
    await mend();
  });

  it('planted: somebody asks and writes without a lock, and is overtaken; the plans find it', async () => {
    const slow: Plan = { ...late, chaos: [{ take: 9, turn: 0, isDoubled: false, isDropped: false }] };
    const answers: (() => Promise<unknown>)[] = [];
    const overtaken: Take = async (event) => {
      const sessionId = sessionIn(event);
      if (sessionId === undefined) return tell(app, event);
      const checkout = await app.engines.payments.findCheckout(sessionId);
      answers.push(() => writeState(sessionId, orderStateOf(checkout), checkout.refundedCents));
    };
    const last: Take = async (event) => {
      await overtaken(event);
      // The last event is told, and only then what was asked for long before is written.
      if (event.body.type !== 'charge.refunded') return;
      await vi.waitFor(async () => expect(await countOpen()).toBe(0));
      for (const write of answers) await write();
    };
    await expect(runPlan(world, slow, last)).rejects.toThrow('an order: paid,0 instead of refunded,1000');
    await mend();
  });

  it('planted: an event is acknowledged before it is kept, and is lost; the plans find it', async () => {
    const lost: Take = async () => undefined;
    await expect(runPlan(world, late, lost)).rejects.toThrow('an order: pending,0 instead of refunded,1000');
    await mend();
  });

  it('planted: a refund takes nothing back of what the creator had, and the plans find it', async () => {
    const giving = { ...world, isTakenBack: false };
    await expect(runPlan(giving, late)).rejects.toThrow('its share: 900 instead of 0');
  });

  it('planted: a dispute takes nothing back of what the creator had, and the plans find it', async () => {
    const own = app.engines.payments;
    app.engines.payments = { ...own, takeBack: async () => 'trr_planted' };
    const disputed: Plan = {
      ...late,
      steps: [
        { do: 'tip', cents: 1000 },
        { do: 'dispute', of: 0 },
      ],
    };
    await expect(runPlan(world, disputed)).rejects.toThrow('its share: 900 instead of 0');
    app.engines.payments = own;
  });

  it('forged, changed or unsigned are refused, and nothing of them is kept', async () => {
    const count = async () => (await readRow<{ n: number }>(app, 'select count(*)::int as n from webhook_inbox')).n;
    const before = await count();
    const body = JSON.stringify({
      id: 'evt_forged',
      object: 'event',
      type: 'checkout.session.completed',
      created: 1,
      livemode: false,
      data: { object: { id: 'cs_1' } },
    });
    const signature = String(await app.engines.sandbox?.sign('stripe', body));
    const send = async (payload: string, headers: Record<string, string>, hook = 'stripe') => {
      const type = { 'content-type': 'application/json' };
      const url = `/api/hooks/${hook}`;
      return (await app.fastify.inject({ method: 'POST', url, headers: { ...type, ...headers }, payload })).statusCode;
    };
    expect(await send(body, {})).toBe(400);
    expect(await send(body, { 'stripe-signature': 't=1,v1=00' })).toBe(400);
    expect(await send(`${body} `, { 'stripe-signature': signature })).toBe(400);
    expect(await send(body, { 'stripe-signature': signature }, 'stripe-connect')).toBe(400);
    expect(await send('x'.repeat(300_000), { 'stripe-signature': signature })).toBe(413);
    expect(await count()).toBe(before);
    expect(await send(body, { 'stripe-signature': signature })).toBe(200);
    expect(await send(body, { 'stripe-signature': signature })).toBe(200);
    expect(await count()).toBe(before + 1);
  });
});

/** Events that have arrived and were not acted upon. */
const countOpen = async () =>
  (await readRow<{ n: number }>(app, 'select count(*)::int as n from webhook_inbox where processed_at is null')).n;

describe('the books', () => {
  const refused = (text: string) =>
    expect(readRows(app, text)).rejects.toMatchObject({ code: expect.stringMatching(/23514|23001|42501|23503/) });
  it('take nothing that does not add up, and are never changed', async () => {
    const columns = '(provider, livemode, source_key, kind, occurred_at, available_at, currency)';
    const values = `('sandbox', false, 'planted', 'charge', now(), now(), 'usd')`;
    await refused(`with t as (insert into ledger_transactions ${columns} values ${values} returning id)
      insert into ledger_entries (transaction_id, account_id, provider, livemode, currency, amount_cents)
      select t.id, a.id, 'sandbox', false, 'usd', 1 from t, (select id from ledger_accounts limit 1) a`);
    await refused('update ledger_entries set amount_cents = amount_cents + 1');
    await refused('delete from ledger_transactions');
    await refused('truncate ledger_entries');
  });

  // The last one: these books are worth nothing afterwards.
  it('planted: a movement may stand in them twice, and the comparison with the provider finds it', async () => {
    await reconcile(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
    const owner = new pg.Client(app.engines.database.connection as pg.ClientConfig);
    await owner.connect();
    await owner.query(
      'alter table ledger_transactions drop constraint ledger_transactions_source_key_provider_livemode_key',
    );
    await owner.end();
    const { done, value: page } = await app.engines.payments.movements(undefined)[Symbol.asyncIterator]().next();
    const movement = done === true ? undefined : page.find(({ kind }) => kind === 'charge');
    if (movement === undefined) throw new Error('nothing was paid');
    const post = () =>
      app.engines.database.work({ kind: 'system' }, (tx) =>
        postMovement(tx, app.engines.payments.realm, movement, entriesOf(movement)),
      );
    expect(await post()).toBe(true);
    expect(await findDrift(app.engines)).toContainEqual(expect.stringMatching(/^asset:stripe: /));
  });
});
