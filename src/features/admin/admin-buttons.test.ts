import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAdministrator, must, type Person, readRows, signUpCreator } from '../../../tests/support/people.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { ControlRow } from './buttons-contract.ts';

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
