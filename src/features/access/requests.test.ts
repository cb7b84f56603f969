import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { must, readEmail, readRows } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type Send, viewerApiAt } from '#tests/support/viewer-api.ts';
import { expireRequests } from './jobs.ts';
import type { AccessRequest } from './requests-contract.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
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

/** Somebody who has asked, and their request. */
async function asked(rules: object = asking): Promise<{ slug: string; browser: Browser; id: string; linkId: string }> {
  const { id: linkId, slug } = await shared.makeLink(rules);
  const browser = newBrowser();
  await ask(slug, browser);
  const { requests } = await listed();
  return { slug, browser, linkId, id: requests.find(({ link }) => link.id === linkId)?.id ?? '' };
}

describe('somebody who has a link that asks first', () => {
  it('asks with a name and a message, waits, and is let in by the creator’s yes', async () => {
    const { slug } = await shared.makeLink(asking);
    const browser = newBrowser();
    expect((await tap(slug, {}, browser)).refusal).toMatchObject({ reason: 'NEED_APPROVAL', asking: 'open' });
    expect((await ask(slug, browser)).refusal).toMatchObject({
      reason: 'APPROVAL_PENDING',
      title: 'Waiting for approval',
      asking: 'pending',
    });
    const { requests, pendingCount } = await listed({ status: 'pending' });
    expect(pendingCount).toBe(1);
    expect(requests).toMatchObject([
      {
        requesterName: 'Bob',
        message: 'It is me, from the beach.',
        status: 'pending',
        device: { platform: 'iPhone', userAgent: 'Safari' },
      },
    ]);
    const approved = await call('access.approve', { requestId: requests[0]?.id });
    expect(approved.body).toMatchObject({ status: 'approved', opensUntil: null });
    expect((await tap(slug, {}, browser)).head?.visitId).toBeDefined();
  });

  it('is nobody else: another browser with the same link asks for itself', async () => {
    const { slug, id } = await asked();
    await call('access.approve', { requestId: id });
    expect((await tap(slug, {}, newBrowser())).refusal?.reason).toBe('NEED_APPROVAL');
  });

  it('asks once, however often they tap, and may take it back and ask again', async () => {
    const { slug, browser } = await asked();
    await Promise.all([ask(slug, browser), ask(slug, browser)]);
    expect((await listed()).requests).toHaveLength(1);
    expect((await tap(slug, { withdrawsRequest: true }, browser)).refusal?.reason).toBe('NEED_APPROVAL');
    expect((await listed()).requests).toMatchObject([{ status: 'withdrawn' }]);
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
    expect((await listed()).requests.map(({ status }) => status).toSorted()).toEqual(['pending', 'withdrawn']);
  });

  it('two calls of one browser that come at once are one viewer and one request', async () => {
    const { slug } = await shared.makeLink(asking);
    const browser = newBrowser();
    await tap(slug, {}, browser);
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(slug, browser)));
    expect(answers.map(({ refusal }) => refusal?.reason)).toEqual(Array(4).fill('APPROVAL_PENDING'));
    expect((await listed()).requests).toHaveLength(1);
  });

  it('is told what was said, and when they may ask again; never, if the creator says so', async () => {
    const { slug, browser, id } = await asked();
    await call('access.deny', { requestId: id, text: 'I don’t know you.' });
    const { refusal } = await tap(slug, {}, browser);
    expect(refusal).toMatchObject({ reason: 'APPROVAL_DENIED', title: 'Your request was declined.' });
    expect(refusal?.text).toContain('I don’t know you.');
    expect(refusal?.text).toContain('You can ask again on 28 Nov, 12:00.');
    expect(refusal?.asking).toBeUndefined();
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_DENIED');
    app.setNow('2026-11-28T11:59:59Z');
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_DENIED');
    app.setNow('2026-11-28T12:00:00Z');
    expect((await tap(slug, {}, browser)).refusal?.asking).toBe('open');
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
    const { requests } = await listed({ status: 'pending' });
    expect(requests).toMatchObject([{ before: { approved: 0, denied: 1, visits: 0 } }]);
    await call('access.deny', { requestId: requests[0]?.id, mayAskAgain: false });
    app.setNow('2027-11-28T12:00:00Z');
    await readRows(app, 'update magic_links set expires_at = null where slug = $1', [slug]);
    const again = await tap(slug, {}, browser);
    expect(again.refusal).toMatchObject({ reason: 'APPROVAL_DENIED', text: '' });
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_DENIED');
  });

  it('is heard for 14 days, to the second, and may ask again after that', async () => {
    const { slug, browser, id } = await asked();
    app.setNow('2026-12-05T11:59:59Z');
    expect((await tap(slug, {}, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
    app.setNow('2026-12-05T12:00:00Z');
    expect((await tap(slug, {}, browser)).refusal?.reason).toBe('NEED_APPROVAL');
    expect((await listed()).requests).toMatchObject([{ status: 'expired' }]);
    expect(await expireRequests(app.engines)).toBe(1);
    expect(await expireRequests(app.engines)).toBe(0);
    expect((await call('access.approve', { requestId: id })).status).toBe(410);
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
  });

  it('sends three requests a day and no more', async () => {
    const browser = newBrowser();
    for (const name of ['one', 'two', 'three', 'four']) {
      const albumId = await addReadyAlbum(app, shared.creator.userId, { name });
      const { slug } = await shared.makeLink(asking, { albumIds: [albumId] });
      const answer = await ask(slug, browser);
      if (name === 'four') {
        expect(answer.status).toBe(429);
        expect(answer.text).toContain("You've sent as many requests as you can in a day.");
      } else expect(answer.refusal?.reason).toBe('APPROVAL_PENDING');
    }
    expect((await listed()).requests).toHaveLength(3);
  });

  it('sends nothing without a name that can be seen, or with too long a text', async () => {
    const { slug } = await shared.makeLink(asking);
    const browser = newBrowser();
    for (const more of [{ name: '' }, { name: '\u200b' }, { name: 'x'.repeat(61) }, { message: 'x'.repeat(501) }])
      expect((await ask(slug, browser, more)).status).toBe(422);
    expect((await listed()).requests).toEqual([]);
  });

  it('passes the gates before asking: a wrong password asks nothing', async () => {
    const { slug } = await shared.makeLink(asking, { password: 'blue orchard' });
    const browser = newBrowser();
    expect((await tap(slug, { accessRequest, password: 'wrong one' }, browser)).refusal?.reason).toBe('NEED_PASSWORD');
    expect((await listed()).requests).toEqual([]);
    expect((await tap(slug, { accessRequest, password: 'blue orchard' }, browser)).refusal?.reason).toBe(
      'APPROVAL_PENDING',
    );
  });

  it('asks nobody by a program, and nothing of a link that does not ask', async () => {
    const { slug } = await shared.makeLink(asking);
    await tap(slug, { accessRequest, isDriven: true }, newBrowser());
    const { slug: open } = await shared.makeLink();
    await tap(open, { accessRequest }, newBrowser());
    expect((await listed()).requests).toEqual([]);
  });
});

describe('a creator whom many strangers ask', () => {
  it('is asked on by whoever shows an address: nobody is locked out, and the flood stops', async () => {
    const { slug } = await shared.makeLink(asking);
    for (let n = 0; n < 20; n++) {
      app.setNow(new Date(Date.parse(noon) + n * 1000).toISOString());
      expect((await ask(slug, newBrowser())).refusal?.reason).toBe('APPROVAL_PENDING');
    }
    const browser = newBrowser();
    const { refusal } = await ask(slug, browser);
    expect(refusal).toMatchObject({ reason: 'NEED_EMAIL', title: 'Confirm your email' });
    expect((await listed({ status: 'pending' })).pendingCount).toBe(20);
    const email = 'late@example.com';
    expect((await tap(slug, { email }, browser)).refusal?.reason).toBe('NEED_EMAIL_CODE');
    const { code } = await readEmail(app, email);
    expect((await tap(slug, { emailCode: code }, browser)).refusal?.reason).toBe('NEED_APPROVAL');
    expect((await ask(slug, browser)).refusal?.reason).toBe('APPROVAL_PENDING');
    expect((await listed({ status: 'pending' })).pendingCount).toBe(21);
  });

  it('hears of others while one network has used up its quarter of them', async () => {
    app.setNow(new Date(Date.parse(noon) + 86_400_000).toISOString()); // A day on which nobody has asked yet.
    const { slug } = await shared.makeLink(asking);
    const askFrom = (remoteAddress: string) => {
      const send: Send = async (url, init) => {
        const answer = await app.fastify.inject({
          ...init,
          method: 'POST',
          url,
          remoteAddress,
          payload: init.body ?? '',
        });
        const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
        );
        return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers });
      };
      return viewerApiAt('', app.engines.installation.publicUrl, send).tap(slug, { accessRequest }, newBrowser());
    };
    for (let n = 0; n < 5; n++) expect((await askFrom('203.0.113.9')).refusal?.reason).toBe('APPROVAL_PENDING');
    for (let n = 0; n < 25; n++) expect((await askFrom('203.0.113.9')).refusal?.reason).toBe('NEED_EMAIL');
    expect((await askFrom('198.51.100.7')).refusal?.reason).toBe('APPROVAL_PENDING');
    expect((await listed({ status: 'pending' })).pendingCount).toBe(6);
  });
});
