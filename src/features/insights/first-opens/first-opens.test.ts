import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverDue } from '#features/notices/notifying.ts';
import { listEmails } from '#features/notices/store.ts';
import { comeBy, type VisitInTest } from '#tests/support/looks.ts';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { notifyOpens } from './first-opens.ts';

let app: TestApp;
let shared: SharedAlbum;
const noon = '2026-11-21T12:00:00Z';
beforeAll(async () => {
  app = await openTestApp({ now: noon, workJobs: false });
  shared = await shareAlbum(app);
});
afterAll(() => app.close());

const later = (minutes: number) => new Date(Date.parse(noon) + 60_000 * minutes);
const tell = async () => {
  await notifyOpens(app.engines);
  await deliverDue(app.engines);
};
const come = (linkId: string, more: Partial<VisitInTest> = {}) =>
  comeBy(app, { linkId, creatorId: shared.creator.userId, at: later(0), ...more });
const system = { kind: 'system' } as const;
/** Emails about one link. */
const emailsOf = async (linkId: string) => {
  const emails = await app.engines.database.work(system, (tx) => listEmails(tx, 1000));
  return emails.filter(({ text }) => text.includes(linkId)).map(({ template, to, text }) => ({ template, to, text }));
};

describe('the first opening of a link', () => {
  it('is told to its maker once, by an email that does not say what was opened', async () => {
    const { id, slug } = await shared.makeLink({}, { linkName: 'Golden hour for Bob' });
    await shared.viewerApi.tap(slug, { timeZone: 'Europe/Lisbon' });
    app.setNow(later(1).toISOString());
    await shared.viewerApi.tap(slug);
    app.setNow(noon);
    await tell();
    await tell();
    const emails = await emailsOf(id);
    expect(emails).toMatchObject([{ template: 'first_open', to: shared.creator.email }]);
    expect(emails[0]?.text).toMatch(/Nov 21, 2026, 1:00\sPM \(Europe\/Berlin\), Portugal \(estimated\)\./);
    expect(emails[0]?.text).not.toMatch(/Golden|Bob/);
  });

  it("is told in the creator's own time, also where her zone has a name that Intl does not list", async () => {
    const { id } = await shared.makeLink();
    await come(id);
    const live = (zone: string) =>
      readRows(app, 'update users set time_zone = $2 where id = $1', [shared.creator.userId, zone]);
    await live('Asia/Kolkata');
    await tell();
    await live('Europe/Berlin');
    expect((await emailsOf(id))[0]?.text).toMatch(/Nov 21, 2026, 5:30\sPM \(Asia\/Kolkata\)/);
  });

  it('is told once when two workers do it at the same moment', async () => {
    const { id } = await shared.makeLink();
    await come(id);
    await Promise.all([tell(), tell(), tell(), tell()]);
    expect(await emailsOf(id)).toHaveLength(1);
  });

  it('is told by the next run when a worker dies before its commit', async () => {
    const { id } = await shared.makeLink();
    await come(id);
    const dying = {
      ...app.engines,
      jobs: { ...app.engines.jobs, send: () => Promise.reject(new Error('killed')) },
    };
    await expect(notifyOpens(dying)).rejects.toThrow('killed');
    expect(await emailsOf(id)).toEqual([]);
    await tell();
    expect(await emailsOf(id)).toHaveLength(1);
  });

  it('is not her own look, a program, or a preview of the page', async () => {
    const { id, slug } = await shared.makeLink();
    await shared.viewerApi.tap(slug, {}, shared.creator.browser);
    await come(id, { suspect: 'automation' });
    await shared.viewerApi.fetch(`/view/${slug}`, undefined, newBrowser());
    await tell();
    expect(await emailsOf(id)).toEqual([]);
    await come(id, { at: later(5), country: 'SE' });
    await tell();
    expect((await emailsOf(id))[0]?.text).toMatch(/1:05\sPM \(Europe\/Berlin\), Sweden\./);
  });

  it('is not told for a link that is to be silent, also when that is changed later', async () => {
    const { id } = await shared.makeLink({}, { notify: 'none' });
    await come(id);
    await tell();
    await app.call('links.update', { linkId: id, notify: 'first' }, shared.creator.browser);
    await come(id, { at: later(1) });
    await tell();
    expect(await emailsOf(id)).toEqual([]);
  });
});

describe('further openings', () => {
  it('are told in one email a day with a count for each link, of links whose maker wants every one', async () => {
    const [every, other, first, quiet] = [
      await shared.makeLink({}, { notify: 'every' }),
      await shared.makeLink({}, { notify: 'every' }),
      await shared.makeLink(),
      await shared.makeLink({}, { notify: 'every' }),
    ];
    for (const { id } of [every, other, first, quiet]) {
      await come(id);
      await tell();
    }
    const further = async () => {
      const emails = [...(await emailsOf(every.id)), ...(await emailsOf(other.id))];
      return emails.filter(({ text }) => /more times|once more/.test(text));
    };
    for (const { id } of [every, other, first]) for (const at of [10, 20]) await come(id, { at: later(at) });
    app.setNow(later(61).toISOString());
    // Two workers may take one link each, so the email goes out when both are through.
    await Promise.all([notifyOpens(app.engines), notifyOpens(app.engines)]);
    await Promise.all([deliverDue(app.engines), deliverDue(app.engines)]);
    await tell();
    const [email, ...same] = await further();
    // Both links stand in one email, which is found by either.
    expect(same).toEqual([email]);
    expect(email?.text.match(/opened 2 more times since/g)).toHaveLength(2);
    expect(email?.text).not.toContain(quiet.id);
    expect(await emailsOf(first.id)).toHaveLength(1);
    await come(every.id, { at: later(70) });
    for (const minutes of [140, 400, 900, 1500]) {
      app.setNow(later(minutes).toISOString());
      await tell();
      expect(await further()).toHaveLength(2);
    }
    app.setNow(later(61 + 24 * 60).toISOString());
    await tell();
    await tell();
    expect((await emailsOf(every.id)).filter(({ text }) => text.includes('opened once more since'))).toHaveLength(1);
    const all = (await emailsOf(every.id)).length;
    app.setNow(later(200 + 4 * 24 * 60).toISOString());
    await tell();
    expect(await emailsOf(every.id)).toHaveLength(all);
  });
});
