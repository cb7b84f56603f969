import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { syncObject } from '#features/money/sync-object.ts';
import { listEmails } from '#features/notices/store.ts';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { advance, readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';
import { answerDisputes } from './answering-disputes.ts';
import { type DisputeOrder, runDisputesCommand } from './disputes-command.ts';

const operatorEmail = 'operator@example.com';
const day = 86_400_000;
let app: TestApp;
let world: DisputeWorld;
let folder: string;
let sold: Sold;
let disputeId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  world = await openDisputeWorld(app);
  folder = await mkdtemp(path.join(tmpdir(), 'pf-disputes-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await app.close();
});
beforeEach(async () => {
  sold = await world.sell();
  for (const table of ['viewer_devices', 'viewer_sessions'])
    await readRows(
      app,
      `update ${table} set ua_family = 'Firefox', os_family = 'Android', country = 'FR'
       where viewer_id = (select viewer_id from checkout_orders where id = $1)`,
      [sold.orderId],
    );
  disputeId = await world.dispute(sold);
  await answerDisputes(app.engines);
});

const pf = (verb?: string, more: Partial<DisputeOrder> = {}) =>
  runDisputesCommand(app.engines, { verb, id: disputeId, folder: undefined, note: undefined, ...more });
const statusOf = () => app.engines.payments.findDispute(disputeId);
const lineOf = async () => (await pf()).split('\n').find((line) => line.includes(disputeId));

describe('the evidence', () => {
  it('tells what was ordered, shown, looked at and mailed, as the bank takes it', async () => {
    const said = await pf('show');
    expect(said).toContain(`Dispute ${disputeId}: $50.00, fraudulent, needs_response`);
    expect(said).toContain('Disputes of the same viewer: 1');
    expect(said).toMatch(
      /access_activity_log:\n\d{4}-\d\d-\d\d \d\d:\d\d UTC · \d+ s · \d+ items? seen · France · Firefox on Android\n/,
    );
    expect(said).toMatch(/\nBrowser: Firefox on Android, France, known since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n/);
    expect(said).toContain('you are refunded automatically – unless you broke the viewing rules.');
    expect(said).toContain(`customer_email_address:\n${sold.email}`);
    expect(said).toContain('Delivered to the buyer’s browser: 1 photo');
    expect(said).toMatch(/Email to the buyer on .*: “Your receipt”/);
  });

  it('tells that a part had gone back before, of which the buyer was mailed', async () => {
    const other = await world.sell();
    const { paymentId } = await readRow<{ paymentId: string }>(
      app,
      'select payment_id as "paymentId" from checkout_orders where id = $1',
      [other.orderId],
    );
    const part = { refundId: 'part', orderId: 'o', amountCents: 1000, reason: 'duplicate' } as const;
    await app.engines.payments.refund({ ...part, paymentId });
    await syncObject(app.engines, other.chargeId);
    const id = await world.dispute(other);
    await answerDisputes(app.engines);
    expect(await pf('show', { id })).toMatch(/Email to the buyer on .*: “Your refund is on its way”/);
  });

  it('is submitted a day before it is due, once, and not sooner', async () => {
    expect(await lineOf()).toMatch(/submitted a day before \d{4}/);
    advance(app, 5.9 * day);
    await answerDisputes(app.engines);
    expect(await statusOf()).toMatchObject({ isSubmitted: false });
    advance(app, 0.2 * day);
    await Promise.all([answerDisputes(app.engines), answerDisputes(app.engines)]);
    expect(await statusOf()).toMatchObject({ status: 'under_review', isSubmitted: true });
    await answerDisputes(app.engines);
    expect(await lineOf()).toContain('answered, the bank decides');
    await expect(pf('object', { note: 'Too late.' })).rejects.toThrow('is answered or over');
  });

  it('is not submitted where staff object, with a reason that stays', async () => {
    await expect(pf('object')).rejects.toThrow('Say why');
    expect(await pf('object', { note: 'She sold what is not hers.' })).toContain('Nothing is submitted');
    await expect(pf('object', { note: 'Again.' })).rejects.toThrow('not contested already');
    advance(app, 6.5 * day);
    await answerDisputes(app.engines);
    expect(await statusOf()).toMatchObject({ isSubmitted: false });
    const [said] = await readRows(app, `select details from audit_log where action = 'dispute.objected'`);
    expect(said).toEqual({ details: { note: 'She sold what is not hers.', dispute: disputeId } });
  });

  it('is not submitted where staff object while others are, and staff who are too late are told so', async () => {
    const other = await world.dispute(await world.sell());
    await answerDisputes(app.engines);
    for (const id of [disputeId, other]) await pf('submit', { id });
    const { payments } = app.engines;
    const { submitEvidence } = payments;
    const object = (id: string) => pf('object', { id, note: 'Wait.' }).catch(({ message }: Error) => message);
    const said: Record<string, Promise<string>> = {};
    const submitted: string[] = [];
    Object.assign(payments, {
      submitEvidence: async (...given: Parameters<typeof submitEvidence>) => {
        const [id] = given;
        submitted.push(id);
        for (const one of [disputeId, other]) said[one] ??= object(one);
        await said[id === other ? disputeId : other];
        return submitEvidence.apply(payments, given);
      },
    });
    await answerDisputes(app.engines).finally(() => Object.assign(payments, { submitEvidence }));
    expect(submitted).toHaveLength(1);
    for (const id of [disputeId, other]) {
      const isSubmitted = submitted[0] === id;
      expect(await payments.findDispute(id)).toMatchObject({ isSubmitted });
      expect(await said[id]).toContain(isSubmitted ? 'answered just now' : 'Nothing is submitted');
    }
  });

  it('is submitted at once where staff want that', async () => {
    expect(await pf('submit')).toContain('submitted within a minute');
    await answerDisputes(app.engines);
    expect(await statusOf()).toMatchObject({ isSubmitted: true });
    await expect(pf('submit')).rejects.toThrow('is answered or over');
  });

  it('of what was never opened waits for staff', async () => {
    await readRows(app, 'delete from dispute_evidence');
    await readRows(app, 'update checkout_orders set paid_at = $2 where id = $1', [
      sold.orderId,
      new Date(app.engines.clock() + 60_000),
    ]);
    await answerDisputes(app.engines);
    expect(await lineOf()).toContain('never opened: WAITS FOR YOU');
    advance(app, 6.5 * day);
    await answerDisputes(app.engines);
    expect(await statusOf()).toMatchObject({ isSubmitted: false });
    await pf('submit');
    await answerDisputes(app.engines);
    expect(await statusOf()).toMatchObject({ isSubmitted: true });
  });

  it('is exported as a file for the bank and as pages for people', async () => {
    const files = (await pf('export', { folder })).split('\n');
    expect(files.map((file) => path.basename(file))).toEqual([`${disputeId}.json`, `${disputeId}.pdf`]);
    const [json = '', pdf = ''] = files;
    expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
      dispute: disputeId,
      order: sold.orderId,
      evidence: { customer_email_address: sold.email },
      facts: { amountCents: 5000, items: { photos: 1, videos: 0 } },
    });
    const { words } = await readPdf(await readFile(pdf));
    for (const text of [
      `Evidence for dispute ${disputeId} Album, $50.00`,
      `Order ${sold.orderId} Ordered 20`,
      `Email of the buyer ${sold.email} Reason of the`,
      'Terms shown before payment Shown with the order, on 20',
      'Cancellation One payment, which does not renew: there is nothing to cancel.',
      'Firefox on Android, France, known since 20',
      'Visits after payment 20',
    ])
      expect(words.replaceAll(/\s+/g, ' ')).toContain(text);
    await readRows(app, 'update dispute_evidence set fields = fields - $1', ['refund_policy_disclosure']);
    await pf('export', { folder });
    expect((await readPdf(await readFile(pdf))).words).not.toContain('Terms shown');
  });
});

it('the operator is told of each dispute once, and by when it is to be answered', async () => {
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  const text = emails.filter(({ to, text }) => to === operatorEmail && text.includes(disputeId));
  expect(text.map(({ subject }) => subject)).toEqual(['A payment is disputed']);
  expect(text[0]?.text).toContain(`npm run pf -- disputes show ${disputeId}`);
  expect(text[0]?.text).toMatch(/The bank takes evidence until \d+ \w+ \d{4}/);
});

it('what is none is told so', async () => {
  await expect(pf('show', { id: 'du_none' })).rejects.toThrow('There is no dispute du_none.');
  await expect(pf('win')).rejects.toThrow('Use `disputes`');
  const { count } = await readRow<{ count: number }>(app, 'select count(*)::int as count from disputes');
  expect((await pf()).split('\n')).toHaveLength(count);
});
