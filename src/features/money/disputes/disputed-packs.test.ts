import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buyPack } from '#tests/support/money/credits.ts';
import { type DisputeStage, openDisputeStage } from '#tests/support/money/disputing.ts';
import { readRow } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { projectObject } from '../project.ts';
import { findDrift } from '../reconcile.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let app: TestApp;
let stage: DisputeStage;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  stage = await openDisputeStage(app);
});
afterAll(() => app.close());

it('a disputed pack of credits that is lost is taken from what it had brought', async () => {
  const sessionId = await buyPack(app, stage.creator);
  await projectObject(app.engines, sessionId);
  const { chargeId = '' } = await app.engines.payments.findCheckout(sessionId);
  const disputeId = await stage.dispute({ chargeId });
  const stateOfPack = async () =>
    (await readRow<{ state: string }>(app, 'select state from credit_orders where session_id = $1', [sessionId])).state;
  expect(await stateOfPack()).toBe('disputed');
  expect((await stage.leftOf({ chargeId }))['clearing:refunds']).toBeGreaterThan(0);
  await stage.decide(disputeId, false);
  expect(await stateOfPack()).toBe('charged_back');
  const left = await stage.leftOf({ chargeId });
  expect([left['clearing:refunds'], left['income:credits']]).toEqual([undefined, undefined]);
  expect(await findDrift(app.engines)).toEqual([]);
});
