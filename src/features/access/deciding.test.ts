import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { must, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { AccessGrant, AccessRequest } from './requests-contract.ts';

let app: TestApp;
let shared: SharedAlbum;
let other: Person;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
  other = await signUpCreator(app);
});
afterAll(() => app.close());

const noon = '2026-11-21T12:00:00Z';
beforeEach(async () => {
  app.setNow(noon);
  await readRows(app, 'delete from rate_limits');
  await readRows(app, 'delete from album_access_grants');
  await readRows(app, 'delete from album_access_requests');
});

const asking = { offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] };
const accessRequest = { name: 'Bob', message: 'It is me, from the beach.' };
const tap = (slug: string, body: object, browser: Browser) => shared.viewerApi.tap(slug, body, browser);
const ask = (slug: string, browser: Browser, more: object = {}) =>
  tap(slug, { accessRequest: { ...accessRequest, ...more } }, browser);
const listed = async (input: object = {}): Promise<{ requests: AccessRequest[]; pendingCount: number }> =>
  must(app, 'access.requests', input, shared.creator.browser);
const call = (name: string, input: object, who = shared.creator.browser) => app.call(name, input, who);

const grantsNow = async (): Promise<AccessGrant[]> =>
  (await must(app, 'access.grants', {}, shared.creator.browser)).grants;

/** Somebody who has asked, and their request. */
async function asked(rules: object = asking): Promise<{ slug: string; browser: Browser; id: string; linkId: string }> {
  const { id: linkId, slug } = await shared.makeLink(rules);
  const browser = newBrowser();
  await ask(slug, browser);
  const { requests } = await listed();
  return { slug, browser, linkId, id: requests.find(({ link }) => link.id === linkId)?.id ?? '' };
}

