import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reconcile, settleOpen } from '#features/money/reconcile.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, listTemplates, must, readEmail, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runData } from '../commands.ts';
import type { Certificate } from './certificate.ts';
import { eraseAccount, eraseDueAccounts } from './erasing.ts';

const day = 86_400_000;
let app: TestApp;
let shared: SharedAlbum;

beforeEach(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 2 });
});
afterEach(() => app.close());

const deleteIt = (input: object = {}, browser = shared.creator.browser) =>
  app.call('privacy.deleteAccount', { password: shared.creator.password, confirmation: 'DELETE', ...input }, browser);
const signIn = () =>
  app.call('accounts.signIn', { email: shared.creator.email, password: shared.creator.password }, newBrowser());
const statusOf = async () =>
  (await readRow<{ status: string }>(app, 'select status from users where id = $1', [shared.creator.userId])).status;
const deletionId = async () =>
  (await readRows<{ id: string }>(app, 'select id from account_deletions where state <> $1', ['kept']))[0]?.id;
const statusOfDeletion = async () =>
  (await readRows<{ state: string }>(app, 'select state from account_deletions'))[0]?.state;
const open = async (slug: string, browser = newBrowser()) =>
  (await post(app, `/api/view/${slug}/open`, {}, browser)).status;
const filesLeft = async () => {
  const paths: string[] = [];
  for await (const path of app.engines.storage.list('media/')) paths.push(path);
  return paths.length;
};

/** Somebody who has paid at a link and looked. */
async function sell(): Promise<string> {
  const { slug, id } = await shared.makeLink(tipToOpen(1000));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  await payAt(app, sessionOf((await tapPay(app, slug, buyer)).body.url));
  await settleOpen(app.engines, 0);
  await post(app, `/api/view/${slug}/open`, {}, buyer);
  return id;
}

describe('deleting an account', () => {
  it('is told before with its numbers', async () => {
    await connectPayouts(app, shared.creator);
    await sell();
    const effects = await must(app, 'privacy.showDeletion', {}, shared.creator.browser);
    expect(effects).toMatchObject({
      links: 1,
      albums: 1,
      media: 2,
      buyers: 1,
      refundCents: 1000,
      fans: 0,
      requests: 0,
      balanceCents: 900,
      canBePaid: true,
      partnerCents: 0,
      hasPlan: false,
      currency: 'usd',
    });
  });

  it('takes the password and the typed word, and a fresh code where there is a second factor', async () => {
    expect((await deleteIt({ password: 'another one' })).body.data?.field).toBe('password');
    expect((await deleteIt({ confirmation: 'delete' })).status).toBe(422);
    const phone = await setUpSecondFactor(app, shared.creator.browser, shared.creator.password);
    advance(app, 11 * 60_000);
    expect((await deleteIt()).body.code).toBe('CODE_REQUIRED');
    await must(app, 'secondFactor.enter', { code: phone.next() }, shared.creator.browser);
    expect((await deleteIt()).status).toBe(200);
  });

  it('ends links and sessions at once, and says so', async () => {
    const { slug } = await shared.makeLink({});
    expect(await open(slug)).toBe(200);
    const other = await signInQuickly(app, shared.creator.userId);
    expect((await deleteIt()).status).toBe(200);
    expect(await open(slug)).not.toBe(200);
    for (const browser of [other, shared.creator.browser])
      expect((await app.call('accounts.me', {}, browser)).body.user).toBeNull();
    expect(await statusOf()).toBe('deleting');
    expect(await listTemplates(app, shared.creator.email)).toContain('deletion_begun');
  });

  it('is called off by signing in, and the links that it ended work again', async () => {
    const { slug } = await shared.makeLink({});
    const { slug: ended, id } = await shared.makeLink({});
    await must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
    await deleteIt();
    advance(app, 13 * day);
    const back = await signIn();
    expect([back.status, back.body.isAccountKept]).toEqual([200, true]);
    expect([await statusOf(), await open(slug), await open(ended)]).toEqual(['active', 200, 410]);
    expect((await signIn()).body.isAccountKept).toBeUndefined();
    advance(app, 5 * day);
    await eraseDueAccounts(app.engines);
    expect(await statusOf()).toBe('active');
    expect((await listTemplates(app, shared.creator.email)).filter((name) => name === 'deletion_kept')).toHaveLength(1);
  });

  it('gives nothing back while it can be called off, and everything of thirty days once it cannot', async () => {
    await connectPayouts(app, shared.creator);
    const linkId = await sell();
    advance(app, 29 * day);
    await deleteIt();
    const states = () => readRows(app, 'select state from checkout_orders where link_id = $1', [linkId]);
    advance(app, 14 * day - 1000);
    await refundOwed(app.engines);
    expect(await states()).toEqual([{ state: 'paid' }]);
    advance(app, 1000);
    await refundOwed(app.engines);
    expect(await states()).toEqual([{ state: 'refunded' }]);
  });
});

