import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advance, must, readRows, signUpCreator } from '#tests/support/people.ts';
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

interface Look {
  id: string;
  slug: string;
  browser: Browser;
  visitId: string;
}
const look = async (): Promise<Look> => {
  const [link, browser] = [await shared.makeLink(), newBrowser()];
  return { ...link, browser, visitId: (await shared.viewerApi.tap(link.slug, {}, browser)).head.visitId };
};
const report = ({ visitId, browser }: Look, types = ['copy_attempt']) =>
  app.call('viewing.reportEvents', { visitId, events: types.map((type) => ({ type, count: 1 })) }, browser);
const renew = async ({ visitId, browser }: Look) =>
  (await app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser)).status;
const studio = (procedure: string, input: object) => must(app, `security.${procedure}`, input, shared.creator.browser);
const listOf = ({ id }: Look, more: object = {}) => studio('list', { linkId: id, ...more });
/** Reports something at a new look. @returns the look and its event as the creator sees it */
async function reported(): Promise<{ visit: Look; eventId: string }> {
  const visit = await look();
  await report(visit);
  const [event] = (await listOf(visit)).events;
  return { visit, eventId: event.id };
}
const audits = async (eventId: string) =>
  (
    await readRows<{ action: string }>(app, 'select action from audit_log where target_id = $1 order by id', [eventId])
  ).map(({ action }) => action);

describe('what a creator does about an event', () => {
  it('ignored, it is as it was, is listed with that, and can be taken up again', async () => {
    const { visit, eventId } = await reported();
    const ignored = await studio('ignore', { eventId });
    expect(ignored).toMatchObject({ action: { kind: 'ignored', isAutomatic: false, isUndone: false }, canUndo: true });
    expect(await studio('ignore', { eventId })).toEqual(ignored);
    expect(await audits(eventId)).toEqual(['security.ignored']);
    expect(await renew(visit)).toBe(200);
    expect(await studio('undo', { eventId, action: 'ignored' })).toMatchObject({ action: null, canUndo: false });
    expect((await listOf(visit)).events).toMatchObject([{ id: eventId, action: null }]);
  });
  it('blocking its viewer ends their screens here and keeps them out everywhere; undone, they are let in again', async () => {
    const { visit, eventId } = await reported();
    const answers = await Promise.all([1, 2].map(() => studio('blockViewer', { eventId })));
    for (const one of answers)
      expect(one).toMatchObject({ action: { kind: 'blocked', isAutomatic: false }, viewer: { isBlocked: true } });
    expect(await audits(eventId)).toEqual(['security.blocked']);
    expect(await renew(visit)).toBe(410);
    const other = await shared.makeLink();
    expect((await shared.viewerApi.tap(other.slug, {}, visit.browser)).refusal?.reason).toBe('NOT_FOUND');
    const undone = await studio('undo', { eventId, action: 'blocked' });
    expect(undone).toMatchObject({ action: { isUndone: true }, viewer: { isBlocked: false }, canUndo: false });
    expect((await shared.viewerApi.tap(other.slug, {}, visit.browser)).head.visitId).toEqual(expect.any(String));
    // Undone, it can be done once more.
    expect(await studio('blockViewer', { eventId })).toMatchObject({ action: { kind: 'blocked', isUndone: false } });
  });
  it('where nobody is known nobody is blocked, and it says so', async () => {
    const link = await shared.makeLink({ geo: { mode: 'allow', countries: ['JP'], whenUnknown: 'deny' } });
    await shared.viewerApi.tap(link.slug);
    const find = async () => (await studio('list', { linkId: link.id })).events[0];
    await expect.poll(find, { timeout: 10_000 }).toMatchObject({ eventType: 'denied_geo', viewer: null });
    const { status, body } = await app.call(
      'security.blockViewer',
      { eventId: (await find()).id },
      shared.creator.browser,
    );
    expect([status, body.data.message ?? body.message]).toEqual([410, 'Nobody is known here who could be blocked.']);
    expect((await find()).action).toBeNull();
  });
  it('revoking its link ends it for all; undone within a day, it opens again', async () => {
    const { visit, eventId } = await reported();
    const revoked = await studio('revokeLink', { eventId });
    expect(revoked).toMatchObject({ action: { kind: 'revoked' }, link: { isRevoked: true }, canUndo: true });
    expect(await studio('revokeLink', { eventId })).toEqual(revoked);
    expect(await renew(visit)).toBe(410);
    const undone = await studio('undo', { eventId, action: 'revoked' });
    expect(undone).toMatchObject({ link: { isRevoked: false }, action: { isUndone: true } });
    expect((await shared.viewerApi.tap(visit.slug, {}, visit.browser)).head.visitId).toEqual(expect.any(String));
  });
  it('more stands in the place of less, less never in the place of more', async () => {
    const { eventId } = await reported();
    await studio('ignore', { eventId });
    expect(await studio('blockViewer', { eventId })).toMatchObject({ action: { kind: 'blocked' } });
    expect(await studio('ignore', { eventId })).toMatchObject({ action: { kind: 'blocked' } });
  });
  it.each([
    ['blockViewer', 'revokeLink'],
    ['revokeLink', 'blockViewer'],
  ])('after %s and %s each is taken back by itself, and the other one stands', async (first, second) => {
    const kinds = { blockViewer: 'blocked', revokeLink: 'revoked' } as Record<string, string>;
    const { eventId } = await reported();
    await studio(first, { eventId });
    const both = await studio(second, { eventId });
    expect(both).toMatchObject({
      viewer: { isBlocked: true },
      link: { isRevoked: true },
      action: { kind: kinds[second] },
    });
    expect(await audits(eventId)).toEqual([`security.${kinds[first]}`, `security.${kinds[second]}`]);
    const isStill = { viewer: { isBlocked: first === 'blockViewer' }, link: { isRevoked: first === 'revokeLink' } };
    const standing = { ...isStill, action: { kind: kinds[first], isUndone: false }, canUndo: true };
    const undoings = await Promise.all([1, 2].map(() => studio('undo', { eventId, action: kinds[second] })));
    for (const one of undoings) expect(one).toMatchObject(standing);
    const neither = {
      viewer: { isBlocked: false },
      link: { isRevoked: false },
      action: { isUndone: true },
      canUndo: false,
    };
    expect(await studio('undo', { eventId, action: kinds[first] })).toMatchObject(neither);
  });
  it('what was done first is taken back while what followed stands', async () => {
    const { eventId } = await reported();
    await studio('blockViewer', { eventId });
    await studio('revokeLink', { eventId });
    const unblocked = await studio('undo', { eventId, action: 'blocked' });
    expect(unblocked).toMatchObject({
      viewer: { isBlocked: false },
      link: { isRevoked: true },
      action: { kind: 'revoked' },
    });
    const back = await studio('undo', { eventId, action: 'revoked' });
    expect(back).toMatchObject({ link: { isRevoked: false }, action: { kind: 'revoked', isUndone: true } });
  });
  it("is nobody else's: another creator finds no event and changes nothing", async () => {
    const { visit, eventId } = await reported();
    const eve = await signUpCreator(app);
    for (const procedure of ['ignore', 'blockViewer', 'revokeLink', 'undo'])
      expect([
        procedure,
        (await app.call(`security.${procedure}`, { eventId, action: 'blocked' }, eve.browser)).status,
      ]).toEqual([procedure, 404]);
    expect([await renew(visit), (await listOf(visit)).events[0].action]).toEqual([200, null]);
  });
});

