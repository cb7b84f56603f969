import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LiveEvent } from '#engines/database/work.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const received: LiveEvent[] = [];
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app);
  app.live.watch(
    (event) => received.push(event),
    () => undefined,
  );
});
afterAll(() => app.close());
beforeEach(() => app.setNow('2026-11-21T12:00:00Z'));

interface Look {
  id: string;
  slug: string;
  browser: Browser;
  visitId: string;
}
const openLink = async (link: { id: string; slug: string }, browser = newBrowser()): Promise<Look> => ({
  ...link,
  browser,
  visitId: (await shared.viewerApi.tap(link.slug, {}, browser)).head.visitId,
});
const look = async (answer: string, threshold = 1) =>
  openLink(await shared.makeLink({ autoResponse: { do: answer, threshold } }));
const report = ({ visitId, browser }: Look, type = 'copy_attempt', count = 1) =>
  app.call('viewing.reportEvents', { visitId, events: [{ type, count }] }, browser);
const renew = ({ visitId, browser }: Look) => app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser);
const studio = (procedure: string, input: object) => must(app, procedure, input, shared.creator.browser);
const eventsOf = async ({ id }: Look) => (await studio('security.list', { linkId: id })).events;
const actedOn = async (visit: Look) =>
  (await eventsOf(visit)).filter((event: { action: object | null }) => event.action);
const audits = async (action: string, id: string) =>
  (await readRows(app, 'select 1 from audit_log where action = $1 and target_id = $2', [action, id])).length;
const closedWords = {
  reason: 'CLOSED',
  title: 'This view was closed',
  text: 'Keys that copy were pressed here. The creator can open it again for you.',
};

describe('a link without a rule', () => {
  it('does nothing by itself, however often keys are pressed', async () => {
    const visit = await openLink(await shared.makeLink());
    expect((await report(visit, 'screenshot_attempt', 100)).body).toEqual({});
    expect((await renew(visit)).status).toBe(200);
    expect(await actedOn(visit)).toEqual([]);
  });
});

describe('a rule that warns', () => {
  it('tells the viewer with the report that reaches its number, and begins to count again', async () => {
    const visit = await look('warn', 3);
    expect((await report(visit, 'copy_attempt', 2)).body).toEqual({});
    advance(app, 1000);
    expect((await report(visit, 'save_attempt')).body).toEqual({ warning: expect.stringContaining('marked') });
    advance(app, 1000);
    expect((await report(visit, 'copy_attempt', 2)).body).toEqual({});
    advance(app, 1000);
    expect((await report(visit, 'copy_attempt')).body).toHaveProperty('warning');
    expect((await renew(visit)).status).toBe(200);
    expect((await actedOn(visit)).map(({ action }: { action: object }) => action)).toMatchObject([
      { kind: 'warned', isAutomatic: true },
      { kind: 'warned', isAutomatic: true },
    ]);
  });
  it('counts neither what matters less, nor what is older than ten minutes, nor what others did', async () => {
    const visit = await look('warn', 2);
    const other = await openLink(visit);
    await report(visit);
    await report(visit, 'context_menu_attempt', 50);
    await report(other);
    for (const ms of [300_000, 300_000]) {
      advance(app, ms);
      await renew(visit);
    }
    expect((await report(visit)).body).toEqual({});
    expect(await actedOn(visit)).toEqual([]);
  });
});

