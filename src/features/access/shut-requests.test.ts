import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { expireRequests } from './jobs.ts';
import type { AccessRequest } from './requests-contract.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

beforeEach(async () => {
  app.setNow('2026-11-21T12:00:00Z');
  await readRows(app, 'delete from rate_limits');
  await readRows(app, 'delete from album_access_requests');
});

const asking = { offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] };
const ask = async (slug: string, browser: Browser) =>
  (await shared.viewerApi.tap(slug, { accessRequest: { name: 'Bob' } }, browser)).refusal?.reason;
const call = (name: string, input: object) => app.call(name, input, shared.creator.browser);
const listed = async (): Promise<AccessRequest[]> =>
  (await must(app, 'access.requests', {}, shared.creator.browser)).requests;

/** Somebody who has asked at a link of their own, and their request. */
async function asked(more: object = {}) {
  const { id: linkId, slug } = await shared.makeLink(asking, more);
  const browser = newBrowser();
  await ask(slug, browser);
  const id = (await listed()).find(({ link }) => link.id === linkId)?.id ?? '';
  return { slug, browser, linkId, requestId: id };
}

it('of a link that is revoked says so, can be dismissed without a word, and is over once nobody can take that back', async () => {
  const kept = await asked();
  expect(await listed()).toMatchObject([{ status: 'pending', shut: null }]);
  await call('links.revoke', { linkIds: [kept.linkId] });
  expect(await listed()).toMatchObject([{ status: 'pending', shut: 'revoked' }]);
  const refused = await call('access.approve', { requestId: kept.requestId });
  expect([refused.status, refused.body.message]).toEqual([410, 'The link is revoked. Make a new link instead.']);
  expect(await expireRequests(app.engines), 'it may come back').toBe(0);
  await call('links.undoRevoke', { linkIds: [kept.linkId] });
  expect(await listed()).toMatchObject([{ status: 'pending', shut: null }]);
  await call('links.revoke', { linkIds: [kept.linkId] });
  app.setNow('2026-11-22T11:59:59Z');
  expect(await expireRequests(app.engines)).toBe(0);
  app.setNow('2026-11-22T12:00:00Z');
  expect(await expireRequests(app.engines)).toBe(1);
  expect(await listed()).toMatchObject([{ status: 'expired', shut: null }]);

  const other = await asked();
  await call('links.revoke', { linkIds: [other.linkId] });
  expect((await call('access.deny', { requestId: other.requestId })).body).toMatchObject({
    status: 'denied',
    shut: null,
  });
});

it('of a link that has ended waits a day for another end, and is over then', async () => {
  const { linkId, requestId } = await asked({ expiry: { kind: 'after', hours: 1 } });
  app.setNow('2026-11-21T13:00:00Z');
  expect(await listed()).toMatchObject([{ status: 'pending', shut: 'over' }]);
  await call('links.extend', { linkIds: [linkId], expiry: { kind: 'after', hours: 1 } });
  expect(await listed()).toMatchObject([{ shut: null }]);
  app.setNow('2026-11-22T13:59:59Z');
  expect(await expireRequests(app.engines)).toBe(0);
  app.setNow('2026-11-22T14:00:00Z');
  expect(await expireRequests(app.engines)).toBe(1);
  expect((await call('access.approve', { requestId })).status).toBe(410);
});

it('keeps nobody waiting at another link to the same album', async () => {
  const { browser, linkId } = await asked();
  const { slug } = await shared.makeLink(asking);
  expect((await shared.viewerApi.tap(slug, {}, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
  await call('links.revoke', { linkIds: [linkId] });
  expect((await shared.viewerApi.tap(slug, {}, browser)).refusal?.reason).toBe('NEED_APPROVAL');
  expect(await ask(slug, browser)).toBe('APPROVAL_PENDING');
  const [open] = (await listed()).filter(({ status }) => status === 'pending');
  expect((await call('access.approve', { requestId: open?.id })).body).toMatchObject({ status: 'approved' });
});
