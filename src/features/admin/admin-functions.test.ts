import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CallFigures, openCallFigures } from '#app/figures/call-figures.ts';
import { listProbes } from '#app/health/probes.ts';
import { createServer } from '#app/server/server.ts';
import { DatabaseAway } from '#engines/database/away.ts';
import { makeAdministrator, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runJobs } from './commands.ts';
import { neverPaused, queueWords } from './functions/queue-rules.ts';
import type { FunctionRow, QueueRow } from './functions-contract.ts';

/** A busy machine refuses nothing here. */
const patience = { loopMs: 0, poolMs: 0 };
let app: TestApp;
let adminId: string;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  const admin = await signUpCreator(app, { email: 'admin@example.com' });
  await makeAdministrator(app, admin);
  adminId = admin.userId;
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const table of ['paused_queues', 'call_figures', 'rate_limits']) await readRows(app, `delete from ${table}`);
  desk = await signInQuickly(app, adminId);
});

const queueOf = async (name: string): Promise<QueueRow> =>
  (await must(app, 'adminFunctions.queues', {}, desk)).queues.find(({ queue }: QueueRow) => queue === name);
const functionOf = async (name: string): Promise<FunctionRow> =>
  (await must(app, 'adminFunctions.list', {}, desk)).functions.find((row: FunctionRow) => row.name === name);
const lastAudited = async (action: string) =>
  (
    await readRows(app, 'select actor_type, details from audit_log where action = $1 order by id desc limit 1', [
      action,
    ])
  )[0];
const isWaiting = async (queue: string) =>
  (await readRows(app, `select from pgboss.job where name = $1 and state = 'created'`, [queue])).length;

it('every queue is explained, and of each that is never paused it is said why', async () => {
  const { queues } = await must(app, 'adminFunctions.queues', {}, desk);
  const names = queues.map(({ queue }: QueueRow) => queue);
  expect(Object.keys(queueWords).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(neverPaused).filter((name) => !names.includes(name))).toEqual([]);
  expect(await queueOf('privacy.erase')).toMatchObject({
    neverPaused: 'It erases what must not be kept.',
    cron: '*/10 * * * *',
  });
});

it('a job that comes by itself is run now, once at a time, and that is written down', async () => {
  await must(app, 'adminFunctions.run', { queue: 'support.forget' }, desk);
  expect(await isWaiting('support.forget')).toBe(1);
  expect((await app.call('adminFunctions.run', { queue: 'support.forget' }, desk)).status).toBe(409);
  expect((await app.call('adminFunctions.run', { queue: 'photo.process' }, desk)).status).toBe(404);
  expect(await lastAudited('job.triggered')).toEqual({ actor_type: 'admin', details: { queue: 'support.forget' } });
});

it('a queue is paused and resumed, shown with who and since when, and makes its part amber', async () => {
  await must(app, 'adminFunctions.pause', { queue: 'insights.fold' }, desk);
  expect(await queueOf('insights.fold')).toMatchObject({ paused: { by: 'admin@example.com' }, nextAt: null });
  expect((await app.call('adminFunctions.pause', { queue: 'insights.fold' }, desk)).status).toBe(409);
  expect((await app.call('adminFunctions.run', { queue: 'insights.fold' }, desk)).status).toBe(409);
  await readRows(app, `insert into worker_beats values (gen_random_uuid(), now(), clock_timestamp())`);
  const look = async () =>
    listProbes(app.engines)
      .find(({ part }) => part === 'queue')
      ?.look();
  expect(await look()).toMatchObject({ light: 'amber', finding: expect.stringContaining('Paused: insights.fold.') });
  await must(app, 'adminFunctions.resume', { queue: 'insights.fold' }, desk);
  expect(await look()).toMatchObject({ light: 'green' });
  expect((await app.call('adminFunctions.resume', { queue: 'insights.fold' }, desk)).status).toBe(409);
  for (const action of ['queue.paused', 'queue.resumed'])
    expect(await lastAudited(action)).toEqual({ actor_type: 'admin', details: { queue: 'insights.fold' } });
});

it('what ends access, erases, refunds or pays is never paused', async () => {
  for (const queue of Object.keys(neverPaused)) {
    const { status, body } = await app.call('adminFunctions.pause', { queue }, desk);
    expect([queue, status]).toEqual([queue, 409]);
    expect(body.message).toMatch(/^It is never paused\. /);
  }
  expect(await readRows(app, 'select from paused_queues')).toEqual([]);
});

