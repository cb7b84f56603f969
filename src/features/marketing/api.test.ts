import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeSetting } from '#features/settings/store.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

it('the demo link is offered to visitors as soon as there is one, and not before', async () => {
  expect((await app.call('marketing.demoLink')).body).toEqual({ url: null });
  const setting = { key: 'marketing.demoLinkSlug', value: 'look-at-me-abcdefghij', by: null, now: new Date() } as const;
  await app.engines.database.work({ kind: 'system' }, (tx) => writeSetting(tx, setting));
  await expect
    .poll(async () => (await app.call('marketing.demoLink')).body)
    .toEqual({ url: 'http://localhost:3000/view/look-at-me-abcdefghij' });
});

it('who runs the place is what the installation was told', async () => {
  const numbers = { leaseSeconds: 30, trialDays: 7, sessionDays: 30 };
  expect((await app.call('marketing.operator')).body).toEqual({
    name: null,
    email: null,
    isSandbox: true,
    assistantHost: null,
    ...numbers,
  });
  Object.assign(app.engines.installation, { operatorName: 'Example Studio', operatorEmail: 'hello@example.com' });
  expect((await app.call('marketing.operator')).body).toMatchObject({
    name: 'Example Studio',
    email: 'hello@example.com',
  });
});

it('the numbers of the legal pages are those of the settings in force', async () => {
  const { database } = app.engines;
  await database.work({ kind: 'system' }, (tx) =>
    writeSetting(tx, { key: 'viewing.leaseSeconds', value: 45, by: null, now: new Date(app.engines.clock()) }),
  );
  await expect.poll(async () => (await app.call('marketing.operator')).body.leaseSeconds).toBe(45);
});
