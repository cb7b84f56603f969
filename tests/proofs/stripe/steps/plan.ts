import type { Subscription } from '#engines/payments/plan-payments.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import type { Fact } from '#tests/proofs/stripe/side.ts';
import type { Side, Taken } from '../side.ts';
import type { Step } from '../step.ts';
import { booked, endOf, hersOf, orderOf } from './scenes.ts';

const daysBetween = (from: Date | undefined, to: Date | undefined): number =>
  Math.round(((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / dayMs);

/** Returns how a plan stands, without its dates. */
const factsOf = (plan: Subscription) => ({
  status: plan.status,
  price: plan.priceCents,
  isPaused: plan.isPaused,
  isEnding: plan.cancelsAtPeriodEnd,
  card: plan.card?.last4 ?? null,
  kind: plan.kind ?? null,
});

/** Every bill of a plan, newest first. */
async function billsOf({ payments }: Side, { subscriptionId }: Taken): Promise<Fact> {
  const bills = await payments.listInvoices(subscriptionId);
  return bills.map(({ status, amountCents, paidCents, isFirst, nextAttemptAt }) => [
    ...[status, amountCents, paidCents, isFirst, nextAttemptAt !== undefined],
  ]);
}

async function stateOf(side: Side, plan: Taken): Promise<{ plan: Fact; bills: Fact }> {
  const found = await side.payments.findSubscription(plan.subscriptionId);
  return { plan: factsOf(found), bills: await billsOf(side, plan) };
}

/** Lets time go by until the period of a plan has ended, and some more. */
async function passPeriod(side: Side, plan: Taken, moreMs: number): Promise<void> {
  const { periodEndsAt } = await side.payments.findSubscription(plan.subscriptionId);
  if (periodEndsAt === undefined) throw new Error('a plan without a period');
  await plan.passUntil(new Date(periodEndsAt.getTime() + moreMs));
}

const life: Step = {
  name: 'a plan through its trial, its first month, a higher price and its end',
  async run(side) {
    const plan = await side.people.takePlan({ name: 'life', trialDays: 7, amountCents: 399, card: 'good' });
    const found = await side.payments.findSubscription(plan.subscriptionId);
    const trial = { ...(await stateOf(side, plan)), days: daysBetween(found.createdAt, found.trialEndsAt) };
    await passPeriod(side, plan, 5 * 60_000);
    const draft = await stateOf(side, plan);
    await plan.passUntil(new Date((found.trialEndsAt?.getTime() ?? 0) + 2 * hourMs));
    const paid = await stateOf(side, plan);
    await side.payments.setPrice(plan.subscriptionId, { amountCents: 499, currency: 'usd', months: 1 });
    await passPeriod(side, plan, 2 * hourMs);
    const raised = await stateOf(side, plan);
    await side.payments.setPlanEnding(plan.subscriptionId, true);
    const ending = await stateOf(side, plan);
    await side.payments.endPlan(plan.subscriptionId);
    const over = await stateOf(side, plan);
    const again = await endOf(side.payments.endPlan(plan.subscriptionId));
    return { trial, draft, paid, raised, ending: ending.plan, over, again };
  },
};

const early: Step = {
  name: 'a renewal that is made final before its hour is over',
  async run(side) {
    const plan = await side.people.takePlan({ name: 'early', trialDays: 7, amountCents: 399, card: 'good' });
    await passPeriod(side, plan, 5 * 60_000);
    const draft = await stateOf(side, plan);
    const [bill] = await side.payments.listInvoices(plan.subscriptionId);
    const ends: string[] = [];
    for (const _time of ['first', 'again'])
      ends.push(await endOf(side.payments.finalizeInvoice(bill?.invoiceId ?? '')));
    // When a bill that was made final by hand is charged is not published.
    await plan.passUntil(new Date((bill?.createdAt.getTime() ?? 0) + 4 * hourMs));
    return { draft, ends, paid: await stateOf(side, plan) };
  },
};

const withoutCard: Step = {
  name: 'a plan whose trial ends without a card',
  async run(side) {
    const plan = await side.people.takePlan({ name: 'bare', trialDays: 7, amountCents: 399, card: undefined });
    const trial = await stateOf(side, plan);
    await passPeriod(side, plan, 2 * hourMs);
    return { trial, over: await stateOf(side, plan) };
  },
};

/** Has a card that was given in the portal pay for a plan and for what is owed, as the room above does. */
async function takeCard({ payments, ...side }: Side, plan: Taken): Promise<{ [name: string]: Fact }> {
  const { customerId } = await payments.findSubscription(plan.subscriptionId);
  const cardId = (await payments.findCustomerCard(customerId)) ?? '';
  const paidByCard = await payments.listPaidByCard(customerId);
  await payments.setCard(plan.subscriptionId, cardId);
  const owed = await payments.listOwed(plan.subscriptionId);
  const ends: string[] = [];
  for (const invoiceId of owed)
    for (const _time of ['first', 'again']) ends.push(await endOf(payments.payOwed(invoiceId, cardId)));
  return {
    hadAnotherCard: paidByCard.map((one) => [one.cardId !== cardId, one.isResting]),
    owedBills: owed.length,
    ends,
    owedThen: (await payments.listOwed(plan.subscriptionId)).length,
    taken: await stateOf({ payments, ...side }, plan),
  };
}

const declined: Step = {
  name: 'a plan whose card is declined, and another card in the portal',
  async run(side) {
    const plan = await side.people.takePlan({ name: 'owed', trialDays: 7, amountCents: 399, card: 'declinesLater' });
    await passPeriod(side, plan, 2 * hourMs);
    const owed = await stateOf(side, plan);
    await plan.changeCard('good');
    const changed = await stateOf(side, plan);
    return { owed, changed, ...(await takeCard(side, plan)) };
  },
};

const paused: Step = {
  name: 'a plan that is paused, and goes on before its time',
  async run(side) {
    const plan = await side.people.takePlan({ name: 'paused', trialDays: undefined, amountCents: 399, card: 'good' });
    const taken = await stateOf(side, plan);
    const { periodEndsAt: from = new Date() } = await side.payments.findSubscription(plan.subscriptionId);
    const until = new Date(from.getTime() + 59 * dayMs);
    await side.payments.pausePlan(plan.subscriptionId, { from, until });
    const pausing = await side.payments.findSubscription(plan.subscriptionId);
    const spans = [daysBetween(pausing.pausedFrom, from), daysBetween(pausing.pausedUntil, until)];
    await passPeriod(side, plan, 2 * hourMs);
    const meanwhile = await stateOf(side, plan);
    await side.payments.resumePlan(plan.subscriptionId);
    const resumed = await stateOf(side, plan);
    await passPeriod(side, plan, 2 * hourMs);
    return {
      taken,
      pausing: factsOf(pausing),
      spans,
      meanwhile,
      resumed: resumed.plan,
      paid: await stateOf(side, plan),
    };
  },
};

const fan: Step = {
  name: 'a fan subscription, its first month and its second',
  async run(side) {
    const before = await hersOf(side);
    const order = orderOf(side, 'fan', { kind: 'fan_sub', amountCents: 995, renews: { months: 1, feePercent: 10 } });
    const plan = await side.people.takeFanPlan(order);
    const first = await stateOf(side, plan);
    const [bill] = await side.payments.listInvoices(plan.subscriptionId);
    const { paymentId = '', chargeId = '' } = await side.payments.findInvoicePayment(bill?.invoiceId ?? '');
    const lines = await booked(side, { paymentId, chargeId }, 3);
    const found = [
      (await side.payments.findSubscriptionOf(chargeId)) === plan.subscriptionId,
      (await side.payments.findInvoiceOf(paymentId)) === bill?.invoiceId,
    ];
    const hers = (await hersOf(side)) - before;
    await passPeriod(side, plan, 2 * hourMs);
    const second = await stateOf(side, plan);
    const hersThen = (await hersOf(side)) - before;
    await side.payments.refundInvoice(bill?.invoiceId ?? '', { key: `${side.run}-fan-refund` });
    const again = await endOf(side.payments.refundInvoice(bill?.invoiceId ?? '', { key: `${side.run}-fan-again` }));
    await side.payments.endPlan(plan.subscriptionId);
    return { first, lines, found, hers, second, hersThen, again };
  },
};

/** Plans by a clock that a test turns. */
export const plans: Step[] = [life, early, withoutCard, declined, paused, fan];
