import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { keepFaults } from './keep-faults.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const listKept = () =>
  readRows(app, 'select component, error_message, request_id, error_stack from error_logs order by created_at');

it('keeps what a call met under the id that its caller is shown, without addresses, and no more than a few a minute', async () => {
  const error = vi.fn();
  const { log } = keepFaults({ ...app.engines, log: { ...app.engines.log, error } });
  log.error({ requestId: 'req-1', err: new Error('no row for mia@example.com') }, 'a bug');
  await expect.poll(listKept).toHaveLength(1);
  const [kept] = await listKept();
  expect(kept).toMatchObject({ component: 'server', request_id: 'req-1' });
  expect(JSON.stringify(kept)).not.toContain('mia@example.com');
  log.error({ area: 'jobs', err: new Error('of a job') }, 'a job failed');
  log.error({ requestId: 'req-2' }, 'without an error');
  for (let n = 0; n < 60; n++) log.error({ requestId: `more-${n}`, err: new Error('again') }, 'a bug');
  await expect.poll(async () => (await listKept()).length).toBe(30);
  expect(error).toHaveBeenCalledTimes(63);
  app.setNow(new Date(app.engines.clock() + 60_000).toISOString());
  log.error({ requestId: 'req-3', err: new Error('a minute later') }, 'a bug');
  await expect.poll(async () => (await listKept()).length).toBe(31);
});
