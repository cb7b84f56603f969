import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertErrorLog } from '#features/audit/store.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { seedPhoto } from '#tests/support/media/pictures.ts';
import { advance, makeAdministrator, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
let adminId: string;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-23T12:00:00Z');
  shared = await shareAlbum(app);
  const admin = await signUpCreator(app, { email: 'admin@example.com' });
  await makeAdministrator(app, admin);
  adminId = admin.userId;
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const table of ['error_logs', 'support_requests', 'reports', 'mail_outbox', 'rate_limits'])
    await readRows(app, `delete from ${table}`);
  desk = await signInQuickly(app, adminId);
});

const now = () => new Date(app.engines.clock());
const audited = (action: string) =>
  readRows(app, 'select actor_type, actor_id from audit_log where action = $1 order by id', [action]);
const byAdmin = () => ({ actor_type: 'admin', actor_id: adminId });

describe('today', () => {
  it('counts this week against the one before, and what waits', async () => {
    await readRows(app, 'update users set created_at = $1', [new Date(app.engines.clock() - 8 * dayMs)]);
    await app.call('support.send', {
      name: 'Ben',
      email: 'ben@example.com',
      subject: 'Hello',
      message: 'It never came.',
    });
    const today = await must(app, 'adminOperations.today', {}, desk);
    expect(today).toMatchObject({
      signUps: { now: 0, before: 2 },
      trialAccounts: 2,
      money: { salesCents: { now: 0, before: 0 }, payingAccounts: 0, waiting: { heldPayouts: 0 } },
    });
    expect(today.waiting).toMatchObject({ support: 1, reports: 0, jobs: 0, errors: 0 });
  });

  it('tells what money came only to those who have to do with it', async () => {
    for (const [scope, hasMoney] of [
      ['support', false],
      ['moderation', false],
      ['finance', true],
    ] as const) {
      const other = await signUpCreator(app);
      await makeAdministrator(app, other, [scope]);
      const { money } = await must(app, 'adminOperations.today', {}, other.browser);
      expect(money !== null, scope).toBe(hasMoney);
    }
  });
});

describe('the error log', () => {
  it('is grouped by what errors say, and found by the id of a request', async () => {
    const entry = { component: 'albums.list', message: 'it broke', requestId: 'req-1' };
    await app.engines.database.work({ kind: 'system' }, async (tx) => {
      for (const requestId of ['req-1', 'req-2']) await insertErrorLog(tx, { ...entry, requestId }, now());
      await insertErrorLog(tx, { ...entry, message: 'long ago' }, new Date(app.engines.clock() - 2 * dayMs));
    });
    const { groups } = await must(app, 'adminOperations.errors', { days: 1 }, desk);
    expect(groups).toMatchObject([{ component: 'albums.list', message: 'it broke', count: 2 }]);
    expect((await must(app, 'adminOperations.errors', { days: 7 }, desk)).groups).toHaveLength(2);
    const { entries } = await must(app, 'adminOperations.findErrors', { id: 'req-2' }, desk);
    expect(entries).toMatchObject([{ message: 'it broke', requestId: 'req-2' }]);
    expect((await must(app, 'adminOperations.findErrors', { id: entries[0].id }, desk)).entries).toHaveLength(1);
    expect((await must(app, 'adminOperations.findErrors', { id: 'nothing' }, desk)).entries).toEqual([]);
  });
});

describe('failed media', () => {
  it('are listed with whose they are and why, and made ready once more', async () => {
    const { mediaId } = await seedPhoto(app, shared.creator.userId, { side: 64 });
    await readRows(app, `update media set state = 'failed', fail_code = 'CORRUPT' where id = $1`, [mediaId]);
    const { media } = await must(app, 'adminOperations.failedMedia', {}, desk);
    expect(media).toMatchObject([{ id: mediaId, creatorId: shared.creator.userId, code: 'CORRUPT', kind: 'photo' }]);
    await must(app, 'adminOperations.retryMedium', { mediaId }, desk);
    expect(await readRows(app, 'select state from media where id = $1', [mediaId])).toEqual([{ state: 'uploaded' }]);
    expect((await app.call('adminOperations.retryMedium', { mediaId }, desk)).status).toBe(409);
    expect(await audited('media.retried')).toEqual([byAdmin()]);
  });

  it('that are held back for review are not put back by it', async () => {
    const { mediaId } = await seedPhoto(app, shared.creator.userId, { side: 64 });
    await readRows(app, `update media set state = 'failed', fail_code = 'HASH_MATCH' where id = $1`, [mediaId]);
    expect((await app.call('adminOperations.retryMedium', { mediaId }, desk)).status).toBe(409);
  });
});

describe('jobs', () => {
  it('stand in one list, and one that was laid aside runs again', async () => {
    const { queues, failed } = await must(app, 'adminFunctions.queues', {}, desk);
    expect(queues.map(({ queue }: { queue: string }) => queue)).toContain('notices.sendLetter');
    expect(failed).toEqual([]);
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      app.engines.jobs.send(tx, 'photo.process', { mediaId: 'x' }),
    );
    await readRows(
      app,
      `update pgboss.job set state = 'failed', completed_on = now(), output = '{"message":"it broke"}' where name = 'photo.process' and state = 'created'`,
    );
    const [laidAside] = (await must(app, 'adminFunctions.queues', {}, desk)).failed;
    expect(laidAside).toMatchObject({ queue: 'photo.process', error: 'it broke' });
    const { queue, id: jobId } = laidAside;
    await must(app, 'adminFunctions.retryJob', { queue, jobId }, desk);
    const left = (await must(app, 'adminFunctions.queues', {}, desk)).failed;
    expect(left.map(({ id }: { id: string }) => id)).not.toContain(jobId);
    for (const wrong of [
      { queue, jobId },
      { queue: 'dead', jobId },
      { queue: 'nothing', jobId },
    ])
      expect((await app.call('adminFunctions.retryJob', wrong, desk)).status).toBe(404);
    expect(await audited('job.retried')).toEqual([byAdmin()]);
  });
});