describe('a rule that closes screens', () => {
  it("ends this viewer's screens with honest words, and keeps them out with neutral ones; nobody else's", async () => {
    const visit = await look('close', 2);
    const other = await openLink(visit);
    await report(visit);
    received.length = 0;
    const { status, body } = await report(visit, 'devtools_attempt');
    expect([status, body.data]).toMatchObject([410, closedWords]);
    await expect
      .poll(() => received.filter(({ kind }) => kind === 'visit.closed').map(({ visitId }) => visitId))
      .toContain(visit.visitId);
    expect((await renew(visit)).body.data).toMatchObject(closedWords);
    const items = [{ mediaId: shared.photos[0]?.mediaId, rendition: 'p2048' }];
    expect((await shared.viewerApi.lease(visit.visitId, items, visit.browser)).status).toBe(410);
    const [again, nobodys] = await Promise.all(
      [visit.slug, 'nobody-has-this-one'].map((slug) => shared.viewerApi.open(slug, {}, visit.browser)),
    );
    expect([again?.status, again?.text]).toEqual([nobodys?.status, nobodys?.text]);
    expect(again?.refusal?.reason).toBe('NOT_FOUND');
    expect((await renew(other)).status).toBe(200);
    expect(await actedOn(visit)).toMatchObject([{ action: { kind: 'closed', isAutomatic: true }, canUndo: true }]);
  });
  it('does it once when reports come at the same moment', async () => {
    const visit = await look('close', 2);
    const answers = await Promise.all([1, 2, 3, 4].map(() => report(visit, 'save_attempt')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.data?.title === closedWords.title)).toHaveLength(3);
    expect(await actedOn(visit)).toHaveLength(1);
    const [{ viewer_id: viewer } = {}] = await readRows(app, 'select viewer_id from link_viewers where link_id = $1', [
      visit.id,
    ]);
    expect(await audits('viewer.closedOut', String(viewer))).toBe(1);
  });
  it('is undone by the creator, once: the same browser gets in again, and counts from again', async () => {
    const visit = await look('close', 2);
    await report(visit, 'copy_attempt', 2);
    const [event] = await actedOn(visit);
    const undone = await Promise.all(
      [1, 2].map(() => studio('security.undo', { eventId: event.id, action: 'closed' })),
    );
    for (const one of undone) expect(one).toMatchObject({ action: { kind: 'closed', isUndone: true }, canUndo: false });
    advance(app, 1000);
    const back = await openLink(visit, visit.browser);
    expect((await report(back)).status).toBe(200);
    advance(app, 1000);
    expect((await report(back)).status).toBe(410);
  });
  it('stands among who is blocked, with the link, and is taken back from there for this link alone', async () => {
    const [visit, other] = [await look('close'), await look('close')];
    await report(visit);
    const elsewhere = await openLink(other, visit.browser);
    const blocked = async () =>
      (await must(app, 'access.blocked', {}, shared.creator.browser)).viewers.filter(
        ({ link }: { link: { id: string } | null }) => link?.id === visit.id || link?.id === other.id,
      );
    await report(elsewhere);
    const closed = await blocked();
    expect(closed).toMatchObject([{ reason: 'rule' }, { reason: 'rule' }]);
    expect(new Set(closed.map(({ viewerId }: { viewerId: string }) => viewerId)).size).toBe(1);
    await studio('access.unblock', { viewerId: closed[0].viewerId, linkId: visit.id });
    const elsewhereId = (await shared.makeLink()).id;
    const unknown = { viewerId: closed[0].viewerId, linkId: elsewhereId };
    expect((await app.call('access.unblock', unknown, shared.creator.browser)).status).toBe(404);
    expect((await shared.viewerApi.tap(visit.slug, {}, visit.browser)).head.visitId).toEqual(expect.any(String));
    expect((await shared.viewerApi.tap(other.slug, {}, visit.browser)).refusal?.reason).toBe('NOT_FOUND');
    expect(await blocked()).toMatchObject([{ link: { id: other.id } }]);
    // Without a link it is everything.
    await studio('access.unblock', { viewerId: closed[0].viewerId });
    expect(await blocked()).toEqual([]);
  });
  it('ends what this viewer pays for there', async () => {
    const visit = await look('close');
    await report(visit);
    const [row] = await readRows(app, 'select blocked_at from link_viewers where link_id = $1', [visit.id]);
    expect(row?.blocked_at).toEqual(new Date('2026-11-21T12:00:00Z'));
  });
});

describe('a rule that revokes the link', () => {
  it('revokes it once, whoever reports at the same time, and is undone within a day', async () => {
    const visit = await look('revoke', 2);
    const other = await openLink(visit);
    const answers = await Promise.all([visit, other, visit, other].map((one) => report(one, 'copy_attempt', 2)));
    expect(answers.map(({ status, body }) => [status, body.data.reason])).toEqual(answers.map(() => [410, 'REVOKED']));
    const [row] = await readRows(app, 'select revoked_reason, undo_until from magic_links where id = $1', [visit.id]);
    expect(row).toEqual({ revoked_reason: 'auto_security', undo_until: new Date('2026-11-22T12:00:00Z') });
    expect(await audits('link.revoked', visit.id)).toBe(1);
    const [event, ...others] = await actedOn(visit);
    expect([others, event]).toMatchObject([[], { action: { kind: 'revoked', isAutomatic: true }, canUndo: true }]);
    await studio('security.undo', { eventId: event.id, action: 'revoked' });
    expect((await openLink(visit, visit.browser)).visitId).toEqual(expect.any(String));
  });
  it('cannot be undone later than that', async () => {
    const visit = await look('revoke');
    await report(visit);
    const [event] = await actedOn(visit);
    advance(app, 86_400_000);
    const { status } = await app.call(
      'security.undo',
      { eventId: event.id, action: 'revoked' },
      shared.creator.browser,
    );
    expect(status).toBe(410);
    expect(await actedOn(visit)).toMatchObject([{ canUndo: false, action: { isUndone: false } }]);
  });
});