describe('the viewer of an event', () => {
  it('has one name everywhere, and among the viewers the highest risk that nothing was done about', async () => {
    const [{ id, slug }, browser] = [await shared.makeLink({}, { recipientName: 'Bob' }), newBrowser()];
    const { visitId } = (await shared.viewerApi.tap(slug, {}, browser)).head;
    await report({ id, slug, browser, visitId }, ['drag_attempt', 'copy_attempt', 'context_menu_attempt']);
    const { events } = await studio('list', { linkId: id });
    expect(events.map(({ viewer }: { viewer: { name: string } }) => viewer.name)).toEqual(['Bob', 'Bob', 'Bob']);
    const bob = async () => {
      const { viewers } = await must(app, 'insights.viewers', { days: 7 }, shared.creator.browser);
      return viewers.find(({ name }: { name: string }) => name === 'Bob');
    };
    expect((await bob()).risk).toBe('high');
    const [high] = events.filter(({ risk }: { risk: string }) => risk === 'high');
    await studio('ignore', { eventId: high.id });
    expect((await bob()).risk).toBe('medium');
    await studio('blockViewer', { eventId: high.id });
    const { viewers } = await must(app, 'access.blocked', {}, shared.creator.browser);
    expect(viewers.map(({ viewerName }: { viewerName: string }) => viewerName)).toContain('Bob');
    await studio('undo', { eventId: high.id, action: 'blocked' });
  });
});

describe('the list', () => {
  it('is narrowed by risk, goes on where it ended, and counts all that the filter holds', async () => {
    const visit = await look();
    for (const types of [['copy_attempt'], ['context_menu_attempt'], ['save_attempt'], ['drag_attempt']]) {
      await report(visit, types);
      advance(app, 1000);
    }
    const typesOf = ({ events }: { events: { eventType: string }[] }) => events.map(({ eventType }) => eventType);
    const first = await listOf(visit, { limit: 3 });
    expect([typesOf(first), first.total]).toEqual([['drag_attempt', 'save_attempt', 'context_menu_attempt'], 4]);
    const rest = await listOf(visit, { limit: 3, cursor: first.nextCursor });
    expect([typesOf(rest), rest.nextCursor]).toEqual([['copy_attempt'], null]);
    const high = await listOf(visit, { risk: 'high' });
    expect([typesOf(high), high.total]).toEqual([['save_attempt', 'copy_attempt'], 2]);
  });
  it('holds a day of a link in bounds, however many browsers report: the rest is counted and names nobody', async () => {
    const { id, slug } = await shared.makeLink();
    const low = ['tab_switch_attempt', 'drag_attempt', 'text_selection_attempt', 'focus_change', 'window_resize'];
    for (let n = 0; n < 22; n++) {
      const browser = newBrowser();
      const { head } = await shared.viewerApi.tap(slug, {}, browser);
      expect((await report({ id, slug, browser, visitId: head.visitId }, low)).status).toBe(200);
    }
    const rows = await readRows<{ viewer_id: string | null; count: number; is_rest: boolean }>(
      app,
      'select viewer_id, count, is_rest from security_events where magic_link_id = $1',
      [id],
    );
    const rest = rows.filter((row) => row.is_rest);
    expect([rows.length - rest.length, rest.length]).toEqual([100, low.length]);
    expect(rest.map((row) => row.viewer_id)).toEqual(low.map(() => null));
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(22 * low.length);
    // What matters more has its own room.
    const browser = newBrowser();
    const { head } = await shared.viewerApi.tap(slug, {}, browser);
    const visit = { id, slug, browser, visitId: head.visitId };
    await report(visit, ['screenshot_attempt']);
    expect((await listOf(visit, { risk: 'high' })).events).toMatchObject([{ count: 1, isRest: false }]);
  });
});