describe('a creator', () => {
  it('approves for a day, a week or a month, to the second', async () => {
    for (const [span, days] of [
      ['day', 1],
      ['week', 7],
      ['month', 30],
    ] as const) {
      app.setNow(noon);
      const { slug, browser, id } = await asked();
      await readRows(app, 'update magic_links set expires_at = null where slug = $1', [slug]);
      const end = new Date(Date.parse(noon) + days * 86_400_000);
      const { body } = await call('access.approve', { requestId: id, span });
      expect(new Date((body as { opensUntil: string }).opensUntil)).toEqual(end);
      app.setNow(new Date(end.getTime() - 1000).toISOString());
      expect((await tap(slug, {}, browser)).head?.endsInMs).toBe(1000);
      app.setNow(end.toISOString());
      expect((await tap(slug, {}, browser)).refusal).toMatchObject({ reason: 'NEED_APPROVAL', asking: 'open' });
      await readRows(app, 'delete from album_access_requests');
      await readRows(app, 'delete from album_access_grants');
    }
  });

  it('has the kind of device noted with a grant, as evidence: the same for the same kind, and it opens nothing', async () => {
    for (const { id } of [await asked(), await asked()]) await call('access.approve', { requestId: id });
    const rows = await readRows(app, 'select granted_to_fingerprint as print from album_access_grants');
    expect(rows.map(({ print }) => print)).toEqual(Array(2).fill(expect.stringMatching(/^access\.device:[\w-]{22}$/)));
    expect(rows[0]).toEqual(rows[1]);
    const { slug } = await shared.makeLink(asking);
    expect((await tap(slug, {}, newBrowser())).refusal?.reason).toBe('NEED_APPROVAL');
  });

  it('gets the same answer from a second tap, and one grant', async () => {
    const { id } = await asked();
    const answers = await Promise.all([1, 2, 3].map(() => call('access.approve', { requestId: id, span: 'day' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const grants = await readRows(
      app,
      'select 1 from album_access_grants g join album_access_requests r on r.id = g.access_request_id where r.request_group = $1',
      [id],
    );
    expect(grants).toHaveLength(1);
    expect((await call('access.deny', { requestId: id })).status).toBe(409);
  });

  it('decides once where one screen approves and another denies at the same moment', async () => {
    const { slug, browser, id } = await asked();
    const answers = await Promise.all([
      call('access.approve', { requestId: id }),
      call('access.deny', { requestId: id }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const isIn = (await tap(slug, {}, browser)).head?.visitId !== undefined;
    expect(isIn).toBe(answers[0]?.status === 200);
  });

  it('sees and decides only what was asked of them', async () => {
    const { id } = await asked();
    expect((await call('access.requests', {}, other.browser)).body).toMatchObject({ requests: [], pendingCount: 0 });
    expect((await call('access.approve', { requestId: id }, other.browser)).status).toBe(404);
    expect((await call('access.deny', { requestId: id }, other.browser)).status).toBe(404);
    await call('access.approve', { requestId: id });
    const [grant] = await grantsNow();
    expect((await call('access.revokeGrant', { grantId: grant?.id }, other.browser)).status).toBe(404);
  });

  it('takes a grant back, and the next lease is refused', async () => {
    const { slug, browser, id } = await asked();
    await call('access.approve', { requestId: id });
    const { head } = await tap(slug, {}, browser);
    const [grant] = await grantsNow();
    expect(grant).toMatchObject({ viewerName: 'Bob', expiresAt: null, source: 'approval' });
    expect((await call('access.revokeGrant', { grantId: grant?.id })).status).toBe(200);
    expect((await call('access.revokeGrant', { grantId: grant?.id })).status).toBe(200);
    const item = { mediaId: head.items[0].mediaId, rendition: 'p2048' };
    expect((await shared.viewerApi.lease(head.visitId, [item], browser)).refusal).toMatchObject({
      reason: 'NEED_APPROVAL',
      text: 'The access you had has ended. You can ask for it again.',
    });
    expect(await grantsNow()).toEqual([]);
  });

  it('denies and blocks in one step: nothing of theirs opens for this viewer any more', async () => {
    const { slug, browser, id } = await asked();
    await call('access.deny', { requestId: id, isBlocked: true });
    const { slug: open } = await shared.makeLink();
    for (const link of [slug, open]) expect((await tap(link, {}, browser)).refusal?.reason).toBe('NOT_FOUND');
    const { viewers } = await must(app, 'access.blocked', {}, shared.creator.browser);
    expect(viewers).toMatchObject([{ viewerName: 'Bob' }]);
    expect((await call('access.unblock', { viewerId: viewers[0]?.viewerId })).status).toBe(200);
    expect((await tap(open, {}, browser)).head?.visitId).toBeDefined();
  });

  it('decides a bundle as a whole; an album that is open already is not asked for', async () => {
    const { slug: single, browser, id } = await asked();
    await call('access.approve', { requestId: id });
    expect((await tap(single, {}, browser)).head?.visitId).toBeDefined();
    const [b, c] = [
      await addReadyAlbum(app, shared.creator.userId, { name: 'B' }),
      await addReadyAlbum(app, shared.creator.userId, { name: 'C' }),
    ];
    const { slug } = await shared.makeLink(asking, { albumIds: [shared.albumId, b, c] });
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
    const { requests } = await listed({ status: 'pending' });
    expect(requests.map(({ albums }) => albums.map(({ name }) => name))).toEqual([['B', 'C']]);
    expect((await listed({ albumId: c })).requests).toHaveLength(1);
    expect((await listed({ albumId: shared.albumId })).requests).toHaveLength(1);
    await call('access.approve', { requestId: requests[0]?.id });
    expect((await tap(slug, {}, browser)).head?.visitId).toBeDefined();
  });

  it('is told of a request at once, and of the next ones together after ten minutes', async () => {
    await readRows(app, 'delete from notices');
    const mails = async () =>
      (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000))).filter(({ template }) =>
        ['access_request', 'digest'].includes(template),
      );
    const before = (await mails()).length;
    await asked();
    await expect.poll(async () => (await mails()).length).toBe(before + 1);
    await asked();
    await asked();
    const due = await readRows<{ due: number }>(
      app,
      `select count(*)::int as due from notices where event = 'access_request' and told_at is null`,
    );
    expect(due).toEqual([{ due: 2 }]);
    expect((await mails()).length).toBe(before + 1);
  });

  it('mails the answer to whoever left an address, unless it is a silent no', async () => {
    const answers = async () =>
      (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000))).filter(
        ({ template }) => template === 'access_answered',
      );
    for (const [decision, more, mailed] of [
      ['access.approve', {}, 1],
      ['access.deny', {}, 1],
      ['access.deny', { text: 'Not this time.' }, 2],
    ] as const) {
      await readRows(app, 'delete from album_access_requests');
      const { slug } = await shared.makeLink(asking);
      await ask(slug, newBrowser(), { email: 'bob@example.com' });
      const [request] = (await listed()).requests;
      await call(decision, { requestId: request?.id, ...more });
      expect(await answers()).toHaveLength(mailed);
    }
    expect((await answers()).map(({ to }) => to)).toEqual(['bob@example.com', 'bob@example.com']);
  });

  it('is told when a yes would open nothing: the link is over, the album is away, or the viewer is blocked', async () => {
    const { id, linkId } = await asked();
    await must(app, 'links.revoke', { linkIds: [linkId] }, shared.creator.browser);
    expect((await call('access.approve', { requestId: id })).status).toBe(410);
    await must(app, 'links.undoRevoke', { linkIds: [linkId] }, shared.creator.browser);
    await must(app, 'albums.archive', { albumId: shared.albumId }, shared.creator.browser);
    expect((await call('access.approve', { requestId: id })).status).toBe(410);
    await must(app, 'albums.unarchive', { albumId: shared.albumId }, shared.creator.browser);
    expect((await call('access.approve', { requestId: id })).status).toBe(200);
  });

  it('unblocks whoever was denied and blocked, who may ask again then', async () => {
    const { slug, browser, id } = await asked();
    await call('access.deny', { requestId: id, isBlocked: true });
    const { viewers } = await must(app, 'access.blocked', {}, shared.creator.browser);
    await call('access.unblock', { viewerId: viewers[0]?.viewerId });
    expect((await tap(slug, {}, browser)).refusal).toMatchObject({ reason: 'APPROVAL_DENIED', asking: 'open' });
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
  });

  it('never decides half of a bundle: a question that is taken back at another link is taken back whole', async () => {
    const second = await addReadyAlbum(app, shared.creator.userId, { name: 'Second' });
    const { slug: bundle } = await shared.makeLink(asking, { albumIds: [shared.albumId, second] });
    const { slug: single } = await shared.makeLink(asking);
    const browser = newBrowser();
    await ask(bundle, browser);
    expect((await tap(single, { withdrawsRequest: true }, browser)).refusal?.reason).toBe('NEED_APPROVAL');
    expect((await listed()).requests.map(({ status }) => status)).toEqual(['withdrawn']);
    expect((await tap(bundle, {}, browser)).refusal?.reason).toBe('NEED_APPROVAL');
  });

  it('is not sent more than a few answers to one address, whoever left it', async () => {
    const count = async () =>
      (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000))).filter(
        ({ to }) => to === 'victim@example.com',
      ).length;
    for (let n = 0; n < 7; n++) {
      await readRows(app, 'delete from album_access_requests');
      const { slug } = await shared.makeLink(asking);
      await ask(slug, newBrowser(), { email: 'victim@example.com' });
      await call('access.approve', { requestId: (await listed()).requests[0]?.id });
    }
    expect(await count()).toBe(5);
  });

  it('has said yes to somebody on a link that is full by now, who is told so and not that there is none', async () => {
    const { slug } = await shared.makeLink({ ...asking, bindFirstViewer: true });
    const [first, second] = [newBrowser(), newBrowser()];
    for (const browser of [first, second]) await ask(slug, browser);
    for (const { id } of (await listed({ status: 'pending' })).requests)
      await call('access.approve', { requestId: id });
    expect((await tap(slug, {}, first)).head?.visitId).toBeDefined();
    expect((await tap(slug, {}, second)).refusal).toMatchObject({ reason: 'VIEWERS_FULL' });
  });
});
