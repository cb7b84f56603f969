import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { changeSetting, describeSettings } from './settings-command.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const trialDays = async () => (await app.call('accounts.me')).body.plan.trialDays;
const changes = () =>
  readRows(app, `select actor_type, details from audit_log where action = 'setting.changed' order by at`);

it('a setting that an operator changes is in force on the next request, and the change is written down', async () => {
  expect(await trialDays()).toBe(7);
  expect(await changeSetting(app.engines, 'plan.trialDays', '14')).toBe('plan.trialDays = 14 (was 7)');
  await expect.poll(trialDays).toBe(14);
  expect(await changes()).toEqual([{ actor_type: 'system', details: { key: 'plan.trialDays', before: 7, value: 14 } }]);
  const reported = await describeSettings(app.engines);
  expect(reported).toContain('* plan.trialDays = 14\n    default 7 · 1–90 · Length of the free trial, in days.');
  expect(reported).toContain('  limits.albums = 200\n');
  expect(await changeSetting(app.engines, 'plan.trialDays', 'default')).toBe('plan.trialDays = 7 (was 14)');
  expect(await changeSetting(app.engines, 'operations.nightlyCheck', 'off')).toBe(
    'operations.nightlyCheck = 0 (was 1)',
  );
});

it('the slug of a link stays out of the log', async () => {
  await changeSetting(app.engines, 'marketing.demoLinkSlug', 'a-secret-slug');
  expect((await changes()).at(-1)).toEqual({ actor_type: 'system', details: { key: 'marketing.demoLinkSlug' } });
});

it('what is no setting, no value of its kind or does not fit the rest is refused and changes nothing', async () => {
  const before = (await changes()).length;
  for (const [key, value, words] of [
    ['plan.trial', '3', 'There is no setting "plan.trial"'],
    ['plan.trialDays', undefined, 'Give a value'],
    ['plan.trialDays', '-3', 'takes a whole number from 1 to 90'],
    ['viewing.renewSeconds', '60', 'viewing.leaseSeconds must be at least'],
  ] as const)
    await expect(changeSetting(app.engines, key, value)).rejects.toThrow(words);
  expect((await changes()).length).toBe(before);
});
