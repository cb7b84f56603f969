import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncLedger } from '#features/books/ledger-sync.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { listEmails } from '#features/notices/store.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { advance, must, readRow, signInQuickly } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundOwed } from '../refunding.ts';

let app: TestApp;
let world: DisputeWorld;
const day = 86_400_000;
const operatorEmail = 'operator@example.com';
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

it('a refund that the bank does not take is still owed: told once, and it opens nothing again', async () => {
  const sold = await world.sell();
  await must(app, 'money.refund', { orderId: sold.orderId }, await signInQuickly(app, world.creator.userId));
  await syncLedger(app.engines);
  const { name } = await readRow<{ name: string }>(
    app,
    `select id as name from sandbox_objects where type = 'refund' and body->>'charge' = $1`,
    [sold.chargeId],
  );
  const before = await world.leftOf(sold);
  await app.engines.sandbox?.sendRefundBack(name);
  await Promise.all([1, 2, 3].map(() => syncObject(app.engines, name)));
  await syncObject(app.engines, sold.chargeId);
  await syncLedger(app.engines);
  expect([await world.stateOf(sold), await world.door(sold)]).toEqual(['refunded', expect.not.stringMatching('open')]);
  const { 'clearing:refunds': owed = 0, ...rest } = (await world.leftOf(sold)) as Record<string, number>;
  expect({ owed, rest }).toEqual({ owed: -5000, rest: expect.not.objectContaining({ suspense: expect.anything() }) });
  expect(before).not.toHaveProperty('clearing:refunds');
  const mails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  const reported = mails.filter(({ template }) => ['refund_came_back', 'refund_not_taken'].includes(template));
  expect(reported.map(({ template, to }) => [template, to]).toSorted()).toEqual([
    ['refund_came_back', operatorEmail],
    ['refund_not_taken', sold.email],
  ]);
  for (const { text } of reported) expect(text).toContain('$50.00');
  // The creator's share has gone back once, and nobody asks the provider for another refund.
  advance(app, 2 * day);
  await refundOwed(app.engines);
  expect(await world.stateOf(sold)).toBe('refunded');
});
