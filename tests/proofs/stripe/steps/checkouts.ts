import type { CheckoutOrder } from '#engines/payments/payments.ts';
import { hourMs } from '#kit/time.ts';
import type { Fact } from '#tests/proofs/stripe/side.ts';
import type { Side } from '../side.ts';
import type { Step } from '../step.ts';
import { endOf, kindOf, orderOf } from './scenes.ts';

/** Opens a checkout, asks for it again with the same and with another amount, and ends it twice. */
async function tryHosted(side: Side, order: CheckoutOrder): Promise<Fact> {
  const { payments } = side;
  const first = await payments.openCheckout(order);
  const again = await payments.openCheckout(order);
  const other = await endOf(payments.openCheckout({ ...order, amountCents: order.amountCents + 100 }));
  await payments.expireCheckout(first.sessionId);
  await payments.expireCheckout(first.sessionId);
  const over = await payments.findCheckout(first.sessionId);
  return {
    id: kindOf(first.sessionId),
    state: first.state,
    hasPage: first.url !== undefined,
    amount: first.amountCents,
    currency: first.currency,
    kind: first.kind ?? null,
    isOrderKept: first.orderId === order.orderId,
    isSameAgain: again.sessionId === first.sessionId,
    withOtherParameters: other,
    afterwards: over.state,
    hasPageThen: over.url !== undefined,
    isPaid: over.chargeId !== undefined,
  };
}

/** The same of what is paid on a page of ours. */
async function tryFramed(
  side: Side,
  open: (amountCents: number) => Promise<{ sessionId: string; state: string; clientSecret: string | undefined }>,
): Promise<Fact> {
  const { payments } = side;
  const first = await open(399);
  const again = await open(399);
  const other = await endOf(open(499));
  await payments.expireCheckout(first.sessionId);
  await payments.expireCheckout(first.sessionId);
  const over = await payments.findPlanCheckout(first.sessionId);
  return {
    id: kindOf(first.sessionId),
    state: first.state,
    hasSecret: first.clientSecret !== undefined,
    isSameAgain: again.sessionId === first.sessionId,
    withOtherParameters: other,
    afterwards: over.state,
    hasSecretThen: over.clientSecret !== undefined,
    hasPlan: over.subscriptionId !== undefined,
  };
}

const framed = { currency: 'usd', email: 'creator@example.com', returnUrl: 'https://example.com/done' };

/** Opens each of the five checkouts that the product knows, and ends them. */
export const checkouts: Step[] = [
  {
    name: 'a checkout of a tip',
    run: async (side) => ({ session: await tryHosted(side, orderOf(side, 'open-tip')) }),
  },
  {
    name: 'a checkout of a fan subscription',
    async run(side) {
      const renews = { months: 1, feePercent: 10 };
      const order = orderOf(side, 'open-fan', { kind: 'fan_sub', productName: 'Fan subscription', renews });
      return { session: await tryHosted(side, order) };
    },
  },
  {
    name: 'a checkout of a held request',
    async run(side) {
      const more = { kind: 'request', productName: 'Custom request', heldFor: `${side.run}-open` };
      return { session: await tryHosted(side, orderOf(side, 'open-request', more)) };
    },
  },
  {
    name: 'a checkout of a plan',
    async run(side) {
      const plan = { ...framed, productName: 'Creator plan', customerId: undefined, trialDays: 7, asksForCard: false };
      const open = (amountCents: number) =>
        side.payments.openPlanCheckout({ ...plan, orderId: `${side.run}-open-plan`, amountCents });
      return { session: await tryFramed(side, open) };
    },
  },
  {
    name: 'a checkout of a pack',
    async run(side) {
      const expiresAt = new Date(side.now().getTime() + hourMs);
      const pack = { ...framed, orderId: `${side.run}-open-pack`, kind: 'credits', productName: 'Credits', expiresAt };
      const open = (amountCents: number) => side.payments.openPackCheckout({ ...pack, amountCents });
      return { session: await tryFramed(side, open) };
    },
  },
];
