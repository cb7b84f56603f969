import { afterAll, beforeAll, expect, it } from 'vitest';
import { findDrift } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { listEmails } from '#features/notices/store.ts';
import { buyPack } from '#tests/support/money/credits.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { must, readRow, signInQuickly } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { answerDisputes } from './answering-disputes.ts';
import { runDisputesCommand } from './disputes-command.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

it('a disputed pack of credits that is lost is taken from what it had brought', async () => {
  const sessionId = await buyPack(app, world.creator);
  await syncObject(app.engines, sessionId);
  const { chargeId = '' } = await app.engines.payments.findCheckout(sessionId);
  const disputeId = await world.dispute({ chargeId });
  const stateOfPack = async () =>
    (await readRow<{ state: string }>(app, 'select state from credit_orders where session_id = $1', [sessionId])).state;
  expect(await stateOfPack()).toBe('disputed');
  expect((await world.leftOf({ chargeId }))['clearing:refunds']).toBeGreaterThan(0);
  const shown = async () => {
    const browser = await signInQuickly(app, world.creator.userId);
    const [{ packs }, { recentTransactions }] = [
      await must(app, 'credits.uses', {}, browser),
      await must(app, 'credits.balance', {}, browser),
    ];
    const reasons = recentTransactions.map(({ reason }: { reason: string }) => reason);
    return [packs[0].state, ...reasons.filter((reason: string) => /dispute|refund/i.test(reason))];
  };
  expect(await shown()).toEqual(['disputed', 'Payment disputed']);
  await world.decide(disputeId, false);
  expect(await stateOfPack()).toBe('charged_back');
  expect(await shown()).toEqual(['charged_back', 'Payment disputed']);
  const left = await world.leftOf({ chargeId });
  expect([left['clearing:refunds'], left['income:credits']]).toEqual([undefined, undefined]);
  expect(await findDrift(app.engines)).toEqual([]);
});

it('of what a creator pays the platform staff are told that they answer the bank themselves', async () => {
  const sessionId = await buyPack(app, world.creator);
  await syncObject(app.engines, sessionId);
  const { chargeId = '' } = await app.engines.payments.findCheckout(sessionId);
  const disputeId = await world.dispute({ chargeId });
  await answerDisputes(app.engines);
  const pf = (verb?: string) =>
    runDisputesCommand(app.engines, { verb, id: disputeId, folder: '/nowhere', note: 'No.' });
  expect((await pf()).split('\n').find((line) => line.includes(disputeId))).toContain('ANSWER IT AT THE PROVIDER');
  expect(await pf('show')).toContain('Order none: credits;');
  for (const verb of ['submit', 'object', 'export'])
    await expect(pf(verb)).rejects.toThrow(`No evidence is built for ${disputeId}`);
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  const reported = emails.find(({ to, text }) => to === operatorEmail && text.includes(disputeId));
  expect(reported?.text).toMatch(/Credits, \$/);
  expect(reported?.text).toContain('answer the bank in the dashboard of the payment provider');
  expect(reported?.text).not.toContain('a day before that');
});
