import { afterAll, beforeAll, expect, it } from 'vitest';
import { unusedCents } from '#features/orders/fan-rules.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { whyOfAnswer } from '#features/orders/refund-sentences.ts';
import { takenDownNote } from '#features/orders/rules.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { countOf, type FanStage, openFanStage } from '#tests/support/money/fans.ts';
import { advance, listTemplates, must, readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runSuspend } from '../commands.ts';
import { findDrift } from '../reconcile.ts';
import { settleFans } from './fan-jobs.ts';

const day = 86_400_000;
const check = openExchangeCheck();
let app: TestApp;
let stage: FanStage;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
  stage = await openFanStage(app);
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

const suspend = (more: object = {}) =>
  runSuspend(app.engines, { email: stage.creator.email, reason: 'Shows somebody else.', isEnd: false, ...more });
const unsuspend = () => suspend({ reason: undefined, isEnd: true });
const backOf = (orderId: string | undefined) =>
  readRows<{ amount_cents: number; state: string; reason: string }>(
    app,
    'select amount_cents, state, reason from refunds where order_id = $1',
    [orderId],
  );

it('what is unused of a price is counted to the instant, rounded up, and is never more than is left', () => {
  const startsAt = new Date('2026-11-01T00:00:00Z');
  const endsAt = new Date('2026-12-01T00:00:00Z');
  const at = (time: string, refundedCents = 0) =>
    unusedCents({ amountCents: 999, refundedCents, startsAt, endsAt }, new Date(time));
  expect([at('2026-11-01T00:00:00Z'), at('2026-11-16T00:00:00Z'), at('2026-11-30T23:59:59Z')]).toEqual([999, 500, 1]);
  expect([at('2026-12-01T00:00:00Z'), at('2027-01-01T00:00:00Z'), at('2026-10-01T00:00:00Z')]).toEqual([0, 0, 999]);
  expect(at('2026-11-02T00:00:00Z', 900)).toBe(99);
});

it('a suspended creator ends her subscriptions now, with what is left of the month, once', async () => {
  const fan = await stage.makeFan();
  advance(app, 15 * day);
  expect(await suspend()).toContain('is suspended');
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
  const [month] = await stage.monthsOf(fan);
  expect(month).toMatchObject({ state: 'partially_refunded' });
  expect(await backOf(month?.id)).toEqual([{ amount_cents: 500, state: 'succeeded', reason: 'access_revoked' }]);
  await settleFans(app.engines, 0);
  expect(await backOf(month?.id)).toHaveLength(1);
  const templates = await listTemplates(app, fan.email);
  expect(countOf(templates, 'fan_ended')).toBe(1);
  const { body_text } = await readRow(
    app,
    `select body_text from mail_outbox where template = 'fan_ended' and recipient = $1`,
    [fan.email],
  );
  const receipt = `/receipt/${receiptCode(app.engines, month?.id ?? '')}`;
  for (const part of ['$5.00', "The creator can't offer what you paid for any more.", receipt])
    expect(body_text).toContain(part);
  expect(templates, 'that says it already').not.toContain('order_refunded');
  expect(await listTemplates(app, stage.creator.email)).toContain('account_suspended');
  expect(await findDrift(app.engines)).toEqual([]);
  await unsuspend();
  expect(await stage.isOpen(fan.slug, fan.browser)).toBe(false);
});

it('the part of the creator goes back with it, in her own books', async () => {
  const before = (await must(app, 'money.earnings', {}, stage.creator.browser)).earnings.lifetimeEarned;
  const fan = await stage.makeFan();
  advance(app, 15 * day);
  await suspend();
  await unsuspend();
  await stage.wait(0);
  const [month] = await stage.monthsOf(fan);
  const [back] = await backOf(month?.id);
  const backCents = back?.amount_cents ?? 0;
  const after = (await must(app, 'money.earnings', {}, stage.creator.browser)).earnings.lifetimeEarned;
  expect(after - before).toBe(899 - (backCents - Math.round((100 * backCents) / 999)));
  expect(backCents).toBeGreaterThan(400);
});

it('gives nothing back of a month that nobody has paid', async () => {
  const fan = await stage.makeFan({ failsNext: true });
  await stage.wait(32);
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'past_due' });
  await suspend();
  const [month] = await stage.monthsOf(fan);
  expect([await backOf(month?.id), (await stage.rowOf(fan))?.ended]).toEqual([[], true]);
  await unsuspend();
});

it('who leaves gives back all of what was paid in the last 30 days', async () => {
  const old = await stage.makeFan();
  advance(app, 15 * day);
  const recent = await stage.makeFan();
  advance(app, 5 * day);
  await readRows(app, `update users set status = 'deleting' where id = $1`, [stage.creator.userId]);
  await settleFans(app.engines, 0);
  const [[first], [second]] = [await stage.monthsOf(old), await stage.monthsOf(recent)];
  expect([await backOf(first?.id), await backOf(second?.id)]).toMatchObject([
    [{ amount_cents: 999 }],
    [{ amount_cents: 999 }],
  ]);
  const ended = `select body_text as text from mail_outbox where template = 'fan_ended' and recipient = $1`;
  const { text } = await readRow<{ text: string }>(app, ended, [recent.email]);
  expect(text).toContain('The creator has closed their account.');
  await readRows(app, `update users set status = 'active' where id = $1`, [stage.creator.userId]);
});

it('who had asked for the money reads why it goes back', async () => {
  const fan = await stage.makeFan();
  const [month] = await stage.monthsOf(fan);
  const code = receiptCode(app.engines, month?.id ?? '');
  await must(app, 'refunds.ask', { code, reason: 'satisfaction', text: '' }, fan.browser);
  await readRows(app, `update users set status = 'deleting' where id = $1`, [stage.creator.userId]);
  await settleFans(app.engines, 0);
  const answered = `select body_text as text from mail_outbox where template = 'refund_answered' and recipient = $1`;
  expect((await readRow<{ text: string }>(app, answered, [fan.email])).text).toContain(
    'The creator has closed their account.',
  );
  const kept = 'select state, answer, answered_by as by from refund_requests where order_id = $1';
  expect(await readRow(app, kept, [month?.id])).toEqual({ state: 'refunded', answer: '', by: 'system' });
  await readRows(app, `update users set status = 'active' where id = $1`, [stage.creator.userId]);
  const removed = { reason: 'platform_decision', byKind: 'system', cause: null, isTold: true } as const;
  expect(whyOfAnswer({ ...removed, note: takenDownNote })).toBe('What you paid for was removed.');
});

it('asks for a reason, and knows who is suspended', async () => {
  await expect(suspend({ reason: ' ' })).rejects.toThrow('--reason');
  await expect(unsuspend()).rejects.toThrow('not suspended');
  await expect(suspend({ email: 'nobody@example.com' })).rejects.toThrow('No account');
});
