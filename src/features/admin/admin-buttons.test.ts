import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { makeAdministrator, must, type Person, readRows, signUpCreator } from '../../../tests/support/people.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { ControlRow } from './buttons-contract.ts';
import { addFigures, forgetFigures } from './figures-store.ts';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await openTestApp();
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());

/** What is pressed in the page that is asked about here. */
const denying = { kind: 'button', name: 'Deny request' } as const;
const listControls = async (): Promise<ControlRow[]> =>
  (await must(app, 'adminButtons.list', {}, admin.browser)).controls;
const failing = async () => (await listControls()).filter(({ errors }) => errors > 0).map(({ id }) => id);

it('a page that fails just after a control was pressed makes that control a failing one, for a day', async () => {
  expect(await failing()).toEqual([]);
  const report = { component: 'page', message: 'TypeError: x is undefined', url: '/access-requests', pressed: denying };
  expect((await app.call('support.logError', report)).status).toBe(200);
  expect(await readRows(app, 'select component from error_logs')).toEqual([{ component: 'button “Deny request”' }]);
  expect(await failing()).toEqual(['access/pages/deny-dialog#button:Deny request']);
  await app.call('support.logError', { ...report, url: '/pricing' });
  expect(
    (await listControls()).find(({ id }) => id.endsWith('Deny request'))?.errors,
    'on a page where it does not stand',
  ).toBe(1);
});

it('a name that is none of ours is not kept: it may be of a person', async () => {
  const report = { component: 'page', message: 'TypeError: y is undefined' };
  for (const name of ['Actions for Noor', '…', 'Unblock / Let back in', 'x'.repeat(80)])
    await app.call('support.logError', { ...report, pressed: { kind: 'button', name } });
  expect(await readRows(app, `select distinct component from error_logs where error_message like '%y is%'`)).toEqual([
    { component: 'page' },
  ]);
  expect(
    (await app.call('support.logError', { ...report, pressed: { ...denying, name: 'x'.repeat(81) } })).status,
  ).toBe(422);
});

it('a control has passed when all that it calls has, in a full check that is over; its calls are those of 30 days', async () => {
  const find = async () =>
    (await listControls()).find(({ id }) => id === 'access/pages/blocked-page#button:Unblock / Let back in');
  const before = await find();
  expect(before).toMatchObject({ procedures: ['access.unblock'], calls: 0, failedCalls: 0, passedAt: null });
  const run = `insert into full_checks (id, started_at, ended_at, result, passed_calls) values ($1, $2, $3, $4, $5)`;
  const [first, second] = ['2026-07-01T10:00:00Z', '2026-07-02T10:00:00Z'];
  await readRows(app, run, [newId(0), first, first, 'green', ['access.unblock', 'albums.list']]);
  await readRows(app, run, [newId(1), second, second, 'red', ['albums.list']]);
  expect((await find())?.passedAt).toBe(new Date(first).toISOString());

  const { engines } = app;
  const note = (daysAgo: number, calls: number, errors: number) =>
    engines.database.work({ kind: 'system' }, (tx) =>
      addFigures(tx, new Date(engines.clock() - daysAgo * dayMs), [
        { kind: 'procedure', name: 'access.unblock', calls, errors, buckets: [calls] },
      ]),
    );
  await note(30, 100, 50);
  await note(29, 4, 1);
  await note(29, 4, 0);
  await note(2, 2, 0);
  expect(await find()).toMatchObject({ calls: 10, failedCalls: 1 });
  await engines.database.work({ kind: 'system' }, (tx) =>
    forgetFigures(tx, { slots: new Date(engines.clock()), days: new Date(engines.clock() - 10 * dayMs) }),
  );
  expect(await find()).toMatchObject({ calls: 2, failedCalls: 0 });
});
