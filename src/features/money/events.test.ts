import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HookName } from '#engines/payments/payments.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { connectPayouts, goodCard, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { pass, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { workInbox } from './inbox.ts';
import { catchMissed, findDrift, reconcile, settleOpen } from './reconcile.ts';
import { orderStateOf } from './rules.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });
const check = openExchangeCheck();
/** As many as half a minute is enough for: each runs to its end, or the test fails. */
const plans = 16;
let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.hear });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  // What is told is told by the plans.
  app.engines.sandbox?.tellTo(undefined);
});
afterAll(() => app.close());

interface Event {
  id: string;
  hook: HookName;
  body: {
    type: string;
    data?: { object: { id: string; object: string; client_reference_id?: string; status?: string } };
  };
}

/** Events that were made and not told yet, in the order in which they were. */
async function takeEvents(): Promise<Event[]> {
  const events = await readRows<Event & { seq: number }>(
    app,
    'with taken as (update sandbox_events set delivered_at = now() where delivered_at is null returning id, hook, body, seq) select * from taken order by seq',
  );
  return events;
}

/** Tells one event as the provider does. */
async function tell({ hook, body }: Event): Promise<number> {
  const text = JSON.stringify(body);
  const signature = await app.engines.sandbox?.sign(hook, text);
  const headers = { 'content-type': 'application/json', 'stripe-signature': String(signature) };
  return (await app.fastify.inject({ method: 'POST', url: `/api/hooks/${hook}`, headers, payload: text })).statusCode;
}

/** What a plan does, one after another; between its steps some of the events arrive. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('tip' as const), cents: fc.integer({ min: 500, max: 10_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      of: fc.nat(9),
      percent: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('leave' as const), cents: fc.integer({ min: 500, max: 10_000 }) }),
  },
);
const plan = fc.record({
  steps: fc.array(step, { minLength: 3, maxLength: 5 }),
  mayDrop: fc.boolean(),
  chaos: fc.array(fc.record({ take: fc.nat(9), turn: fc.nat(97), isDoubled: fc.boolean(), isDropped: fc.boolean() }), {
    minLength: 7,
    maxLength: 7,
  }),
});
type Plan = typeof plan extends fc.Arbitrary<infer Made> ? Made : never;
type Step = Plan['steps'][number];

/** Makes an order; `sessions` are those of this plan. */
async function begin(cents: number, sessions: string[]): Promise<string> {
  const { slug } = await shared.makeLink(tipToOpen(500));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser, cents)).body.url);
  sessions.push(sessionId);
  return sessionId;
}

let refunds = 0;
async function act(wish: Step, sessions: string[], paid: string[]): Promise<void> {
  const { payments, sandbox } = app.engines;
  if (wish.do === 'wait') return pass(app, wish.hours * 3_600_000);
  if (wish.do === 'leave') return void (await begin(wish.cents, sessions));
  if (wish.do === 'tip') {
    const sessionId = await begin(wish.cents, sessions);
    await sandbox?.pay(sessionId, { email: `${sessionId}@example.com`, card: goodCard });
    paid.push(sessionId);
    return;
  }
  const sessionId = paid[wish.of % Math.max(1, paid.length)];
  if (sessionId === undefined) return;
  const { paymentId = '', amountCents: all, refundedCents } = await payments.findCheckout(sessionId);
  const amountCents = Math.floor(((all - refundedCents) * wish.percent) / 100);
  const refund = { refundId: `plan-${++refunds}`, orderId: 'o', paymentId, amountCents, reason: 'duplicate' } as const;
  if (amountCents > 0) await payments.refund(refund);
}

