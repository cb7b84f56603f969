import { appendFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runData } from '../commands.ts';
import { eraseDueAccounts } from '../deletion/erasing.ts';
import { eraseDuePeople } from '../people/erasing.ts';
import { eraseAgain } from './erased-list.ts';

const day = 86_400_000;
let app: TestApp;
let shared: SharedAlbum;
beforeEach(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  app.engines.sandbox?.deliverTo(undefined);
});
afterEach(() => app.close());

const listOf = () => path.join(app.engines.installation.dataDir, 'erased.jsonl');

it('an account that a backup brings back is erased again, with its keys, and stands in the list once', async () => {
  await must(
    app,
    'privacy.deleteAccount',
    { password: shared.creator.password, confirmation: 'DELETE' },
    shared.creator.browser,
  );
  // The backup is of before: its keys and rows are there.
  const keys = await readRows<{ media_id: string; creator_id: string; key_id: string; wrapped: Buffer }>(
    app,
    'select media_id, creator_id, key_id, wrapped from media_keys',
  );
  const { id } = await readRow<{ id: string }>(app, 'select id from account_deletions');
  const subjects = [{ kind: 'creator', id: shared.creator.userId }];
  await readRows(app, `update account_deletions set state = 'kept'`);
  await readRows(app, `update users set status = 'active'`);
  await appendFile(listOf(), `{"id":"half\n${JSON.stringify({ id, at: new Date().toISOString(), subjects })}\n`);
  expect(keys).toHaveLength(1);
  expect(await eraseAgain(app.engines)).toBe(1);
  expect(await eraseAgain(app.engines), 'it waits already').toBe(1);
  await eraseDueAccounts(app.engines);
  expect(await readRows(app, 'select 1 from media_keys')).toEqual([]);
  expect(
    (await readRow<{ status: string }>(app, 'select status from users where id = $1', [shared.creator.userId])).status,
  ).toBe('deleted');
  expect(await eraseAgain(app.engines)).toBe(0);
  expect((await readFile(listOf(), 'utf8')).match(new RegExp(id, 'g'))).toHaveLength(1);
});

it('an account that is not there any more, or never was in the backup, is left out', async () => {
  const subjects = [{ kind: 'creator', id: '0196f0c2-7b1c-7e2a-8f00-000000000001' }];
  const id = '0196f0c2-7b1c-7e2a-8f00-000000000002';
  await appendFile(listOf(), JSON.stringify({ id, at: new Date().toISOString(), subjects }));
  expect(await eraseAgain(app.engines)).toBe(0);
});

it('a buyer who was erased is erased again from a backup of before, by the list of another installation', async () => {
  await connectPayouts(app, shared.creator);
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const browser = newBrowser();
  const email = 'again@example.com';
  await tapDoor(app, slug, browser);
  await payAt(app, sessionOf((await tapPay(app, slug, browser)).body.url), { email });
  await settleOpen(app.engines, 0);
  await post(app, `/api/view/${slug}/open`, {}, browser);
  const before = await readRow<{ viewer: string; buyer: string; secret: Buffer }>(
    app,
    `select o.viewer_id as viewer, o.buyer_id as buyer, d.secret_hash as secret from checkout_orders o
join viewer_devices d on d.viewer_id = o.viewer_id`,
  );
  await runData(app.engines, ['erase', '--address', email]);
  advance(app, 14 * day);
  await eraseDuePeople(app.engines);
  advance(app, 10 * 60_000);
  await eraseDuePeople(app.engines);
  await eraseAgain(app.engines);
  const list = await readFile(listOf(), 'utf8');
  expect(list).not.toContain(email);
  expect(list).toContain(before.buyer);
  // The backup comes back: the address and the order are there, and of the erasure nothing.
  await readRows(app, 'delete from people_erasures');
  await readRows(app, 'update buyers set email = $2 where id = $1', [before.buyer, email]);
  await readRows(app, 'update checkout_orders set viewer_id = $1', [before.viewer]);
  const elsewhere = `${listOf()}.elsewhere`;
  await appendFile(elsewhere, list);
  await rm(listOf());
  expect(await runData(app.engines, ['erase-again', elsewhere])).toContain('1 ');
  advance(app, 10 * 60_000);
  await eraseDuePeople(app.engines);
  expect(await readRows(app, 'select 1 from buyers where email = $1', [email])).toEqual([]);
  expect(await readRows(app, 'select viewer_id as viewer from checkout_orders')).toEqual([{ viewer: null }]);
  expect(await readFile(listOf(), 'utf8'), 'the list is whole here too').toContain(before.buyer);
});
