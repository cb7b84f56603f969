import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { openTakenDown } from '#tests/support/open-taken-down.ts';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runReports } from './commands.ts';
import { forgetOldReports } from './jobs.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setNow('2026-11-21T12:00:00Z');
  await readRows(app, 'delete from reports');
  await readRows(app, 'delete from mail_outbox');
  await openTakenDown(app);
});

const reporter = 'ana@example.com';
const report = (target: string, more: object = {}) => ({
  kind: 'intimate',
  target,
  details: 'The second photo shows me, and I never agreed.',
  onBehalf: 'self',
  name: 'Ana Example',
  email: reporter,
  isInGoodFaith: true,
  ...more,
});
const send = (target: string, more: object = {}, browser: Browser = newBrowser()) =>
  app.call('reports.send', report(target, more), browser);
const addressOf = ({ slug }: { slug: string }) => `http://localhost:3000/view/${slug}`;
const states = async () =>
  (await readRows(app, 'select state from reports order by created_at, id')).map(({ state }) => state);
const emailsTo = async (address: string) =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100)))
    .filter(({ to }) => to === address)
    .map(({ template, text }) => ({ template, text }));
const creatorEmail = async () =>
  String((await readRows(app, 'select email from users where id = $1', [shared.creator.userId]))[0]?.email);
const order = (verb?: string, number?: string, reason?: string, by = 'First Desk') =>
  runReports(app.engines, { verb, number, reason, by });
const opens = async ({ slug }: { slug: string }, browser?: Browser) => {
  const { pictures, refusal } = await shared.viewerApi.tap(slug, {}, browser);
  return refusal?.reason ?? pictures.length;
};

describe('a complete report of an intimate picture', () => {
  it('hides its link and the albums in it at once: no lease, no renewal, no key, by any link', async () => {
    const [link, other] = [await shared.makeLink(), await shared.makeLink()];
    const browser = newBrowser();
    const { head } = await shared.viewerApi.tap(link.slug, {}, browser);
    const mediaId = shared.photos[0]?.mediaId;
    const lease = () => shared.viewerApi.lease(head.visitId, [{ mediaId, rendition: 'p2048' }], browser);
    const renew = () => app.call('viewing.renew', { visitId: head.visitId, samples: [], idleMs: 0 }, browser);
    expect([(await lease()).pictures.length, (await renew()).status]).toEqual([1, 200]);

    expect((await send(addressOf(link), {}, browser)).status).toBe(200);

    const leased = await lease();
    expect([leased.status, leased.refusal?.reason, leased.pictures]).toEqual([410, 'TAKEN_DOWN', []]);
    const renewed = await renew();
    expect([renewed.status, renewed.body.data.reason]).toEqual([410, 'TAKEN_DOWN']);
    expect(JSON.stringify(renewed.body)).not.toContain('keys');
    expect(await opens(link, browser)).toBe('TAKEN_DOWN');
    expect(await opens(other, browser)).toBe('TAKEN_DOWN');
    expect(
      (await app.call('viewing.videoKeys', { visitId: head.visitId, mediaId, tracks: [] }, browser)).status,
    ).not.toBe(200);
  });

  it('is stored, acknowledged, mailed to the operator and told to the creator, who is not told by whom', async () => {
    const link = await shared.makeLink();
    const { number } = (await send(addressOf(link))).body;
    expect(await states()).toEqual(['hidden']);
    const [acknowledged] = await emailsTo(reporter);
    expect(acknowledged?.template).toBe('report_number');
    expect(acknowledged?.text).toContain(number);
    expect(acknowledged?.text).not.toMatch(/Ana|second photo|view/);
    const [toOperator] = await emailsTo(operatorEmail);
    for (const typed of ['Ana Example', reporter, addressOf(link), 'never agreed', number])
      expect(toOperator?.text).toContain(typed);
    const [toCreator] = await emailsTo(await creatorEmail());
    expect(toCreator?.template).toBe('content_hidden');
    expect(toCreator?.text).not.toMatch(/Ana|ana@|second photo/);
    await send(addressOf(link), {}, newBrowser());
    expect(await emailsTo(reporter)).toHaveLength(1);
  });

  it('needs no password and no payment of whoever is shown there', async () => {
    const link = await shared.makeLink({ password: 'three calm rivers' });
    await send(addressOf(link));
    expect(await states()).toEqual(['hidden']);
  });

  it('tells open screens at once', async () => {
    const link = await shared.makeLink();
    const received: object[] = [];
    const watch = app.live.watch(
      (event) => received.push(event),
      () => undefined,
    );
    await send(addressOf(link));
    await expect
      .poll(() => received)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'link.changed', linkId: link.id }),
          expect.objectContaining({ kind: 'album.closed', albumId: shared.albumId }),
        ]),
      );
    void watch;
  });

  it.each(['name', 'email', 'target', 'details', 'isInGoodFaith', 'kind'])(
    'without its %s is none: it is refused on that field, and hides nothing',
    async (field) => {
      const link = await shared.makeLink();
      const { status, body } = await send(addressOf(link), { [field]: undefined });
      expect([status, body.data.field]).toEqual([422, field]);
      expect(await states()).toEqual([]);
      expect(await opens(link)).toBe(2);
    },
  );
});

