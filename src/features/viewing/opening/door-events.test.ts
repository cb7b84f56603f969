import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app);
});
afterAll(() => app.close());
beforeEach(() => app.setNow('2026-11-21T12:00:00Z'));

type Link = { id: string; slug: string };
const tap = ({ slug }: Link, browser: Browser = newBrowser(), body: object = {}) =>
  shared.viewerApi.tap(slug, body, browser);
const rowsOf = ({ id }: Link) =>
  readRows(
    app,
    `select event_type as type, risk, count, viewer_id is not null as "isKnown" from security_events
      where magic_link_id = $1 and source = 'server' order by timestamp, id`,
    [id],
  );
const becomes = (link: Link, rows: object[]) => expect.poll(() => rowsOf(link), { timeout: 10_000 }).toEqual(rows);

it('somebody else who tries a link for one person: one row for all of them in ten minutes, with their number', async () => {
  const link = await shared.makeLink({ bindFirstViewer: true });
  await tap(link);
  for (let n = 0; n < 3; n++) expect((await tap(link)).refusal?.reason).toBe('NOT_FOUND');
  await becomes(link, [{ type: 'link_forwarded', risk: 'medium', count: 3, isKnown: false }]);
  advance(app, 600_000);
  await tap(link);
  await expect.poll(async () => (await rowsOf(link)).length, { timeout: 10_000 }).toBe(2);
});

it('a link for several people that is full is no forwarded one', async () => {
  const [full, revoked] = [await shared.makeLink({ maxViewers: 2 }), await shared.makeLink()];
  for (let n = 0; n < 3; n++) await tap(full);
  await must(app, 'links.revoke', { linkIds: [revoked.id] }, shared.creator.browser);
  await tap(revoked);
  // The one behind it has been written down.
  await becomes(revoked, [{ type: 'revoked_link_opened', risk: 'low', count: 1, isKnown: false }]);
  expect(await rowsOf(full)).toEqual([]);
});

it('a revoked link is told of whoever had it, but not of its creator', async () => {
  const link = await shared.makeLink();
  const browser = newBrowser();
  await tap(link, browser);
  await must(app, 'links.revoke', { linkIds: [link.id] }, shared.creator.browser);
  await tap(link, shared.creator.browser);
  await tap(link, browser);
  await becomes(link, [{ type: 'revoked_link_opened', risk: 'low', count: 1, isKnown: true }]);
});

it('a country that is not allowed, also one that nobody knows', async () => {
  const link = await shared.makeLink({ geo: { mode: 'allow', countries: ['JP'], whenUnknown: 'deny' } });
  await tap(link);
  await becomes(link, [{ type: 'denied_geo', risk: 'low', count: 1, isKnown: false }]);
});

it('a program that was let in, as its browser says', async () => {
  const link = await shared.makeLink();
  await tap(link, newBrowser(), { isDriven: true });
  await becomes(link, [{ type: 'automation_suspected', risk: 'high', count: 1, isKnown: true }]);
});

it('one screen more than allowed', async () => {
  const link = await shared.makeLink({ maxConcurrent: 1 });
  const [first, second] = [newBrowser(), newBrowser()];
  const { head } = await tap(link, first);
  expect((await tap(link, second, { resumeCode: head.resumeCode })).refusal?.reason).toBe('CONCURRENT');
  await becomes(link, [{ type: 'concurrent_screens', risk: 'low', count: 1, isKnown: true }]);
});

it('an address that was proven and is not on the list', async () => {
  const link = await shared.makeLink({ email: { verify: true, allow: ['bob@example.com'] } });
  const browser = newBrowser();
  await tap(link, browser);
  await tap(link, browser, { email: 'eve@example.com' });
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  const emailCode = emails.find(({ to }) => to === 'eve@example.com')?.text.match(/\d{6}/)?.[0];
  expect((await tap(link, browser, { emailCode })).refusal?.reason).toBe('EMAIL_NOT_ALLOWED');
  // Who comes again has not tried another one.
  await tap(link, browser);
  await becomes(link, [{ type: 'email_not_allowed', risk: 'low', count: 1, isKnown: false }]);
});

it('keys that are taken faster than anybody looks', async () => {
  const link = await shared.makeLink();
  const browser = newBrowser();
  const { head } = await tap(link, browser);
  const items = Array.from({ length: 24 }, () => ({ mediaId: shared.photos[0]?.mediaId, rendition: 'p2048' }));
  let last = 200;
  for (let n = 0; n < 20 && last === 200; n++)
    last = (await shared.viewerApi.lease(head.visitId, items, browser)).status;
  expect(last).toBe(429);
  await becomes(link, [{ type: 'key_rate_exceeded', risk: 'high', count: 1, isKnown: true }]);
});
