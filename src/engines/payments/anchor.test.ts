import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';

let provider: Provider;

beforeAll(async () => {
  provider = await openProvider();
});
afterAll(() => provider.close());

/** The next 31st of January, at noon. */
function nextLastOfJanuary(): Date {
  const now = new Date(provider.now());
  return new Date(Date.UTC(now.getUTCFullYear() + 1, 0, 31, 12));
}

const returnUrl = 'http://localhost:3000/done';
const dayOf = (day: Date | undefined) => day?.toISOString().slice(5, 10);

async function takePlan(orderId: string, trialDays?: number): Promise<string> {
  const { payments, sandbox } = provider;
  const { sessionId } = await payments.openPlanCheckout({
    orderId,
    productName: 'Creator plan',
    amountCents: 399,
    currency: 'usd',
    email: 'mia@example.com',
    returnUrl,
    trialDays,
    asksForCard: true,
    customerId: undefined,
  });
  await sandbox.takePlan(sessionId, '4242424242424242');
  return (await payments.findPlanCheckout(sessionId)).subscriptionId ?? '';
}

describe('a plan', () => {
  it('that begins on the 31st is billed on the last day of shorter months, and on the 31st again', async () => {
    const { payments } = provider;
    const begins = nextLastOfJanuary();
    provider.pass(begins.getTime() - provider.now());
    const ids = [await takePlan('at-once')];
    provider.pass(-7 * dayMs);
    ids.push(await takePlan('with-a-trial', 7));
    provider.pass(7 * dayMs + 60_000);
    const february = new Date(Date.UTC(begins.getUTCFullYear(), 2, 0, 12));
    for (const id of ids) {
      const plan = await payments.findSubscription(id);
      expect([dayOf(plan.anchoredAt), dayOf(plan.periodEndsAt)]).toEqual(['01-31', dayOf(february)]);
    }
    const ends: (string | undefined)[] = [];
    for (const month of [2, 3, 4]) {
      provider.pass(Date.UTC(begins.getUTCFullYear(), month, 0, 23) - provider.now());
      for (const id of ids) ends.push(dayOf((await payments.findSubscription(id)).periodEndsAt));
    }
    expect(ends).toEqual(['03-31', '03-31', '04-30', '04-30', '05-31', '05-31']);
    expect(provider.check.faults).toEqual([]);
  });
});
