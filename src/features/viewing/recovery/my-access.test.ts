import { afterAll, beforeAll, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { MyAccess } from './my-access-contract.ts';

let app: TestApp;
let shared: SharedAlbum;
let people = 0;
beforeAll(async () => {
  app = await openTestApp();
  app.setNow('2026-11-21T12:00:00Z');
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const asking = { offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] };
const accessRequest = { name: 'Bob' };
const tap = (slug: string, body: object, browser: Browser) => shared.viewerApi.tap(slug, body, browser);
const call = (name: string, input: object) => app.call(name, input, shared.creator.browser);
const mine = async (browser: Browser): Promise<MyAccess[]> => (await must(app, 'viewing.accesses', {}, browser)).rows;
const textsTo = async (email: string, wanted: string) => {
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  return emails.filter(({ to, template }) => to === email && template === wanted).map(({ text }) => text);
};

/** Somebody who has proven an address at a link that asks first, and has asked. */
async function asked() {
  const { slug, id: linkId } = await shared.makeLink({ ...asking, email: { verify: true, allow: [] } });
  const browser = newBrowser();
  const email = `asker-${people++}@example.com`;
  await tap(slug, {}, browser);
  await tap(slug, { email }, browser);
  const emailCode = /\d{6}/.exec((await textsTo(email, 'proof_code'))[0] ?? '')?.[0];
  expect((await tap(slug, { emailCode }, browser)).refusal?.reason).toBe('NEED_APPROVAL');
  expect((await tap(slug, { accessRequest }, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
  const { id: requestId } = await readRow<{ id: string }>(
    app,
    'select request_group as id from album_access_requests where link_id = $1',
    [linkId],
  );
  advance(app, 1000);
  return { slug, browser, email, requestId, linkId };
}

/** Another browser, whose owner has proven the address by a mailed link. */
async function proveElsewhere(email: string): Promise<Browser> {
  await must(app, 'viewing.findPurchases', { email }, newBrowser());
  const [, token = ''] = /find-my-purchases#(\w{43})/.exec((await textsTo(email, 'purchases')).at(-1) ?? '') ?? [];
  const browser = newBrowser();
  await must(app, 'viewing.claimPurchases', { token }, browser);
  return browser;
}

it('lists what waits, what was declined, and what is open and until when, in the browser that asked', async () => {
  const { browser, requestId, linkId } = await asked();
  expect(await mine(browser)).toMatchObject([{ requestId, state: 'pending', until: null }]);
  await call('access.approve', { requestId, span: 'day' });
  expect(await mine(browser)).toMatchObject([{ state: 'open', until: '2026-11-22T12:00:01.000Z' }]);
  await call('links.revoke', { linkIds: [linkId] });
  expect(await mine(browser)).toMatchObject([{ state: 'ended', until: null }]);
  const denied = await asked();
  await call('access.deny', { requestId: denied.requestId, text: 'Not this one.' });
  expect(await mine(denied.browser)).toMatchObject([{ state: 'denied', decisionText: 'Not this one.' }]);
});

it('opens in another browser for whoever proves the same address there, and as the same viewer', async () => {
  const { email, requestId, browser, slug } = await asked();
  await call('access.approve', { requestId });
  const elsewhere = await proveElsewhere(email);
  expect(await mine(elsewhere)).toMatchObject([{ requestId, state: 'open', until: null }]);
  expect((await app.call('viewing.openAccess', { requestId }, elsewhere)).body).toEqual({ viewPath: `/view/${slug}` });
  expect((await tap(slug, {}, elsewhere)).head?.visitId).toBeDefined();
  expect((await tap(slug, {}, browser)).head?.visitId).toBeDefined();
  const seen = await readRows(
    app,
    'select distinct viewer_id from viewer_devices d join viewers v on v.id = d.viewer_id where v.email = $1',
    [email],
  );
  expect(seen).toHaveLength(1);
});

it('tells a stranger nothing: neither the list, nor a link by email, nor a way in', async () => {
  const { requestId, slug } = await asked();
  await call('access.approve', { requestId });
  for (const stranger of [newBrowser(), (await asked()).browser]) {
    expect((await mine(stranger)).map((row) => row.requestId)).not.toContain(requestId);
    expect((await app.call('viewing.openAccess', { requestId }, stranger)).status).toBe(404);
    expect((await tap(slug, {}, stranger)).head?.visitId).toBeUndefined();
  }
  const typed = `nobody-${people++}@example.com`;
  const { slug: other } = await shared.makeLink(asking);
  await tap(other, { accessRequest: { ...accessRequest, email: typed } }, newBrowser());
  await must(app, 'viewing.findPurchases', { email: typed }, newBrowser());
  expect(await textsTo(typed, 'purchases'), 'an address that was only typed proves nothing').toEqual([]);
});
