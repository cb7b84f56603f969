import { syncLedger, syncPayouts } from '#features/books/ledger-sync.ts';
import { settleCredits } from '#features/credits/lots/settling.ts';
import { settleFans } from '#features/money/fans/fan-jobs.ts';
import { catchMissed, findDrift, reconcile, settleOpen } from '#features/money/reconcile.ts';
import { settleOpenPacks } from '#features/orders/packs.ts';
import { orderStateOf } from '#features/orders/rules.ts';
import { settlePlans } from '#features/plans/settling-plans.ts';
import { settleFees } from '#features/returns/bearing-fees.ts';
import { tendDisputes } from '#features/returns/disputes/tending-disputes.ts';
import { runRefunds } from '#features/returns/refunding.ts';
import { tendWarnings } from '#features/returns/warnings/tending-warnings.ts';
import { dayMs } from '#kit/time.ts';
import { advance, readRow, readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';
import { compareFan } from './fan-steps.ts';
import { act, type Deeds, type Plan, type PlanWorld } from './plan-steps.ts';
import { type Take, type ToldEvent, takeEvents, tell, untilQuiet } from './published-events.ts';
import { compareReported } from './report-steps.ts';
import { compareRequest } from './request-steps.ts';
import { post } from './selling.ts';

/** The provider gives up telling after three days: what is told later than that is lost. */
const longestTelling = 3;
let runs = 0;

/** Whoever looks after disputes in a plan has not done so for long. */
const yearMs = 365 * dayMs;

/** So many at once: a provider that tells of everything in the same moment would try the database, not what is told. */
const toldAtOnce = 10;

async function deliverAll(events: readonly ToldEvent[], receive: Take): Promise<void> {
  for (let from = 0; from < events.length; from += toldAtOnce)
    await Promise.all(events.slice(from, from + toldAtOnce).map(receive));
}

/** A long time goes by but for its last days, and what happens in it is told in it. */
async function passMost(app: TestApp, days: number, waiting: readonly ToldEvent[], receive: Take): Promise<void> {
  await deliverAll(waiting, receive);
  for (let left = days; left > longestTelling; left -= longestTelling * 4) {
    await untilQuiet(app);
    advance(app, Math.min(left - longestTelling, longestTelling * 4) * dayMs);
    await app.engines.payments.balance();
    await deliverAll(await takeEvents(app), receive);
  }
  await untilQuiet(app);
}

/**
 * Runs a plan to its end.
 * @param take what an event comes to, where it is not told as the provider tells it
 * @throws when what is stored is not what the provider says
 */
export async function runPlan(world: PlanWorld, { steps, chaos, mayDrop }: Plan, take?: Take): Promise<void> {
  const { app, takers } = world;
  const taker = takers[runs++ % takers.length];
  if (taker === undefined) throw new Error('nobody takes plans');
  const nothing = {
    sessions: [],
    paid: [],
    subscriptions: [],
    packs: [],
    requests: [],
    disputes: [],
    fans: [],
    reported: [],
  };
  const done: Deeds = { ...nothing, refunds: 0, taker };
  const receive = take ?? ((event: ToldEvent) => tell(app, event));
  let waiting: ToldEvent[] = [];
  let isDropped = false;
  for (const [at, params] of steps.entries()) {
    const days = daysOf(params);
    if (days > 0) await passMost(app, days, waiting.splice(0), receive);
    if (!world.isPackFollowed) await settleCredits(app.engines);
    await act(world, params, done);
    // What is due at the provider happens with the next call to it.
    await app.engines.payments.balance();
    waiting.push(...(await takeEvents(app)));
    const arriving = arrivalOf(waiting, chaos[at], mayDrop);
    waiting = arriving.left;
    isDropped ||= arriving.isDropped;
    await deliverAll(arriving.now, receive);
  }
  await deliverAll(waiting.toReversed(), receive);
  await untilQuiet(app);
  if (isDropped) await catchUp(world, done);
  await judge(world, done, take !== undefined);
}

/** For how long a step takes: what has been told so far is not kept for so long. */
const daysOf = (params: Plan['steps'][number]): number => {
  if (params.do === 'wait') return params.days;
  return params.do === 'request' && params.end === 'silent' ? longestTelling : 0;
};

/** Which events arrive now, and which of them twice; the first of them is lost. */
function arrivalOf(waiting: readonly ToldEvent[], chaos: Plan['chaos'][number] | undefined, mayDrop: boolean) {
  const { take = 0, turn = 0, isDoubled = false, isDropped: wantsDrop = false } = chaos ?? {};
  const left = [...waiting];
  const some = Array.from({ length: Math.min(take, left.length) }, (_, n) =>
    left.splice((turn * 7 + n * 13) % left.length, 1),
  ).flat();
  const isDropped = mayDrop && wantsDrop && some.splice(0, 1).length > 0;
  return { left, now: [...some, ...(isDoubled ? some : [])], isDropped };
}

/** As pages and jobs do for what nobody has told. */
async function catchUp({ app }: PlanWorld, { sessions, subscriptions }: Deeds): Promise<void> {
  // Plans are asked about once a day at least.
  if (subscriptions.length > 0) advance(app, dayMs + 3_600_000);
  await settleOpen(app.engines, 0);
  await settleOpenPacks(app.engines, 0);
  await settlePlans(app.engines, 0);
  await settleFans(app.engines, 0);
  await tendDisputes(app.engines, yearMs);
  await tendWarnings(app.engines, yearMs);
  for (const sessionId of sessions) await post(app, '/rpc/viewing/checkoutStatus', { json: { sessionId } });
  await readRows(
    app,
    'update sandbox_events set delivered_at = null where id in (select id from sandbox_events order by seq desc limit 15)',
  );
  await catchMissed(app.engines);
  await readRows(app, 'update sandbox_events set delivered_at = now()');
  await reconcile(app.engines);
}

async function judge(world: PlanWorld, done: Deeds, isPlanted: boolean): Promise<void> {
  const { app, accountId } = world;
  await runRefunds(app.engines);
  await syncPayouts(app.engines, accountId);
  if (!isPlanted && world.isFeeTaken) await settleFees(app.engines, accountId);
  // A second round gives back what the first one found to be returned.
  if (!isPlanted && world.isFeeTaken) await settleFees(app.engines, accountId);
  await syncLedger(app.engines);
  if (!isPlanted) await compareFees(world);
  for (const reported of done.reported) await compareReported(app, reported);
  for (const sessionId of done.sessions) await compareOrder(world, sessionId, isPlanted);
  for (const subscriptionId of done.subscriptions) await comparePlan(world, subscriptionId);
  for (const fan of done.fans) await compareFan(app, fan);
  for (const sessionId of done.packs) await comparePack(world, sessionId);
  for (const request of isPlanted ? [] : done.requests) await compareRequest(app, request);
  await compareReceipts(world, done);
  const drift = isPlanted ? [] : [...(await findDrift(app.engines)), ...(await findUncleared(app))];
  if (drift.length > 0) throw new Error(drift.join('; '));
}

/** What went back or is with a bank was taken from somebody; of what is held or was the platform's own sale, what a bank looks at waits here. */
async function findUncleared(app: TestApp): Promise<string[]> {
  const { cents } = await readRow<{ cents: number }>(
    app,
    `select coalesce(sum(e.amount_cents), 0)::int
       - (select coalesce(sum(d.taken_cents), 0)::int from disputes d left join checkout_orders o on o.id = d.order_id
           where (o.request_id is not null or d.order_id is null) and d.standing = 'open') as cents
     from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.key = 'clearing:refunds'`,
  );
  return cents === 0 ? [] : [`clearing: ${cents}`];
}

const differs = (what: string, is: readonly unknown[], wanted: readonly unknown[]) => {
  if (JSON.stringify(is) !== JSON.stringify(wanted)) throw new Error(`${what}: ${is} instead of ${wanted}`);
};

/** A fee that is a creator's is taken once, unless she has too little, and given back once it was returned or the dispute was won. */
async function compareFees({ app, accountId }: PlanWorld): Promise<void> {
  const { available } = await app.engines.payments.balance(accountId);
  const rows = await readRows<Record<'borne' | 'costs' | 'moved' | 'booked', number> & { name: string }>(
    app,
    `select d.dispute_id as name, d.borne_cents::int as borne, case when d.standing = 'won' then 0 when d.decided_at is null then d.borne_cents else least(d.borne_cents, d.fee_cents) end::int as costs,
       (select coalesce(sum(case when s.type = 'charge' then 1 else -1 end * (s.body->>'amount')::int), 0)::int from sandbox_objects s
         where s.type in ('charge', 'transfer') and s.body @> jsonb_build_object('metadata', jsonb_build_object('kind', 'dispute_fee', 'dispute', d.dispute_id))) as moved,
       (select coalesce(-sum(t.owed_cents), 0)::int from ledger_transactions t where t.charge_id = d.charge_id and t.kind = 'dispute_fee') as booked
     from disputes d where d.borne_cents is not null`,
  );
  for (const { name, borne, costs, moved, booked } of rows) {
    const isPoor = moved === 0 && (available.get('usd') ?? 0) < borne;
    differs(`the fee of ${name}`, [moved, booked], isPoor ? [0, 0] : [costs, costs]);
  }
}

/** One order, one receipt, one mail, another when something went back, and in the books what is the creator's of what was not given back. */
async function compareOrder({ app }: PlanWorld, sessionId: string, isPlanted: boolean): Promise<void> {
  const checkout = await app.engines.payments.findCheckout(sessionId);
  const found = await readRow<Record<'state' | 'refunded' | 'receipts' | 'mails' | 'isTold' | 'fee' | 'owed', unknown>>(
    app,
    `select o.state, o.refunded_cents as refunded, (select count(*)::int from receipts r where r.order_id = o.id) as receipts,
       (select count(*)::int from mail_outbox m where m.recipient = $1 || '@example.com' and m.template <> 'order_refunded') as mails,
       exists (select from mail_outbox m where m.recipient = $1 || '@example.com' and m.template = 'order_refunded') as "isTold", o.fee_cents as fee,
       (select coalesce(sum(t.owed_cents), 0)::int from ledger_transactions t where t.charge_id = $2 and t.kind not in ('payout', 'dispute_fee')) as owed
     from checkout_orders o where o.session_id = $1`,
    [sessionId, checkout.chargeId ?? null],
  );
  const { amountCents, refundedCents } = checkout;
  const isPaid = checkout.state === 'paid' ? 1 : 0;
  differs('an order', [found.state, found.refunded], [orderStateOf(checkout), refundedCents]);
  if (isPlanted) return;
  differs('its receipts and mails', [found.receipts, found.mails], [isPaid, isPaid]);
  differs('whether the buyer was told of a refund', [found.isTold], [refundedCents > 0]);
  const fee = Number(found.fee);
  const left = amountCents - refundedCents - fee + Math.round((fee * refundedCents) / amountCents);
  differs('its share', [found.owed], [checkout.isDisputed ? 0 : isPaid * left]);
}

/** A pack as its payment says, and its credits: given once, gone with what was paid back or is with a bank, and there again with it. */
async function comparePack({ app, isPackFollowed }: PlanWorld, sessionId: string): Promise<void> {
  const checkout = await app.engines.payments.findCheckout(sessionId);
  if (isPackFollowed) await settleCredits(app.engines);
  const found = await readRow<Record<'state' | 'refunded' | 'given' | 'wanted', unknown>>(
    app,
    `select o.state, o.refunded_cents as refunded,
       (select coalesce(-sum(e.amount_cents), 0)::int from ledger_entries e join ledger_accounts a on a.id = e.account_id
         join ledger_transactions t on t.id = e.transaction_id
         where a.key = 'credits:user:' || o.user_id and t.source_key like 'credits:order:' || o.id || '%') as given,
       case when o.paid_at is null or $2 then 0 else o.credits - greatest(o.back_credits, ceil(o.credits * $3::numeric / o.amount_cents)) end::int as wanted
     from credit_orders o where o.session_id = $1`,
    [sessionId, checkout.isDisputed, checkout.refundedCents],
  );
  differs('a pack', [found.state, found.refunded], [orderStateOf(checkout), checkout.refundedCents]);
  differs('its credits', [found.given], [found.wanted]);
}

/** A plan, its bills and one receipt for each that was paid. */
async function comparePlan({ app }: PlanWorld, subscriptionId: string): Promise<void> {
  const { payments } = app.engines;
  const [plan, invoices] = [
    await payments.findSubscription(subscriptionId),
    await payments.listInvoices(subscriptionId),
  ];
  const found = await readRow<{
    id: string;
    status: string;
    isEnding: boolean;
    isPaused: boolean;
    endedAt: Date | null;
  }>(
    app,
    'select id, status, cancel_at_period_end as "isEnding", is_paused as "isPaused", ended_at as "endedAt" from platform_subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  const is = [found.status, found.isEnding, found.isPaused, found.endedAt?.getTime()];
  differs('a plan', is, [plan.status, plan.cancelsAtPeriodEnd, plan.isPaused, plan.endedAt?.getTime()]);
  const bills = await readRows<{ id: string; status: string; paid: number }>(
    app,
    'select invoice_id as id, status, paid_cents as paid from plan_invoices where plan_id = $1 order by 1',
    [found.id],
  );
  const wanted = invoices.toSorted((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1));
  const shown = wanted.map((one) => [one.invoiceId, one.status, one.paidCents]);
  differs(
    'its bills',
    bills.map(({ id, status, paid }) => [id, status, paid]),
    shown,
  );
}

/** One receipt for each bill that somebody has paid. */
async function compareReceipts({ app }: PlanWorld, { taker: { userId, email } }: Deeds): Promise<void> {
  const { mails, bills } = await readRow<{ mails: number; bills: number }>(
    app,
    `select (select count(*)::int from mail_outbox where recipient = $2 and template = 'plan_receipt') as mails,
       (select count(*)::int from plan_invoices i join platform_subscriptions p on p.id = i.plan_id where p.user_id = $1 and i.paid_cents > 0) as bills`,
    [userId, email],
  );
  differs('receipts of plans', [mails], [bills]);
}
