import { afterAll, beforeAll, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { forgetOldAudit, forgetOldOrders } from './retaining.ts';

const day = 86_400_000;
let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

async function sell(): Promise<string> {
  const { slug, id } = await shared.makeLink(tipToOpen(1000), { expiry: { kind: 'never' } });
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  await payAt(app, sessionOf((await tapPay(app, slug, buyer)).body.url));
  await settleOpen(app.engines, 0);
  await post(app, `/api/view/${slug}/open`, {}, buyer);
  return id;
}
const orderOf = (linkId: string) =>
  readRow<{ viewer: string | null; email: string }>(
    app,
    'select o.viewer_id as viewer, b.email from checkout_orders o join buyers b on b.id = o.buyer_id where o.link_id = $1',
    [linkId],
  );

it('an order is without its viewer after 13 months, unless it opens something still, and without its buyer after 7 years', async () => {
  const [open, ended] = [await sell(), await sell()];
  await readRows(app, 'update magic_links set is_revoked = true, revoked_at = now() where id = $1', [ended]);
  advance(app, 390 * day);
  await forgetOldOrders(app.engines);
  expect((await orderOf(ended)).viewer, 'a few days are missing').not.toBeNull();
  advance(app, 10 * day);
  await forgetOldOrders(app.engines);
  expect([(await orderOf(ended)).viewer, (await orderOf(open)).viewer === null]).toEqual([null, false]);
  expect((await orderOf(ended)).email).toContain('@');
  expect((await orderOf(ended)).email).not.toContain('erased');
  advance(app, 6 * 365 * day);
  await forgetOldOrders(app.engines);
  expect((await orderOf(open)).email).toMatch(/@erased\.invalid$/);
});

/** The clock of the database dates entries of the audit log; a test cannot turn it. */
const insertOld = (ago: string, action: string) =>
  readRows(
    app,
    `insert into audit_log (at, actor_type, action) values (date_trunc('month', now() at time zone 'utc') at time zone 'utc' - $1::interval, 'system', $2)`,
    [ago, action],
  );
const listOld = async () =>
  (
    await readRows<{ action: string }>(app, `select action from audit_log where action like 'test.%' order by action`)
  ).map(({ action }) => action);

it('the audit log is kept for 24 whole months, and refuses to lose anything younger', async () => {
  await insertOld('30 months', 'test.a');
  await insertOld('25 months -5 days', 'test.b');
  await insertOld('24 months 1 ms', 'test.c');
  await insertOld('24 months', 'test.d');
  await insertOld('1 day', 'test.e');
  for (const action of ['test.d', 'test.e'])
    await expect(readRows(app, 'delete from audit_log where action = $1', [action])).rejects.toThrow('append-only');
  await expect(readRows(app, "update audit_log set details = '{}' where action = 'test.a'")).rejects.toThrow();
  await forgetOldAudit(app.engines);
  expect(await listOld()).toEqual(['test.d', 'test.e']);
});