it('whoever does support looks, and neither runs, pauses nor resumes', async () => {
  const helper = await signUpCreator(app, { email: 'helper@example.com' });
  await makeAdministrator(app, helper);
  await readRows(app, `update user_roles set scopes = '{support}' where user_id = $1`, [helper.userId]);
  const browser = await signInQuickly(app, helper.userId);
  expect((await app.call('adminFunctions.queues', {}, browser)).status).toBe(200);
  expect((await app.call('adminFunctions.list', {}, browser)).status).toBe(200);
  for (const act of ['run', 'pause', 'resume'])
    expect((await app.call(`adminFunctions.${act}`, { queue: 'insights.fold' }, browser)).status).toBe(403);
});

it('pf lists queues, and does the same by the same functions', async () => {
  const { engines } = app;
  expect(await runJobs(engines, ['pause', 'insights.fold'])).toMatch(/^insights\.fold is paused/);
  expect(await runJobs(engines, [])).toMatch(/insights\.fold .*PAUSED since /);
  expect((await queueOf('insights.fold')).paused?.by).toBe(null);
  expect(await lastAudited('queue.paused')).toEqual({ actor_type: 'system', details: { queue: 'insights.fold' } });
  await runJobs(engines, ['resume', 'insights.fold']);
  await expect(runJobs(engines, ['pause', 'privacy.erase'])).rejects.toThrow('It erases what must not be kept.');
  await expect(runJobs(engines, ['stop', 'privacy.erase'])).rejects.toThrow('Say list');
  await runJobs(engines, ['run', 'reports.remind']);
  expect(await isWaiting('reports.remind')).toBe(1);
});

it('calls of procedures and routes are counted by all processes together, and nothing of what was said', async () => {
  const [first, second] = [openCallFigures(app.engines), openCallFigures(app.engines)];
  const openServer = (calls: CallFigures) =>
    createServer(app.engines, app.live, { trustedProxies: undefined, patience, calls });
  const [one, other] = [await openServer(first), await openServer(second)];
  const headers = { 'x-csrf-token': 'orpc', 'content-type': 'application/json' };
  const list = (server: FastifyInstance) =>
    server.inject({ method: 'POST', url: '/rpc/links/list', headers, payload: '{"json":{"cursor":"secret"}}' });
  for (const server of [one, one, other]) await list(server);
  await one.inject('/api/v1/links?cursor=secret');
  await one.inject('/healthz');
  await one.inject('/nothing/at/all');
  second.note('procedure', 'links.list', 4000, true);
  for (const server of [one, other]) await server.close();
  await first.flush();
  await second.flush();
  const { hour, day } = await functionOf('links.list');
  expect([hour, day]).toMatchObject([
    { calls: 5, errors: 1 },
    { calls: 5, errors: 1 },
  ]);
  expect(hour.p95Ms).toBeGreaterThanOrEqual(4000);
  expect(hour.p50Ms).toBeLessThan(4000);
  expect(JSON.stringify(await readRows(app, 'select * from call_figures'))).not.toContain('secret');
  expect(await functionOf('GET /healthz')).toMatchObject({ kind: 'route', who: ['anybody'], day: { calls: 1 } });
  const pause = { scopes: ['owner'], address: 'POST /api/v1/admin/queues/pause', day: { calls: 0, p50Ms: null } };
  expect(await functionOf('adminFunctions.pause')).toMatchObject(pause);
  app.setNow('2026-11-22T14:00:00Z');
  first.note('job', 'photo.process', 5, false);
  await first.flush();
  expect(await readRows(app, 'select name from call_figures')).toEqual([{ name: 'photo.process' }]);
});

it('a figure that cannot be written fails nothing, and a fault of ours is counted as an error', async () => {
  const { engines } = app;
  const work = () => Promise.reject(new DatabaseAway('gone'));
  const away = { ...engines, database: { ...engines.database, work } };
  const calls = openCallFigures(away);
  const written = openCallFigures(engines);
  const server = await createServer(away, app.live, {
    trustedProxies: undefined,
    patience,
    calls: {
      note(...call) {
        calls.note(...call);
        written.note(...call);
      },
    },
  });
  const answer = await server.inject('/api/v1/facts');
  expect(answer.statusCode).toBe(503);
  await calls.flush();
  await written.flush();
  await server.close();
  expect(await readRows(app, 'select calls, errors from call_figures')).toEqual([{ calls: 1, errors: 1 }]);
});
