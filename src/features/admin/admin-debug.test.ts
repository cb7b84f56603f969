import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '#kit/time.ts';
import { makeAdministrator, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runLogLevel } from './desk-commands.ts';

let app: TestApp;
let adminId: string;
let desk: Browser;
const details: object[] = [];
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.log.debug = (about) => void details.push(about);
  app.setNow('2026-11-23T12:00:00Z');
  const admin = await signUpCreator(app, { email: 'admin@example.com' });
  await makeAdministrator(app, admin);
  adminId = admin.userId;
});
afterAll(() => app.close());
beforeEach(async () => {
  desk = await signInQuickly(app, adminId);
});

describe('how fast pages are', () => {
  const measure = (metric: string, value: number, rating: string, daysAgo = 0) =>
    readRows(
      app,
      `insert into performance_metrics (id, user_id, metric, value, rating, metric_id, navigation_type, url, measured_at, created_at)
       values (gen_random_uuid(), $1, $2, $3, $4, 'v1', 'navigate', '/albums/:id', $5, $5)`,
      [adminId, metric, value, rating, new Date(app.engines.clock() - daysAgo * dayMs)],
    );

  it('is told by page and metric: what three in four stayed below, and how many were good or poor', async () => {
    for (const [value, rating] of [
      [1000, 'good'],
      [2000, 'good'],
      [3000, 'needs-improvement'],
      [5000, 'poor'],
      [4000, 'needs-improvement'],
    ] as const)
      await measure('LCP', value, rating);
    await measure('CLS', 0.5, 'poor');
    await measure('CLS', 0.1, 'good', 3);
    const { vitals } = await must(app, 'adminDebug.vitals', { days: 1 }, desk);
    expect(vitals).toEqual([
      { page: '/albums/:id', metric: 'LCP', samples: 5, p75: 4000, good: 2, poor: 1 },
      { page: '/albums/:id', metric: 'CLS', samples: 1, p75: 0.5, good: 0, poor: 1 },
    ]);
    const week = await must(app, 'adminDebug.vitals', { days: 7 }, desk);
    expect(week.vitals[1]).toMatchObject({ metric: 'CLS', samples: 2, good: 1 });
    expect((await app.call('adminDebug.vitals', { days: 31 }, desk)).status).toBe(422);
  });
});

describe('statements', () => {
  it('are told with how often and how long, and never with what was asked for', async () => {
    await app.call('accounts.signIn', { email: 'somebody.secret@example.com', password: 'hunter2hunter2' });
    const { statements, since } = await must(app, 'adminDebug.statements', {}, desk);
    expect(statements.length).toBeLessThanOrEqual(100);
    for (const { calls, totalMs, slowestMs } of statements) {
      expect(calls).toBeGreaterThan(0);
      expect(totalMs).toBeGreaterThanOrEqual(slowestMs);
    }
    const totals = statements.map(({ totalMs }: { totalMs: number }) => totalMs);
    expect(totals).toEqual(totals.toSorted((one: number, other: number) => other - one));
    expect(new Date(since).getTime()).toBeLessThanOrEqual(app.engines.clock());
    const names = app.engines.database.statements().map(({ name }) => name);
    expect(names).toContain('commit');
    expect(names.some((name) => /from users\b/.test(name))).toBe(true);
    const said = JSON.stringify(names);
    for (const value of ['somebody.secret', 'admin@example.com', adminId, 'hunter2']) expect(said).not.toContain(value);
  });
});

describe('what a person was answered last', () => {
  it('is found by their id and address, without what they said, and that it was looked at is written down', async () => {
    const mia = await signUpCreator(app, { email: 'mia@example.com' });
    await must(app, 'albums.list', {}, mia.browser);
    await app.call('albums.update', { albumId: adminId, title: 'A secret title' }, mia.browser);
    for (const who of [mia.userId, 'Mia@example.com']) {
      const { account, requests } = await must(app, 'adminDebug.requests', { who }, desk);
      expect(account).toEqual({ id: mia.userId, email: 'mia@example.com' });
      expect(requests.slice(0, 2)).toMatchObject([
        { what: 'albums.update', status: 404 },
        { what: 'albums.list', status: 200 },
      ]);
      expect(Object.keys(requests[0]).toSorted()).toEqual(['at', 'ms', 'requestId', 'status', 'what']);
      expect(JSON.stringify(requests)).not.toMatch(/secret|example\.com|\b10\./);
    }
    const looks = await readRows(app, `select actor_id, target_id from audit_log where action = 'requests.looked_at'`);
    expect(looks).toEqual([{ actor_id: adminId, target_id: mia.userId }]);
  });

  it('is of nobody where no account has that id or address', async () => {
    const nobodys = { account: null, requests: [] };
    for (const who of ['00000000-0000-7000-8000-000000000000', 'mia@example', 'nobody@example.com', 'mia', '12345678'])
      expect(await must(app, 'adminDebug.requests', { who }, desk)).toEqual(nobodys);
  });
});

describe('the log level', () => {
  const audited = () =>
    readRows(app, `select actor_id, action from audit_log where action like 'log_level.%' order by id`);

  it('is raised by an owner for fifteen minutes and goes back by itself, or at once', async () => {
    expect(await must(app, 'adminDebug.logLevel', {}, desk)).toEqual({ level: 'info', usual: 'info', until: null });
    const raised = await must(app, 'adminDebug.raiseLogLevel', {}, desk);
    expect(raised).toMatchObject({ level: 'debug', usual: 'info' });
    expect(new Date(raised.until).getTime()).toBe(app.engines.clock() + 15 * minuteMs);
    app.setNow('2026-11-23T12:15:00Z');
    expect(await must(app, 'adminDebug.logLevel', {}, desk)).toMatchObject({ level: 'info', until: null });
    await must(app, 'adminDebug.raiseLogLevel', {}, desk);
    expect(await must(app, 'adminDebug.restoreLogLevel', {}, desk)).toMatchObject({ level: 'info', until: null });
    const by = { actor_id: adminId };
    expect(await audited()).toEqual([
      { ...by, action: 'log_level.raised' },
      { ...by, action: 'log_level.raised' },
      { ...by, action: 'log_level.restored' },
    ]);
  });

  it('is that of every process that runs when somebody asks, at the command line too', async () => {
    await runLogLevel(app.engines, ['debug']);
    await expect.poll(async () => (await must(app, 'adminDebug.logLevel', {}, desk)).level).toBe('debug');
    await runLogLevel(app.engines, ['usual']);
    await expect.poll(async () => (await must(app, 'adminDebug.logLevel', {}, desk)).level).toBe('info');
  });

  it('has details of each call: which it was, how long it took and why it was refused', async () => {
    details.length = 0;
    await app.call('albums.update', { albumId: adminId, title: 'A secret title' }, desk);
    expect(details).toEqual([
      { requestId: expect.any(String), procedure: 'albums.update', ms: expect.any(Number), refused: 'NOT_FOUND' },
    ]);
  });

  it('and the environment are for owners', async () => {
    const other = await signUpCreator(app);
    await makeAdministrator(app, other, ['support']);
    for (const procedure of ['environment', 'logLevel', 'raiseLogLevel', 'restoreLogLevel'])
      expect((await app.call(`adminDebug.${procedure}`, {}, other.browser)).status, procedure).toBe(403);
    expect((await app.call('adminDebug.statements', {}, other.browser)).status).toBe(200);
  });
});