it('is deleted, kept and certified by the operator in the same way, for who asks by letter', async () => {
  const { email } = shared.creator;
  const { slug } = await shared.makeLink({});
  await expect(runData(app.engines, ['delete', 'nobody@example.com'])).rejects.toThrow('No account');
  await expect(runData(app.engines, ['keep', email])).rejects.toThrow('not about to be deleted');
  expect(await runData(app.engines, ['show', email])).toContain('1 link stops working now');
  expect(await runData(app.engines, ['delete', email.toUpperCase()])).toContain('is erased after');
  expect(await open(slug)).not.toBe(200);
  const begun = `select body_text as text from mail_outbox where template = 'deletion_begun'`;
  expect((await readRow<{ text: string }>(app, begun)).text).toContain('As you asked');
  await expect(runData(app.engines, ['delete', email])).rejects.toThrow('already');
  expect(await runData(app.engines, ['keep', email])).toContain('stays');
  expect([await open(slug), await statusOf()]).toEqual([200, 'active']);
  await runData(app.engines, ['delete', email]);
  advance(app, 14 * day);
  await eraseDueAccounts(app.engines);
  const certificate = JSON.parse(await runData(app.engines, ['certificate', (await deletionId()) ?? '']));
  expect(certificate.keys).toHaveLength(3);
});

describe('an account whose grace is over', () => {
  const erase = async () => {
    await deleteIt();
    advance(app, 14 * day);
    await eraseDueAccounts(app.engines);
  };

  it('is erased: its keys, its files, its rows, and nobody signs in any more', async () => {
    expect(await filesLeft()).toBeGreaterThan(0);
    await erase();
    expect(await filesLeft()).toBe(0);
    expect(await readRows(app, 'select 1 from media_keys union all select 1 from creator_keys')).toEqual([]);
    expect(await readRows(app, 'select 1 from media union all select 1 from magic_links')).toEqual([]);
    expect(await statusOf()).toBe('deleted');
    expect((await signIn()).status).toBe(401);
  });

  it('has a certificate whose hash is that of the keys which were there, and the day when no backup holds them', async () => {
    const keys = await readRows<{ sha256: string }>(
      app,
      `select encode(sha256(wrapped), 'hex') as sha256 from media_keys`,
    );
    await erase();
    const { certificate, state, email } = await readRow<{
      certificate: Certificate;
      state: string;
      email: string | null;
    }>(app, 'select certificate, state, email from account_deletions');
    expect([state, email]).toEqual(['done', null]);
    expect(certificate.keys.map(({ sha256 }) => sha256)).toEqual(
      expect.arrayContaining(keys.map(({ sha256 }) => sha256)),
    );
    expect(certificate.keys.length, 'several, or their order would not count').toBeGreaterThan(1);
    const lines = certificate.keys.map(({ kind, id, masterKey, sha256 }) => `${kind} ${id} ${masterKey} ${sha256}\n`);
    expect(certificate.keyHash).toBe(createHash('sha256').update(lines.join('')).digest('hex'));
    const { text } = await readEmail(app, shared.creator.email);
    expect(text).toContain(certificate.keyHash);
    expect(text).toContain(certificate.backupsExpireOn);
  });

  it('waits for its buyers to have their money back, and keeps their orders without its name', async () => {
    await connectPayouts(app, shared.creator);
    const linkId = await sell();
    await erase();
    expect(await readRows(app, 'select 1 from media_keys')).not.toEqual([]);
    expect((await signIn()).status).toBe(401);
    await refundOwed(app.engines);
    await eraseDueAccounts(app.engines);
    expect(await readRows(app, 'select 1 from media_keys')).toEqual([]);
    const order = 'select state, creator_name as name, link_id as link, creator_id as creator from checkout_orders';
    expect(await readRows(app, order)).toEqual([
      { state: 'refunded', name: 'Closed account', link: null, creator: shared.creator.userId },
    ]);
    expect(linkId).not.toBeNull();
    expect(await reconcile(app.engines)).toEqual([]);
  });

  it('is erased without its refunds where the provider never makes them: keys wait two days and no longer', async () => {
    await connectPayouts(app, shared.creator);
    await sell();
    await erase();
    advance(app, 2 * day - 1000);
    await eraseDueAccounts(app.engines);
    expect(await readRows(app, 'select 1 from media_keys')).not.toEqual([]);
    advance(app, 1000);
    await eraseDueAccounts(app.engines);
    expect(await statusOfDeletion()).toBe('done');
  });

  it('goes on wherever a process that erased it was killed, and is told of it once', async () => {
    await deleteIt();
    advance(app, 14 * day);
    const { database, storage } = app.engines;
    const real = { work: database.work.bind(database), remove: storage.remove.bind(storage) };
    let left = 0;
    const dies =
      <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        if (left-- <= 0) throw new Error('killed');
        return run(...args);
      };
    let rounds = 0;
    const id = (await deletionId()) ?? '';
    let state: string | undefined;
    // Each round gets one step further than the one before, until nothing is left to do.
    while (state !== 'done') {
      left = rounds++;
      database.work = dies(real.work) as typeof real.work;
      storage.remove = dies(real.remove);
      await eraseAccount(app.engines, id).catch(() => undefined);
      Object.assign(database, { work: real.work });
      Object.assign(storage, { remove: real.remove });
      const [keys, files] = [await readRows(app, 'select 1 from media_keys'), await filesLeft()];
      state = await statusOfDeletion();
      expect([0, 2]).toContain(keys.length);
      if (keys.length === 2) expect(files).toBeGreaterThan(0);
    }
    expect(rounds).toBeGreaterThan(5);
    expect(await filesLeft()).toBe(0);
    expect((await listTemplates(app, shared.creator.email)).filter((name) => name === 'account_erased')).toHaveLength(
      1,
    );
    expect(await readRows(app, `select 1 from users where email = $1`, [shared.creator.email])).toEqual([]);
  });
});
