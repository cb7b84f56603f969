import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { makeAdministrator, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let adminId: string;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
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