describe('a report hides nothing by itself', () => {
  it('for somebody whom the creator has blocked', async () => {
    const link = await shared.makeLink();
    const browser = newBrowser();
    await shared.viewerApi.tap(link.slug, {}, browser);
    await readRows(app, 'update link_viewers set blocked_at = now() where link_id = $1', [link.id]);
    await send(addressOf(link), {}, browser);
    expect(await states()).toEqual(['received']);
    expect(await opens(link)).toBe(2);
  });

  it('when it is about copyright, a false name or something else; one of a minor hides', async () => {
    const link = await shared.makeLink();
    for (const kind of ['copyright', 'impersonation', 'other']) await send(addressOf(link), { kind });
    expect(await states()).toEqual(['received', 'received', 'received']);
    expect(await opens(link)).toBe(2);
    await send(addressOf(link), { kind: 'minor' });
    expect(await opens(link)).toBe('TAKEN_DOWN');
  });

  it('when it names no link of ours, and the answer does not tell', async () => {
    const link = await shared.makeLink();
    const answers = [await send(addressOf(link)), await send('/view/NobodysSlug12'), await send('the photo of me')];
    expect(answers.map(({ status, body }) => [status, Object.keys(body)])).toEqual(
      answers.map(() => [200, ['number']]),
    );
    expect((await states()).sort()).toEqual(['hidden', 'received', 'received']);
  });

  it('more than three times a day from one network, which may report five times an hour', async () => {
    const browser = newBrowser();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      // Everything is open again: what is counted is who hides.
      await openTakenDown(app);
      statuses.push((await send(addressOf(await shared.makeLink()), {}, browser)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await states()).sort()).toEqual(['hidden', 'hidden', 'hidden', 'received', 'received']);
  });

  it('from a network whose reports turned out false twice', async () => {
    const browser = newBrowser();
    for (let n = 0; n < 2; n++) {
      const { number } = (await send(addressOf(await shared.makeLink()), {}, browser)).body;
      await order('reject', number, 'It shows nobody.');
    }
    const link = await shared.makeLink();
    await send(addressOf(link), {}, browser);
    expect(await opens(link)).toBe(2);
    await send(addressOf(link));
    expect(await opens(link)).toBe('TAKEN_DOWN');
  });
});

describe('the operator', () => {
  it('lists what waits, the most urgent first, and sees what is overdue', async () => {
    expect(await order()).toBe('No reports are waiting for a decision.');
    const link = await shared.makeLink();
    const late = (await send('about a page', { kind: 'other' })).body.number;
    const urgent = (await send(addressOf(link))).body.number;
    const listed = (await order()).split('\n');
    expect(listed[0]).toContain(`${urgent}  decide by 2026-11-23 12:00  intimate, hidden`);
    expect(listed[1]).toContain(`${late}  decide by`);
    app.setNow('2026-11-23T12:00:01Z');
    expect((await order()).split('\n')[0]).toContain('OVERDUE');
    expect(await order('show', urgent)).toContain('The second photo shows me');
    expect(await order('show', urgent)).toContain(`Ana Example <${reporter}>`);
  });

  it('removes: it stays closed, and both sides hear why', async () => {
    const link = await shared.makeLink();
    const { number } = (await send(addressOf(link))).body;
    await expect(order('remove', number)).rejects.toThrow('Say why');
    await order('remove', number, 'No consent.');
    expect(await opens(link)).toBe('TAKEN_DOWN');
    expect((await emailsTo(reporter)).map(({ template }) => template)).toContain('report_decided');
    const reported = (await emailsTo(await creatorEmail())).find(({ template }) => template === 'content_removed');
    expect(reported?.text).toContain('No consent.');
    expect(reported?.text).toContain('you can appeal until Dec 5, 2026');
    await expect(order('reject', number, 'x')).rejects.toThrow(`Report ${number} is decided: removed.`);
  });

  it('rejects: it is open again, unless another report keeps it closed', async () => {
    const link = await shared.makeLink();
    const first = (await send(addressOf(link))).body.number;
    const seen = newBrowser();
    await openTakenDown(app);
    await shared.viewerApi.tap(link.slug, {}, seen);
    const second = (await send(addressOf(link), {}, seen)).body.number;
    await order('reject', first, 'It shows nobody.');
    expect(await opens(link)).toBe('TAKEN_DOWN');
    expect(await order('reject', second, 'It shows nobody.')).toContain('open again');
    expect(await opens(link)).toBe(2);
    expect((await emailsTo(await creatorEmail())).map(({ template }) => template)).toContain('content_restored');
  });

  it('hides by hand what a report could not', async () => {
    const link = await shared.makeLink();
    const { number } = (await send(addressOf(link), { kind: 'copyright' })).body;
    expect(await order('hide', number)).toContain('are hidden until it is decided');
    expect(await opens(link)).toBe('TAKEN_DOWN');
    const { number: vague } = (await send('somewhere here')).body;
    await expect(order('hide', vague)).rejects.toThrow('names no link');
    await expect(order('burn', vague)).rejects.toThrow('Use `reports`');
    await expect(order('show', '12345678')).rejects.toThrow('There is no report 12345678.');
  });
});

it('a report is forgotten two years after it was decided, and what it removed stays closed', async () => {
  const link = await shared.makeLink();
  const { number } = (await send(addressOf(link))).body;
  await order('remove', number, 'No consent.');
  app.setNow('2028-11-20T12:00:00Z');
  await forgetOldReports(app.engines);
  expect(await states()).toEqual(['removed']);
  app.setNow('2028-11-20T12:00:01Z');
  await forgetOldReports(app.engines);
  expect(await states()).toEqual([]);
  expect(
    await readRows(app, 'select 1 from magic_links where id = $1 and taken_down_at is not null', [link.id]),
  ).toHaveLength(1);
});
