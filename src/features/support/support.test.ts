import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { must, readRows, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runSupport } from './commands.ts';
import { forgetOldSupport } from './jobs.ts';
import { cleanErrorText, redactPage } from './rules.ts';

const operatorEmail = 'operator@example.com';
const system = { kind: 'system' } as const;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setNow('2026-11-21T12:00:00Z');
  await readRows(app, 'delete from support_requests');
  await readRows(app, 'delete from mail_outbox');
  await readRows(app, 'delete from error_logs');
});

const request = (more: object = {}) => ({
  name: 'Mia Example',
  email: 'mia@example.com',
  subject: 'My upload stops',
  message: 'It stops at half of it,\nevery time.',
  ...more,
});
const emails = () => app.engines.database.work(system, (tx) => listEmails(tx, 100));

describe('a support request', () => {
  it('is kept and mailed to the operator; its sender is mailed a number, and nothing that was typed', async () => {
    const sent = await app.call('support.send', request());
    expect(sent.status).toBe(200);
    const { number } = sent.body;
    expect(number).toMatch(/^\d{8}$/);
    expect(await readRows(app, 'select name, email, subject, message, user_id, status from support_requests')).toEqual([
      { ...request(), user_id: null, status: 'pending' },
    ]);
    const reported = await emails();
    const [toOperator] = reported.filter(({ to }) => to === operatorEmail);
    for (const typed of ['Mia Example', 'mia@example.com', 'My upload stops', 'every time.', number])
      expect(toOperator?.text).toContain(typed);
    expect(toOperator?.subject).toBe('Someone wrote to support');
    const toSender = reported.filter(({ to }) => to === 'mia@example.com');
    expect(toSender).toHaveLength(1);
    expect(toSender[0]?.text).toContain(number);
    for (const typed of ['Mia', 'upload', 'half of it', 'mia@'])
      expect(`${toSender[0]?.subject} ${toSender[0]?.text}`).not.toContain(typed);
  });

  it('says its number to an address once an hour at most, also when two come at the same moment', async () => {
    const numbers = async () => (await emails()).filter(({ to }) => to === 'mia@example.com').length;
    await Promise.all([0, 1].map(() => app.call('support.send', request(), newBrowser())));
    expect(await numbers()).toBe(1);
    app.setNow('2026-11-21T12:59:59Z');
    await app.call('support.send', request());
    expect(await numbers()).toBe(1);
    app.setNow('2026-11-21T13:00:00Z');
    await app.call('support.send', request());
    expect(await numbers()).toBe(2);
    expect(await readRows(app, 'select 1 from support_requests')).toHaveLength(4);
  });

  it('is taken five times an hour from one network', async () => {
    const browser = newBrowser();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await app.call('support.send', request(), browser)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await app.call('support.send', request())).status).toBe(200);
    expect(await readRows(app, 'select 1 from support_requests')).toHaveLength(6);
  });

  it.each([
    [{ name: ' ' }, 'name', 'Enter your name'],
    [{ name: 'x'.repeat(81) }, 'name', 'Use at most 80 characters'],
    [{ email: 'mia' }, 'email', 'Please enter a valid email address'],
    [{ subject: '' }, 'subject', 'Enter a subject'],
    [{ subject: 'x'.repeat(121) }, 'subject', 'Use at most 120 characters'],
    [{ message: 'too short' }, 'message', 'Use at least 10 characters'],
    [{ message: 'x'.repeat(4001) }, 'message', 'Use at most 4000 characters'],
  ])('with %j is refused on its field', async (more, field, message) => {
    const { status, body } = await app.call('support.send', request(more));
    expect([status, body.data.field, body.message]).toEqual([422, field, message]);
    expect(await emails()).toEqual([]);
  });

  it('of somebody who is signed in names the account, and goes with it', async () => {
    const { browser, userId } = await signUpCreator(app);
    await app.call('support.send', request(), browser);
    expect(await readRows(app, 'select user_id from support_requests')).toEqual([{ user_id: userId }]);
  });

  it('is listed, shown and closed by the operator, with nothing in it that moves a terminal', async () => {
    const message = 'Look\u001b[2J at\u202e this';
    const { number } = (await app.call('support.send', request({ subject: 'A\u001b]0;x\u0007 B', message }))).body;
    const run = (verb?: string, about = number, text?: string) =>
      runSupport(app.engines, { verb, number: about, text });
    const listed = await run();
    expect(listed).toContain(`${number}  2026-11-21 12:00  pending   A]0;x B`);
    const shown = await run('show');
    expect(shown).toContain('Mia Example <mia@example.com>');
    expect(shown).toContain('Look[2J at· this');
    expect(await run()).toContain('open');
    await readRows(app, 'delete from mail_outbox');
    await expect(run('answer')).rejects.toThrow('Write an answer');
    await expect(run('answered')).rejects.toThrow('Use `support`');
    expect(await run('answer', number, 'Use the new one,\nplease.')).toContain('is mailed to mia@example.com');
    const [email, ...more] = await emails();
    expect([email?.to, more]).toEqual(['mia@example.com', []]);
    for (const line of ['Use the new one,', 'please.']) expect(email?.text).toContain(line);
    expect(await run('show')).toContain('Use the new one,\nplease.');
    await run('show');
    expect(await run()).toContain('answered');
    expect(await run('close')).toBe(`Support request ${number} is closed now.`);
    expect(await run()).toBe('No support requests are waiting.');
    await expect(run('show', '1')).rejects.toThrow('There is no support request 1.');
    await expect(run('constructor')).rejects.toThrow('Use `support`');
  });

  it('is forgotten after a year, and an error after 90 days', async () => {
    await app.call('support.send', request());
    await app.call('support.logError', { component: 'page', message: 'broke' });
    const left = async () => [
      (await readRows(app, 'select 1 from support_requests')).length,
      (await readRows(app, 'select 1 from error_logs')).length,
    ];
    app.setNow('2027-02-19T12:00:00Z');
    await forgetOldSupport(app.engines);
    expect(await left()).toEqual([1, 1]);
    app.setNow('2027-02-19T12:00:01Z');
    await forgetOldSupport(app.engines);
    expect(await left()).toEqual([1, 0]);
    app.setNow('2027-11-21T12:00:01Z');
    await forgetOldSupport(app.engines);
    expect(await left()).toEqual([0, 0]);
  });
});

