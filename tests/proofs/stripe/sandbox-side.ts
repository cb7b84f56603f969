import { dayMs } from '#kit/time.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import { type Card, NotTried, type Paid, type People, type Side, type Taken } from './side.ts';

const numbers: Readonly<Record<Card, string>> = {
  good: '4242424242424242',
  available: '4242424242424242',
  declined: '4000000000000002',
  declinesLater: '4000000000000341',
  disputed: '4000000000000259',
  inquired: '4242424242424242',
  warned: '4000000000005423',
};
const email = 'buyer@example.com';

/** Plans that are taken on the sandbox's own pages. */
function plansOf({ payments, sandbox, pass, now }: Provider, run: string): Pick<People, 'takePlan' | 'takeFanPlan'> {
  const taken = (subscriptionId: string): Taken => ({
    subscriptionId,
    async passUntil(moment) {
      pass(moment.getTime() - now());
    },
    async changeCard(card) {
      const { customerId } = await payments.findSubscription(subscriptionId);
      const url = await payments.cardUrl(customerId, 'http://localhost:3000/account/billing');
      await sandbox.changeCard(url.split('/').at(-1) ?? '', numbers[card]);
    },
  });
  return {
    async takePlan({ name, trialDays, amountCents, card }) {
      const order = { orderId: `${run}-plan-${name}`, productName: 'Creator plan', amountCents, currency: 'usd' };
      const more = { email, customerId: undefined, trialDays, asksForCard: card !== undefined };
      const pages = { returnUrl: 'http://localhost:3000/done' };
      const { sessionId } = await payments.openPlanCheckout({ ...order, ...more, ...pages });
      await sandbox.takePlan(sessionId, card === undefined ? undefined : numbers[card]);
      return taken((await payments.findPlanCheckout(sessionId)).subscriptionId ?? '');
    },
    async takeFanPlan(order) {
      const { sessionId } = await payments.openCheckout(order);
      await sandbox.pay(sessionId, { email, card: numbers.good });
      return taken((await payments.findCheckout(sessionId)).subscriptionId ?? '');
    },
  };
}

function peopleOf(provider: Provider, run: string): People {
  const { payments, sandbox, pass, now } = provider;
  async function payAt(sessionId: string, card: Card): Promise<Paid> {
    await sandbox.pay(sessionId, { email, card: numbers[card] });
    const { paymentId = '', chargeId = '' } = await payments.findCheckout(sessionId);
    if (card === 'available') pass(3 * dayMs);
    if (card === 'warned') pass(61_000);
    if (card === 'inquired') await sandbox.inquire(chargeId);
    return { paymentId, chargeId };
  }
  let funded = 0;
  const payOwn: People['payOwn'] = async ({ orderId, amountCents }, card) => {
    const order = { orderId, kind: 'credits', productName: 'Credits', amountCents, currency: 'usd', email };
    const pages = { returnUrl: 'http://localhost:3000/a', expiresAt: new Date(now() + 3_600_000) };
    return payAt((await payments.openPackCheckout({ ...order, ...pages })).sessionId, card);
  };
  return {
    async onboard(accountId) {
      await sandbox.answerOnboarding(accountId, true);
    },
    async pay(order, card) {
      return payAt((await payments.openCheckout(order)).sessionId, card);
    },
    payOwn,
    // The sandbox has no dashboard: what is asked there is asked here by another hand.
    async refund({ paymentId }, amountCents) {
      const refundId = `dashboard-${paymentId}-${amountCents}`;
      await payments.refund({ refundId, orderId: 'none', paymentId, amountCents, reason: 'requested_by_customer' });
    },
    async payByBank() {
      throw new NotTried('the sandbox takes cards alone');
    },
    async failPayout(_accountId, payOut) {
      const id = await payOut();
      await sandbox.rejectPayout(id);
      return id;
    },
    async decide(disputeId, decision) {
      if (decision === 'escalated') await sandbox.escalate(disputeId);
      if (decision !== 'escalated') await sandbox.decideDispute(disputeId, decision === 'won');
    },
    ...plansOf(provider, run),
    async inspect() {
      throw new NotTried('the sandbox has neither a key of its own nor a dashboard');
    },
    async fund() {
      funded += 1;
      await payOwn({ orderId: `${run}-fund-${funded}`, amountCents: 20_000 }, 'available');
    },
    async showFrame() {
      throw new NotTried("a page of the sandbox's own is framed in its place");
    },
  };
}

/** The built-in provider, as it is used everywhere else. */
export async function openSandboxSide(run: string): Promise<Side> {
  const provider = await openProvider();
  return {
    name: 'sandbox',
    payments: provider.payments,
    people: peopleOf(provider, run),
    run,
    startedAt: new Date(provider.now() - 60_000),
    now: () => new Date(provider.now()),
    patience: { tries: 3, pauseMs: 1 },
    kept: {},
    close: () => provider.close(),
  };
}
