import { afterAll, beforeAll, expect, it } from 'vitest';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { findDrift } from '#features/money/reconcile.ts';
import { runPackRefunds } from '#features/orders/packs.ts';
import { buyPack, countCredits } from '#tests/support/money/credits.ts';
import { emailsTo } from '#tests/support/money/requests.ts';
import { must, type Person, readRow, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
let mia: Person;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  mia = await signUpCreator(app);
  const active = `update users set subscription_status = 'active', trial_ends_at = null where id = $1 returning id`;
  await readRow(app, active, [mia.userId]);
});
afterAll(() => app.close());

const packsOf = async () => (await must(app, 'credits.uses', {}, mia.browser)).packs;

it('a pack whose refund the provider refuses keeps its credits, and can be asked back again', async () => {
  const sessionId = await buyPack(app, mia);
  await must(app, 'credits.arrive', { sessionId }, mia.browser);
  const [{ id: packId }] = await packsOf();
  const ask = () => app.call('credits.askBack', { packId }, mia.browser);
  const own = app.engines.payments;
  const names: string[] = [];
  const refund: typeof own.refund = async ({ refundId }) => {
    names.push(refundId);
    throw new PaymentRefused('other', 'Insufficient funds');
  };
  app.engines.payments = { ...own, refund };
  const first = await ask();
  const second = await ask();
  app.engines.payments = own;
  for (const { status, body } of [first, second]) {
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(body.message).toBe(
      "The payment provider refused this refund. We've been told and will look into it. Your credits are still yours.",
    );
  }
  expect(new Set(names).size, 'the provider repeats its answer to the same name').toBe(2);
  const reported = (await emailsTo(app, operatorEmail)).filter((text) => text.includes(packId));
  expect(reported).toHaveLength(1);
  expect(await packsOf()).toMatchObject([{ unused: 50, back: { cents: 500 }, state: 'bought' }]);
  expect(await countCredits(app, mia.userId)).toEqual({ balance: 50, inLots: 50 });
  await runPackRefunds(app.engines);
  expect((await ask()).body).toEqual({ cents: 500, state: 'refunded' });
  expect(await packsOf()).toMatchObject([{ unused: 0, back: null, state: 'refunded' }]);
  expect(await countCredits(app, mia.userId)).toEqual({ balance: 0, inLots: 0 });
  expect(await findDrift(app.engines)).toEqual([]);
});
