import { afterAll, beforeAll, expect, it } from 'vitest';
import { runUsers } from '#features/accounts/commands.ts';
import { insertErrorLog } from '#features/audit/store.ts';
import { runMails } from '#features/notices/commands.ts';
import { suppressAddress } from '#features/notices/suppressions/suppressions-store.ts';
import { dayMs, minuteMs } from '#kit/time.ts';
import { type Person, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runButtons, runErrors, runFind, runLogLevel, runVitals } from './desk-commands.ts';

let app: TestApp;
let mia: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-23T12:00:00Z');
  mia = await signUpCreator(app, { email: 'mia@example.com' });
});
afterAll(() => app.close());

const system = { kind: 'system' } as const;
const bySystem = (action: string) =>
  readRows(app, 'select target_id from audit_log where action = $1 and actor_type = $2', [action, 'system']);

it('people are found by their address, and nobody by words that are nobody’s', async () => {
  expect(await runFind(app.engines, ['mia@example.com'])).toMatch(new RegExp(`^${mia.userId} {2}mia@example.com `));
  expect(await runFind(app.engines, ['nobody', 'at', 'all'])).toBe('Nobody is found by that.');
  for (const words of [[], ['@'], ['x'.repeat(255)]])
    await expect(runFind(app.engines, words)).rejects.toThrow('Say who');
});

it('errors are grouped by days, and a request’s id leads to its own', async () => {
  expect(await runErrors(app.engines, [])).toBe('No errors.');
  const now = new Date(app.engines.clock());
  const error = { component: 'server', message: 'It broke\u001b[2J', severity: 'error', requestId: 'req-7' } as const;
  await app.engines.database.work(system, (tx) => insertErrorLog(tx, error, now));
  await app.engines.database.work(system, (tx) => insertErrorLog(tx, error, new Date(now.getTime() - 2 * dayMs)));
  expect(await runErrors(app.engines, [])).toMatch(/^ {5}1 {2}error {5}server: It broke·\[2J .*req-7\)$/);
  expect(await runErrors(app.engines, ['3'])).toMatch(/^ {5}2 {2}error/);
  expect((await runErrors(app.engines, ['req-7'])).match(/server: It broke/g)).toHaveLength(2);
  expect(await runErrors(app.engines, ['req-8'])).toBe('Nothing stands in the log under that id.');
  for (const days of ['0', '31', '100'])
    await expect(runErrors(app.engines, [days])).rejects.toThrow('Say 1 to 30 days');
});

it('pages are told with how fast they were', async () => {
  expect(await runVitals(app.engines, [])).toBe('Nothing was measured.');
  await readRows(
    app,
    `insert into performance_metrics (id, user_id, metric, value, rating, metric_id, navigation_type, url, measured_at, created_at)
     values (gen_random_uuid(), $1, 'LCP', 2400.4, 'good', 'v1', 'navigate', '/links', $2, $2)`,
    [mia.userId, new Date(app.engines.clock())],
  );
  expect(await runVitals(app.engines, ['7'])).toBe('/links  LCP  p75 2400 ms  100% good, 0% poor of 1 sample');
  for (const days of ['0', '31', 'week']) await expect(runVitals(app.engines, [days])).rejects.toThrow('Say 1 to 30');
});

it('details are written by the processes that run, for a while', async () => {
  const events: unknown[] = [];
  const listening = await app.engines.database.listen(
    (event) => void events.push(event),
    () => undefined,
  );
  const until = app.engines.clock() + 15 * minuteMs;
  expect(await runLogLevel(app.engines, ['debug'])).toBe(
    `Every process that runs writes details until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
  );
  await runLogLevel(app.engines, ['usual']);
  await expect.poll(() => events).toHaveLength(2);
  expect(events).toEqual([
    { kind: 'log.level', logsDebugUntilMs: until },
    { kind: 'log.level', logsDebugUntilMs: 0 },
  ]);
  for (const words of [[], ['info']]) await expect(runLogLevel(app.engines, words)).rejects.toThrow('Say debug');
  await listening.close();
  expect(await bySystem('log_level.raised')).toHaveLength(1);
});

it('what people press is listed, whole or by a word', async () => {
  const all = (await runButtons(app.engines, [])).split('\n');
  expect(all.length).toBeGreaterThan(500);
  expect(all.at(-1)).toMatch(/^\d+ controls, \d+ untested, 0 dead, 0 failing$/);
  const unblocking = (await runButtons(app.engines, ['access.unblock'])).split('\n');
  expect(unblocking[0]).toMatch(/^access\/pages\/blocked-page#button:Unblock .*access\.unblock: 0 calls in 30 days/);
  expect(await runButtons(app.engines, ['dead'])).toBe(all.at(-1));
  const untested = (await runButtons(app.engines, ['untested'])).split('\n');
  expect(untested.slice(0, -1).every((line) => line.endsWith('untested'))).toBe(true);
  expect(all.at(-1)).toContain(`${untested.length - 1} untested`);
});

it('somebody is signed out everywhere, and gets notices again, by whoever has a shell', async () => {
  const phone = await signInQuickly(app, mia.userId);
  const known = `insert into known_browsers (secret_hash, user_id, first_at, last_at) values ('\\x01', $1, now(), now())`;
  await readRows(app, known, [mia.userId]);
  expect((await app.call('albums.list', {}, phone)).status).toBe(200);
  expect(await runUsers(app.engines, { verb: 'sign-out', email: 'Mia@example.com' })).toContain(
    'signed out everywhere',
  );
  expect((await app.call('albums.list', {}, phone)).status).toBe(401);
  expect(await bySystem('sessions.ended')).toEqual([{ target_id: mia.userId }]);
  expect(await readRows(app, 'select user_id from known_browsers where user_id = $1', [mia.userId])).toEqual([]);

  const lift = () => runMails(app.engines, ['lift', mia.email]);
  await expect(lift()).rejects.toThrow('Nothing holds notices back');
  await app.engines.database.work(system, (tx) =>
    suppressAddress(tx, app.engines.keys, {
      address: mia.email,
      reason: 'bounced',
      now: new Date(app.engines.clock()),
    }),
  );
  expect(await lift()).toBe('Notices go to mia@example.com again.');
  expect(
    JSON.stringify(await readRows(app, `select * from audit_log where action = 'suppression.lifted'`)),
  ).not.toContain('mia@');
  await app.engines.database.work(system, (tx) =>
    suppressAddress(tx, app.engines.keys, {
      address: mia.email,
      reason: 'unsubscribed',
      now: new Date(app.engines.clock()),
    }),
  );
  await expect(lift()).rejects.toThrow('unsubscribed');
  await expect(runMails(app.engines, ['lift', 'no address'])).rejects.toThrow('is no email address');
});