describe('support on the desk', () => {
  const request = { name: 'Ben', email: 'ben@example.com', subject: 'No code', message: 'It never came to me.' };

  it('is opened by a look, answered by an email that quotes it, and closed', async () => {
    const { number } = await must(app, 'support.send', request, newBrowser());
    expect((await must(app, 'adminSupport.waiting', {}, desk)).cases).toMatchObject([{ number, status: 'pending' }]);
    expect(await must(app, 'adminSupport.show', { number }, desk)).toMatchObject({
      status: 'open',
      message: request.message,
      answers: [],
    });
    await readRows(app, 'delete from mail_outbox');
    const answered = await must(
      app,
      'adminSupport.answer',
      { number, text: 'We sent\na new one.', answersSeen: 0, repliesSeen: 0 },
      desk,
    );
    expect(answered).toMatchObject({ status: 'answered', answers: [{ text: 'We sent\na new one.' }] });
    const again = { number, text: 'And once more.', answersSeen: 0, repliesSeen: 0 };
    expect((await app.call('adminSupport.answer', again, desk)).status).toBe(409);
    const [email] = await readRows<{ recipient: string; body_text: string }>(
      app,
      'select recipient, body_text from mail_outbox',
    );
    expect(email?.recipient).toBe(request.email);
    for (const part of [number, request.subject, 'a new one.']) expect(email?.body_text).toContain(part);
    expect((await must(app, 'adminSupport.close', { number, repliesSeen: 0 }, desk)).status).toBe('closed');
    expect((await must(app, 'adminSupport.waiting', {}, desk)).cases).toEqual([]);
    expect((await audited('support.changed')).length).toBe(3);
    expect((await app.call('adminSupport.show', { number: '12345678' }, desk)).status).toBe(404);
  });

  it('shows what else came from the same address', async () => {
    const { number } = await must(app, 'support.send', request, newBrowser());
    const { number: other } = await must(app, 'support.send', { ...request, subject: 'Another' }, newBrowser());
    const { others } = await must(app, 'adminSupport.show', { number }, desk);
    expect(others).toMatchObject([{ number: other, subject: 'Another' }]);
  });
});

describe('reports on the desk', () => {
  const report = async (slug: string, kind = 'other') =>
    (
      await must(
        app,
        'reports.send',
        {
          kind,
          target: slug,
          details: 'The second photo breaks your rules.',
          onBehalf: 'self',
          name: 'Ana Example',
          email: 'ana@example.com',
          isInGoodFaith: true,
        },
        newBrowser(),
      )
    ).number as string;

  it('are hidden, removed with a reason, appealed, and decided by somebody else', async () => {
    const link = await shared.makeLink({}, { linkName: 'For Ben' });
    const number = await report(link.slug);
    expect((await must(app, 'adminReports.waiting', {}, desk)).cases).toMatchObject([
      { number, what: 'report', isHidden: false },
    ]);
    expect(await must(app, 'adminReports.hide', { number }, desk)).toMatchObject({ state: 'hidden' });
    expect((await app.call('adminReports.hide', { number }, desk)).status).toBe(409);
    const removed = await must(app, 'adminReports.decide', { number, isRemoved: true, reason: 'It does.' }, desk);
    expect(removed).toMatchObject({ state: 'removed', reason: 'It does.', isOwnDecision: true });
    expect((await app.call('adminReports.decide', { number, isRemoved: false, reason: 'No.' }, desk)).status).toBe(409);
    const text = 'It is my own picture, and it breaks nothing.';
    const creator = await signInQuickly(app, shared.creator.userId);
    await must(app, 'reports.respond', { number, kind: 'appeal', text }, creator);
    expect((await must(app, 'adminReports.waiting', {}, desk)).cases).toMatchObject([{ number, what: 'appeal' }]);
    const restore = { number, outcome: 'restored', reason: 'It was a mistake.' };
    expect((await app.call('adminReports.decideAppeal', restore, desk)).status).toBe(403);
    const other = await signUpCreator(app, { email: 'other-admin@example.com' });
    await makeAdministrator(app, other);
    expect(await must(app, 'adminReports.decideAppeal', restore, await signInQuickly(app, other.userId))).toMatchObject(
      {
        state: 'rejected',
        answers: [{ outcome: 'restored' }],
      },
    );
    expect(await audited('report.removed')).toEqual([byAdmin()]);
    expect((await audited('report.hidden'))[0]).toEqual(byAdmin());
    expect(await audited('report.restored')).toEqual([{ actor_type: 'admin', actor_id: other.userId }]);
  });

  it('are for moderators', async () => {
    await readRows(app, `update user_roles set scopes = '{support}' where user_id = $1`, [adminId]);
    expect((await app.call('adminReports.waiting', {}, desk)).status).toBe(403);
    await readRows(app, `update user_roles set scopes = '{moderation}' where user_id = $1`, [adminId]);
    expect((await app.call('adminReports.waiting', {}, desk)).status).toBe(200);
    expect((await app.call('adminSupport.waiting', {}, desk)).status).toBe(403);
    await readRows(app, `update user_roles set scopes = '{owner}' where user_id = $1`, [adminId]);
  });
});

it('an administrator’s session ends after twelve hours, also on the desk', async () => {
  advance(app, 12 * hourMs);
  expect((await app.call('adminOperations.today', {}, desk)).status).toBe(401);
});
