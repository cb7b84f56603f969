import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { findDrift } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { listEmails } from '#features/notices/store.ts';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { advance, listTemplates, readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { answerDisputes } from './answering-disputes.ts';
import { runDisputesCommand } from './disputes-command.ts';

const day = 86_400_000;
const operatorEmail = 'operator@example.com';
let app: TestApp;
let world: DisputeWorld;
const reported: object[] = [];

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: (about: object) => void reported.push(about) };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

/** A bank asks about a payment, and evidence is built for that. */
async function inquired(sold: Sold): Promise<string> {
  const disputeId = (await app.engines.sandbox?.inquire(sold.chargeId)) ?? '';
  await syncObject(app.engines, disputeId);
  await answerDisputes(app.engines);
  return disputeId;
}

/** A chargeback comes of it. */
async function escalate(disputeId: string): Promise<void> {
  await app.engines.sandbox?.escalate(disputeId);
  await syncObject(app.engines, disputeId);
}

const pf = (verb: string, id: string, note?: string) =>
  runDisputesCommand(app.engines, { verb, id, folder: undefined, note });
const statusOf = async (disputeId: string) => (await app.engines.payments.findDispute(disputeId)).status;

it('what a bank only asks about stays open, and its creator hears nothing of it', async () => {
  const sold = await world.sell();
  const before = await listTemplates(app, world.creator.email);
  await inquired(sold);
  expect([await world.stateOf(sold), await world.door(sold)]).toEqual(['paid', 'open']);
  expect(await listTemplates(app, world.creator.email)).toEqual(before);
});

it('a chargeback that comes of an inquiry is answered again, with what is known by then', async () => {
  const sold = await world.sell();
  const paidAt = new Date(app.engines.clock() + 60_000);
  await readRows(app, 'update checkout_orders set paid_at = $2 where id = $1', [sold.orderId, paidAt]);
  const disputeId = await inquired(sold);
  expect(await pf('show', disputeId)).toContain('The buyer has not opened what was paid for.');
  await pf('submit', disputeId);
  await answerDisputes(app.engines);
  expect(await statusOf(disputeId)).toBe('warning_under_review');
  await readRows(app, `update checkout_orders set paid_at = paid_at - interval '1 day' where id = $1`, [sold.orderId]);
  await escalate(disputeId);
  expect([await world.stateOf(sold), await world.door(sold)]).toEqual(['disputed', 'Access is on hold']);
  await answerDisputes(app.engines);
  const said = await pf('show', disputeId);
  expect(said).toMatch(/access_activity_log:\n\d{4}-\d\d-\d\d \d\d:\d\d UTC · /);
  expect(said).toContain('Next: submitted a day before');
  expect(await statusOf(disputeId)).toBe('needs_response');
  advance(app, 6.1 * day);
  await answerDisputes(app.engines);
  expect(await statusOf(disputeId)).toBe('under_review');
  const body = await readRow<{ log: string; count: number }>(
    app,
    `select body->'evidence'->>'access_activity_log' as log, (body->'evidence_details'->>'submission_count')::int as count from sandbox_objects where id = $1`,
    [disputeId],
  );
  expect(body).toMatchObject({ log: expect.stringContaining(' UTC · '), count: 2 });
  expect(await findDrift(app.engines)).toEqual([]);
});

it('what answered a chargeback of which nobody had heard yet stays as the bank has it', async () => {
  const disputeId = await inquired(await world.sell());
  await app.engines.sandbox?.escalate(disputeId);
  await pf('submit', disputeId);
  await answerDisputes(app.engines);
  await syncObject(app.engines, disputeId);
  await answerDisputes(app.engines);
  expect(await statusOf(disputeId)).toBe('under_review');
  expect(await pf('show', disputeId)).toContain('Next: answered, the bank decides');
  const kept = `select e.handed_in_at is not null as is from dispute_evidence e join disputes d on d.id = e.dispute_id where d.dispute_id = $1`;
  expect(await readRow(app, kept, [disputeId])).toEqual({ is: true });
});

it('what was claimed for the inquiry and is no longer is taken back with the chargeback', async () => {
  const sold = await world.sell();
  const disputeId = await inquired(sold);
  const claimed = async () =>
    (
      await readRow<{ terms: string | null }>(
        app,
        `select body->'evidence'->>'refund_policy_disclosure' as terms from sandbox_objects where id = $1`,
        [disputeId],
      )
    ).terms;
  await pf('submit', disputeId);
  await answerDisputes(app.engines);
  expect(await claimed()).toContain('beside the button that pays');
  await readRows(app, 'update checkout_orders set terms_shown = null where id = $1', [sold.orderId]);
  await escalate(disputeId);
  await answerDisputes(app.engines);
  await pf('submit', disputeId);
  await answerDisputes(app.engines);
  expect(await statusOf(disputeId)).toBe('under_review');
  expect(await claimed()).toBeNull();
});

it('that has the same to say is submitted again all the same', async () => {
  const disputeId = await inquired(await world.sell());
  await pf('submit', disputeId);
  await answerDisputes(app.engines);
  await escalate(disputeId);
  await answerDisputes(app.engines);
  await pf('submit', disputeId);
  await answerDisputes(app.engines);
  expect(await statusOf(disputeId)).toBe('under_review');
  expect(await pf('show', disputeId)).toContain('Next: answered, the bank decides');
});

it('an objection to an inquiry is none to its chargeback, of which the operator is told again', async () => {
  const disputeId = await inquired(await world.sell());
  await pf('object', disputeId, 'It is only a question.');
  await escalate(disputeId);
  await answerDisputes(app.engines);
  expect(await pf('show', disputeId)).toContain('Next: submitted a day before');
  expect(await pf('show', disputeId)).not.toContain('only a question');
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  const subjects = emails.filter(({ to, text }) => to === operatorEmail && text.includes(disputeId));
  expect(subjects.map(({ subject }) => subject).toSorted()).toEqual([
    'A payment is disputed',
    'An inquiry has become a chargeback',
  ]);
});

it('what was submitted for an inquiry while its chargeback came does not count for that', async () => {
  const disputeId = await inquired(await world.sell());
  const { payments } = app.engines;
  const { submitEvidence } = payments;
  const submitted = vi.spyOn(payments, 'submitEvidence').mockImplementationOnce(async (...given) => {
    await submitEvidence.apply(payments, given);
    await escalate(disputeId);
    await answerDisputes({ ...app.engines, payments: { ...payments, submitEvidence } });
  });
  await pf('submit', disputeId);
  await answerDisputes(app.engines);
  submitted.mockRestore();
  expect(await pf('show', disputeId)).toContain('Next: submitted a day before');
});

it('what was refused is asked for under another name once staff want it again', async () => {
  const disputeId = await world.dispute(await world.sell());
  await answerDisputes(app.engines);
  const attempts: number[] = [];
  const { payments } = app.engines;
  const { submitEvidence } = payments;
  const submitted = vi.spyOn(payments, 'submitEvidence').mockImplementation(async (...given) => {
    attempts.push(given[2]);
    if (attempts.length === 1) throw new PaymentRefused('other', 'not like this');
    await submitEvidence.apply(payments, given);
  });
  for (const next of ['REFUSED: not like this', 'answered, the bank decides']) {
    await pf('submit', disputeId);
    await answerDisputes(app.engines);
    expect(await pf('show', disputeId)).toContain(`Next: ${next}`);
  }
  submitted.mockRestore();
  expect(attempts).toEqual([0, 1]);
  expect(reported).toMatchObject([{ dispute: disputeId }]);
});