describe('an error of a page', () => {
  it('is kept with its fields, and with no slug, token, query or address in it', async () => {
    const { browser, userId } = await signUpCreator(app);
    browser.headers = { 'user-agent': 'Firefox' };
    const answer = await app.call(
      'support.logError',
      {
        component: 'album page',
        message: 'TypeError: cannot open /view/AbC123_secret for mia@example.com',
        stack:
          'at f (http://localhost:3000/assets/page-AbC.js:10:20)\nat g (http://localhost:3000/albums/01900000-0000-7000-8000-000000000000?code=123456#x)',
        url: '/view/AbC123_secret?token=t0ken#hash',
        requestId: 'req-1',
      },
      browser,
    );
    expect([answer.status, answer.body]).toEqual([200, { isKept: true }]);
    const [kept] = await readRows(
      app,
      'select user_id, session_id is not null as has_session, component, error_message, error_stack, url, user_agent, severity, request_id from error_logs',
    );
    expect(kept).toEqual({
      user_id: userId,
      has_session: true,
      component: 'album page',
      error_message: 'TypeError: cannot open /view/* for *@*',
      error_stack: 'at f (/assets/page-AbC.js:10:20)\nat g (/albums/*)',
      url: '/view/*',
      user_agent: 'Firefox',
      severity: 'error',
      request_id: 'req-1',
    });
  });

  it('is kept thirty times an hour of one network; the others are taken and forgotten', async () => {
    const browser = newBrowser();
    const kept = [];
    for (let n = 0; n < 32; n++)
      kept.push((await must(app, 'support.logError', { component: 'page', message: `${n}` }, browser)).isKept);
    expect(kept).toEqual(kept.map((_, n) => n < 30));
    expect(await readRows(app, 'select 1 from error_logs')).toHaveLength(30);
  });

  it.each([
    ['https://a.test/view/SLUG123/x?y=1 failed', '/view/*/* failed'],
    ['blob:https://a.test/0190-uuid', '*'],
    ['see wss://a.test/api/live?x=secret', 'see /api/live'],
    ['/@mia_example is gone', '/* is gone'],
    ['nothing to hide: 3/4 of it', 'nothing to hide: 3/4 of it'],
  ])('%j is told as %j', (text, reported) => expect(cleanErrorText(text)).toBe(reported));

  it('happened on a kind of page', () => {
    expect(redactPage('/magic-links/01900000-0000-7000-8000-000000000000?x=1')).toBe('/magic-links/*');
    expect(redactPage('http://[bad')).toBeUndefined();
  });
});
