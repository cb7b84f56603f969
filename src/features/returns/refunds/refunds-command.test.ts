import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRefunds } from '../refunding.ts';
import { type RefundOrder, runRefundsCommand } from './refunds-command.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

/** Somebody tips. @returns the order */
async function sell(): Promise<string> {
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  const sessionId = sessionOf((await tapPay(app, slug, buyer)).body.url);
  await payAt(app, sessionId);
  return (await syncSession(app.engines, sessionId))?.id ?? '';
}

const stateOf = async (id: string) =>
  (await readRow<{ state: string }>(app, 'select state from checkout_orders where id = $1', [id])).state;

describe('whoever runs the installation', () => {
  const run = (order: Partial<RefundOrder> = {}) =>
    runRefundsCommand(app.engines, { verb: undefined, id: undefined, reason: undefined, note: undefined, ...order });

  it('gives an order back with a reason and a note, once, which is written down and told to its creator', async () => {
    const id = await sell();
    const params = { verb: 'order', id, reason: 'platform_decision' };
    await expect(run(params)).rejects.toThrow('Say why');
    await expect(run({ ...params, reason: 'mood', note: 'x' })).rejects.toThrow('Say which reason');
    await expect(run({ ...params, id: shared.albumId, note: 'x' })).rejects.toThrow('There is no order');
    expect(await stateOf(id)).toBe('paid');
    expect(await run({ ...params, note: 'Bought by mistake.' })).toContain('$10.00');
    await expect(run({ ...params, note: 'Again.' })).rejects.toThrow('on its way already');
    expect(await run()).toMatch(new RegExp(`${id} .* by staff, platform_decision \\(Bought by mistake\\.\\)  waits`));
    await runRefunds(app.engines);
    expect(await stateOf(id)).toBe('refunded');
    await expect(run({ ...params, note: 'Again.' })).rejects.toThrow('nothing to give back');
    const audit = `select action, details from audit_log where target_id = $1`;
    expect(await readRows(app, audit, [id])).toEqual([
      { action: 'order.refunded', details: { reason: 'platform_decision', note: 'Bought by mistake.' } },
    ]);
    const email = "select body_text as text from mail_outbox where template = 'refund_decided' and recipient = $1";
    const { text } = await readRow<{ text: string }>(app, email, [shared.creator.email.toLowerCase()]);
    expect(text).toContain('Tip: $10.00');
    expect(text).toContain('Bought by mistake.');
  });

  it('sees first what the provider has refused, and why', async () => {
    const id = await sell();
    await run({ verb: 'order', id, reason: 'duplicate', note: 'Paid twice.' });
    const own = app.engines.payments;
    const refused = new PaymentRefused('other', 'Insufficient funds');
    app.engines.payments = { ...own, refund: () => Promise.reject(refused) };
    await runRefunds(app.engines);
    app.engines.payments = own;
    const [first] = (await run()).split('\n');
    expect(first).toContain(id);
    expect(first).toContain('FAILED: Insufficient funds');
  });
});
