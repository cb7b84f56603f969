import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncObject } from '#features/money/sync-object.ts';
import { settleCards } from '#features/orders/sync-orders.ts';
import { chargesFail, type FanStage, openFanStage } from '#tests/support/money/fans.ts';
import { goodCard, sessionOf } from '#tests/support/money/selling.ts';
import { must, readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let stage: FanStage;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  stage = await openFanStage(app);
});
afterAll(() => app.close());

type Fan = Awaited<ReturnType<FanStage['makeFan']>>;
interface Row {
  fanId: string;
  state: string;
  cardLast4: string | null;
}
const mine = async ({ browser }: Pick<Fan, 'browser'>): Promise<Row[]> =>
  (await must(app, 'viewing.subscriptions', {}, browser)).rows;
const firstOf = async (fan: Pick<Fan, 'browser'>): Promise<Row> => {
  const [row] = await mine(fan);
  if (row === undefined) throw new Error('There is no subscription.');
  return row;
};
const rowOf = async (fan: Pick<Fan, 'browser'>) => {
  const { fanId } = await firstOf(fan);
  const columns = 'subscription_id as "subscriptionId", customer_id as "customerId"';
  return readRow<{ subscriptionId: string; customerId: string }>(
    app,
    `select ${columns} from fan_subscriptions where id = $1`,
    [fanId],
  );
};
/** Somebody goes to the provider's page and gives another card there. */
async function giveCard(fan: Pick<Fan, 'browser'>, card: string): Promise<void> {
  const { fanId } = await firstOf(fan);
  const { url } = await must(app, 'viewing.subscriptionCard', { fanId }, fan.browser);
  await app.engines.sandbox?.changeCard(sessionOf(url), card);
}
const comeBack = ({ browser }: Pick<Fan, 'browser'>) => must(app, 'viewing.checkSubscriptions', {}, browser);
const invoicesOf = (subscriptionId: string) =>
  readRows<{ status: string; tries: number }>(
    app,
    `select body->>'status' as status, (body->>'attempt_count')::int as tries from sandbox_objects
     where type = 'invoice' and hidden->>'subscription' = $1 order by seq`,
    [subscriptionId],
  );
const cardOf = async (subscriptionId: string) =>
  (await app.engines.payments.findSubscription(subscriptionId)).card?.last4;

describe('another card', () => {
  it('given on the provider’s page is not the one of a subscription until we set it there, and then pays what is owed', async () => {
    const fan = await stage.makeFan({ failsNext: true });
    await stage.wait(32);
    const { subscriptionId } = await rowOf(fan);
    await giveCard(fan, goodCard);
    expect(await cardOf(subscriptionId), 'as the provider has it').toBe('0341');
    expect(await firstOf(fan)).toMatchObject({ state: 'late' });
    await comeBack(fan);
    expect(await firstOf(fan)).toMatchObject({ state: 'active', cardLast4: '4242' });
    await stage.wait(32);
    expect(await firstOf(fan)).toMatchObject({ state: 'active', cardLast4: '4242' });
  });

  it('is found without anybody coming back, and by what the provider tells', async () => {
    const [asked, reported] = [await stage.makeFan({}), await stage.makeFan({})];
    for (const fan of [asked, reported]) await giveCard(fan, '5555555555554444');
    const [one, other] = [await rowOf(asked), await rowOf(reported)];
    expect(await syncObject(app.engines, other.customerId)).toBe(true);
    expect(await cardOf(other.subscriptionId)).toBe('4444');
    await settleCards(app.engines);
    expect(await cardOf(one.subscriptionId)).toBe('4444');
  });

  it('counts for every subscription of a customer, and takes each bill once', async () => {
    const fans = [await stage.makeFan({ failsNext: true }), await stage.makeFan({ failsNext: true })];
    await stage.wait(32);
    const rows = await Promise.all(fans.map(rowOf));
    const [first, second] = rows;
    // Both are one customer's.
    await readRows(
      app,
      `update sandbox_objects set body = body || jsonb_build_object('customer', $2::text) where id = $1`,
      [second?.subscriptionId, first?.customerId],
    );
    const [fan] = fans;
    if (fan === undefined || first === undefined || second === undefined) throw new Error('There are two.');
    await giveCard(fan, goodCard);
    await Promise.all([comeBack(fan), syncObject(app.engines, first.customerId)]);
    await syncObject(app.engines, first.customerId);
    for (const { subscriptionId } of [first, second]) {
      expect(await cardOf(subscriptionId)).toBe('4242');
      expect(await invoicesOf(subscriptionId)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
    }
  });

  it('that is declined as well is not asked again for the same bill, and what is cancelled is not paid', async () => {
    const [declined, cancelled] = [await stage.makeFan({ failsNext: true }), await stage.makeFan({ failsNext: true })];
    await stage.wait(32);
    const [one, other] = [await rowOf(declined), await rowOf(cancelled)];
    const lastOf = async ({ subscriptionId }: typeof one) => (await invoicesOf(subscriptionId)).at(-1);
    const [tries = 0, unpaid] = [(await lastOf(one))?.tries, await lastOf(other)];
    await app.engines.payments.setPlanEnding(other.subscriptionId, true);
    await giveCard(declined, chargesFail);
    await giveCard(cancelled, goodCard);
    for (const fan of [declined, cancelled]) {
      await comeBack(fan);
      await comeBack(fan);
    }
    expect(await lastOf(one)).toEqual({ status: 'open', tries: tries + 1 });
    expect(await lastOf(other)).toEqual(unpaid);
    expect(await firstOf(declined)).toMatchObject({ state: 'late' });
    expect(await cardOf(other.subscriptionId)).toBe('4242');
  });
});