/** Runs a plan; `take` is what an event comes to. @throws when what is stored is not what the provider says */
async function run({ steps, chaos, mayDrop }: Plan, take: (event: Event) => Promise<unknown>): Promise<void> {
  const [sessions, paid, waiting]: [string[], string[], Event[]] = [[], [], []];
  let isDropped = false;
  for (const [at, wish] of steps.entries()) {
    await act(wish, sessions, paid);
    // What is due at the provider happens with the next call to it.
    await app.engines.payments.balance();
    waiting.push(...(await takeEvents()));
    const { take: many = 0, turn = 0, isDoubled, isDropped: wantsDrop } = chaos[at] ?? {};
    const some = Array.from({ length: Math.min(many, waiting.length) }, (_, n) =>
      waiting.splice((turn * 7 + n * 13) % waiting.length, 1),
    ).flat();
    if (mayDrop && wantsDrop && some.length > 0) isDropped = some.splice(0, 1).length > 0;
    await Promise.all([...some, ...(isDoubled ? some : [])].map(take));
  }
  await Promise.all(waiting.toReversed().map(take));
  await untilQuiet();
  if (isDropped) await settleOpen(app.engines, 0);
  if (isDropped) for (const sessionId of sessions) await catchUp(sessionId);
  for (const sessionId of sessions) await compare(sessionId, take !== tell);
  const drift = take === tell ? await findDrift(app.engines) : [];
  if (drift.length > 0) throw new Error(drift.join('; '));
}

/** Every event that has arrived was acted upon. @throws when one could not be */
async function untilQuiet(): Promise<void> {
  const waiting = 'select count(*)::int as n, max(last_error) as error from webhook_inbox where processed_at is null';
  for (;;) {
    await workInbox(app.engines);
    const { n, error } = await readRow<{ n: number; error: string | null }>(app, waiting);
    if (error !== null) throw new Error(`an event could not be acted upon: ${error}`);
    if (n === 0) return;
    await pause(5);
  }
}

/** As the job does for events that nobody took. */
async function catchUp(sessionId: string): Promise<void> {
  await post(app, '/rpc/viewing/checkoutStatus', { json: { sessionId } });
  await readRows(
    app,
    'update sandbox_events set delivered_at = null where id in (select id from sandbox_events order by seq desc limit 15)',
  );
  await catchMissed(app.engines);
  await readRows(app, 'update sandbox_events set delivered_at = now()');
  await reconcile(app.engines);
}

async function compare(sessionId: string, isPlanted: boolean): Promise<void> {
  const checkout = await app.engines.payments.findCheckout(sessionId);
  const found = await readRow<{ id: string; state: string; refunded_cents: number; receipts: number; mails: number }>(
    app,
    `select o.id, o.state, o.refunded_cents, (select count(*)::int from receipts r where r.order_id = o.id) as receipts,
       (select count(*)::int from mail_outbox m where m.recipient = $1 || '@example.com') as mails
     from checkout_orders o where o.session_id = $1`,
    [sessionId],
  );
  const isPaid = checkout.state === 'paid' ? 1 : 0;
  const is = [found.state, found.refunded_cents, ...(isPlanted ? [] : [found.receipts, found.mails])];
  const wanted = [orderStateOf(checkout), checkout.refundedCents, ...(isPlanted ? [] : [isPaid, isPaid])];
  if (JSON.stringify(is) !== JSON.stringify(wanted)) throw new Error(`${is} instead of ${wanted}`);
}

describe('events', () => {
  it('late, doubled, reordered, dropped and concurrent come to what the provider says, and the books to its balance', async () => {
    await fc.assert(
      fc.asyncProperty(plan, (made) => run(made, tell)),
      { numRuns: plans, endOnFailure: true },
    );
    expect(check.faults).toEqual([]);
  });

  it('planted: what an event says is believed, and the plans find it', async () => {
    const believe = async ({ body }: Event) => {
      const object = body.data?.object;
      if (object?.object !== 'checkout.session') return;
      const state = object.status === 'complete' ? 'paid' : 'expired';
      await readRows(app, 'update checkout_orders set state = $2 where session_id = $1', [object.id, state]);
    };
    const late: Plan = {
      steps: [
        { do: 'tip', cents: 1000 },
        { do: 'refund', of: 0, percent: 100 },
      ],
      mayDrop: false,
      chaos: [],
    };
    await expect(run(late, believe)).rejects.toThrow('paid,0 instead of refunded,1000');
    await run(late, tell);
    await reconcile(app.engines);
  });

  it('forged, changed or unsigned are refused, and nothing of them is kept', async () => {
    const count = async () => (await readRow<{ n: number }>(app, 'select count(*)::int as n from webhook_inbox')).n;
    const before = await count();
    const body = JSON.stringify({
      id: 'evt_forged',
      object: 'event',
      type: 'x',
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
});
