import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { advance, must, readRows, signInQuickly } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';
import { refundOwed } from '../refunding.ts';
import { notifyAccessEnds } from './notify-access.ts';

const hour = 3_600_000;
const day = 24 * hour;
let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

/** What whoever paid has read of the end of their access. */
const toldOf = async ({ email }: Sold) =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000)))
    .filter(({ to, template }) => to === email && template.startsWith('access_'))
    .map(({ template, text }) => `${template}: ${text.replaceAll(/\s+/g, ' ')}`);
/** The job runs, several times and at once. */
const tell = () => Promise.all([1, 2, 3].map(() => notifyAccessEnds(app.engines)));
const revoke = async ({ linkId }: Sold, more = {}) =>
  must(app, 'links.revoke', { linkIds: [linkId], ...more }, await signInQuickly(app, world.creator.userId));

describe('the end of a time that was paid for', () => {
  it('is told once, two hours before, to the millisecond', async () => {
    const sold = await world.sell({ more: { openForMs: day } });
    advance(app, day - 2 * hour - 1);
    await tell();
    expect(await toldOf(sold)).toEqual([]);
    advance(app, 1);
    await tell();
    await tell();
    const [reported = '', ...more] = await toldOf(sold);
    expect(more).toEqual([]);
    for (const part of ['access_ends: ', 'UTC', `/receipt/${receiptCode(app.engines, sold.orderId)}`])
      expect(reported).toContain(part);
    expect(await world.door(sold)).toBe('open');
    advance(app, 2 * hour);
    expect(await world.door(sold)).not.toBe('open');
  });

  it('is not told where it was short, has passed, was blocked or revoked, or is on its way back', async () => {
    const [short, passed] = [
      await world.sell({ more: { openForMs: 3 * hour } }),
      await world.sell({ more: { openForMs: 4 * hour } }),
    ];
    advance(app, 2 * hour - 1);
    await tell();
    advance(app, 3 * hour);
    const spans = { more: { openForMs: 4 * hour } };
    const [blocked, revoked, returning, left] = [
      await world.sell(spans),
      await world.sell(spans),
      await world.sell(spans),
      await world.sell(spans),
    ];
    await readRows(app, 'update link_viewers set blocked_at = $2 where link_id = $1', [
      blocked.linkId,
      new Date(app.engines.clock()),
    ]);
    await revoke(revoked);
    await readRows(
      app,
      `insert into refunds (id, order_id, amount_cents, reason, by_kind, created_at) values (gen_random_uuid(), $1, 5000, 'access_revoked', 'system', now())`,
      [returning.orderId],
    );
    advance(app, 3 * hour);
    await tell();
    const reported = await Promise.all([short, passed, blocked, revoked, returning, left].map(toldOf));
    expect(reported.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 1]);
  });
});

describe('an end by the creator', () => {
  it('is told once it cannot be undone, where nothing goes back', async () => {
    const [old, fresh, kept] = [await world.sell(), await world.sell(), await world.sell()];
    await readRows(app, `update checkout_orders set paid_at = paid_at - interval '8 days' where id = $1`, [
      old.orderId,
    ]);
    for (const sold of [old, fresh]) await revoke(sold);
    await tell();
    expect(await toldOf(old), 'it can be undone').toEqual([]);
    advance(app, 25 * hour);
    await tell();
    expect(await toldOf(fresh), 'it goes back').toEqual([]);
    await refundOwed(app.engines);
    await tell();
    await tell();
    const reported = await toldOf(old);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toContain('access_ended: ');
    expect(reported[0]).toContain('you can ask for your money back');
    expect([await toldOf(fresh), await toldOf(kept)]).toEqual([[], []]);
  });

  it('is not told of what had run out before, nor days later', async () => {
    const [over, missed] = [await world.sell({ more: { openForMs: hour } }), await world.sell()];
    await readRows(app, `update checkout_orders set paid_at = paid_at - interval '8 days' where id = any($1)`, [
      [over.orderId, missed.orderId],
    ]);
    advance(app, 2 * hour);
    await revoke(over);
    advance(app, 25 * hour);
    await tell();
    await revoke(missed);
    advance(app, 4 * day + hour);
    await tell();
    expect([await toldOf(over), await toldOf(missed)]).toEqual([[], []]);
  });

  it('is told though it can be undone for a week, and long after paying nothing is promised', async () => {
    await writeSettings(app, { 'links.undoHours': 168 });
    const sold = await world.sell();
    await readRows(app, `update checkout_orders set paid_at = paid_at - interval '15 days' where id = $1`, [
      sold.orderId,
    ]);
    await revoke(sold);
    advance(app, 168 * hour - 1);
    await tell();
    expect(await toldOf(sold)).toEqual([]);
    advance(app, 1);
    await tell();
    const reported = await toldOf(sold);
    expect(reported).toHaveLength(1);
    expect(reported[0]).not.toContain('your money back');
  });
});
