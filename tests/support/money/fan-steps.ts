import fc from 'fast-check';
import { findDraft, statusWith } from '#features/books/draft-rules.ts';
import { type Months, termCents } from '#features/orders/fan-rules.ts';
import { readRow, readRows } from '../people.ts';
import { newBrowser, type TestApp } from '../test-app.ts';
import { failNextMonths, tapSubscribe } from './fans.ts';
import { payAt, sessionOf, tapDoor } from './selling.ts';

/** Somebody subscribes to the creator, and what becomes of it: nobody asks our pages to do it. */
export const fanStep = fc.record({
  do: fc.constant('fan' as const),
  end: fc.constantFrom('stays', 'lapses', 'cancels', 'returned'),
  /** Paid at once, each time. */
  months: fc.constantFrom<Months[]>(1, 3, 6, 12),
});

/** Where fans subscribe: a link, and the tier that it sells. */
export interface FanShop {
  slug: string;
  tierId: string;
  price: Parameters<typeof termCents>[0];
}

/** A subscription by its name at the provider, and for how long it was wanted at once. */
export interface PlannedFan {
  subscriptionId: string;
  months: Months;
}

/** Subscribes, and lets the provider alone know what follows. @returns it */
export async function actFan(
  app: TestApp,
  { slug, tierId, price }: FanShop,
  { end, months }: { end: string; months: Months },
): Promise<PlannedFan> {
  const { payments } = app.engines;
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const { status, body } = await tapSubscribe(app, slug, browser, tierId, termCents(price, months), months);
  if (status !== 200) throw new Error(`a subscription was answered ${status} ${JSON.stringify(body)}`);
  const sessionId = sessionOf(body.url);
  await payAt(app, sessionId, { email: `${sessionId}@example.com` });
  const { subscriptionId = '', paymentId = '', amountCents } = await payments.findCheckout(sessionId);
  if (end === 'lapses') await failNextMonths(app, subscriptionId);
  if (end === 'cancels') await payments.setPlanEnding(subscriptionId, true);
  const refund = { refundId: `fan-${sessionId}`, orderId: 'o', paymentId, amountCents, reason: 'duplicate' } as const;
  if (end === 'returned') await payments.refund(refund);
  return { subscriptionId, months };
}

/** A subscription as the provider says, with an order and a receipt for each bill that was paid, of as many months. */
export async function compareFan(app: TestApp, { subscriptionId, months: params }: PlannedFan): Promise<void> {
  const { payments } = app.engines;
  const [plan, invoices] = [
    await payments.findSubscription(subscriptionId),
    await payments.listInvoices(subscriptionId),
  ];
  const found = await readRow<{ id: string; status: string; isEnding: boolean; hasEnded: boolean; months: number }>(
    app,
    `select id, status, cancel_at_period_end as "isEnding", ended_at is not null as "hasEnded", months from fan_subscriptions where subscription_id = $1`,
    [subscriptionId],
  );
  const bills = await readRows<{ cents: number; receipts: number; months: number }>(
    app,
    `select o.amount_cents as cents, o.months, (select count(*)::int from receipts r where r.order_id = o.id) as receipts
     from checkout_orders o where o.fan_subscription_id = $1 and o.paid_at is not null`,
    [found.id],
  );
  const paid = invoices.map(({ paidCents }) => paidCents).filter((cents) => cents > 0);
  const [is, wanted] = [
    [
      found.status,
      found.isEnding,
      found.hasEnded,
      found.months,
      bills.map(({ cents }) => cents),
      bills.map(({ receipts, months }) => [receipts, months]),
    ],
    [
      statusWith(plan.status, findDraft(plan, invoices), new Date(app.engines.linkClock())),
      plan.cancelsAtPeriodEnd,
      plan.endedAt !== undefined,
      params,
      paid,
      paid.map(() => [1, params]),
    ],
  ].map((each) => JSON.stringify(each));
  if (is !== wanted) throw new Error(`a fan: ${is} instead of ${wanted}`);
}
