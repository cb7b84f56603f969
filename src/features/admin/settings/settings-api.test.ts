import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settingRules } from '#features/settings/rules.ts';
import { makeAdministrator, must, type Person, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { changeSetting } from '../change-setting.ts';
import type { ListedSetting } from '../settings-contract.ts';

let app: TestApp;
let admin: Person;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2027-01-04T12:00:00Z');
  admin = await signUpCreator(app, { email: 'admin@example.com' });
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, 'delete from app_settings');
  desk = await signInQuickly(app, admin.userId);
});

const change = (order: object) => app.call('adminSettings.change', order, desk);
const settingOf = async (key: string): Promise<ListedSetting> => {
  const { settings } = await must(app, 'adminSettings.list', {}, desk);
  return settings.find((one: ListedSetting) => one.key === key);
};
const audited = () =>
  readRows(
    app,
    `select actor_type, actor_id, details from audit_log where action = 'setting.changed' order by id desc limit 1`,
  );

describe('an owner', () => {
  it('reads every setting, and who changed it last', async () => {
    const { settings } = await must(app, 'adminSettings.list', {}, desk);
    expect(settings.map(({ key }: ListedSetting) => key)).toEqual(Object.keys(settingRules));
    expect(await settingOf('limits.albums')).toEqual({ key: 'limits.albums', value: 200, changed: null });
    expect((await change({ key: 'limits.albums', value: 7, seen: 200 })).body).toEqual({ value: 7 });
    const at = new Date(app.engines.clock()).toISOString();
    expect(await settingOf('limits.albums')).toEqual({
      key: 'limits.albums',
      value: 7,
      changed: { at, by: 'administrator', email: 'admin@example.com' },
    });
    expect(await audited()).toEqual([
      { actor_type: 'admin', actor_id: admin.userId, details: { key: 'limits.albums', before: 200, value: 7 } },
    ]);
  });

  it('puts one back to its default, and that stays known as well', async () => {
    await change({ key: 'limits.albums', value: 7, seen: 200 });
    expect((await change({ key: 'limits.albums', value: null, seen: 7 })).body).toEqual({ value: 200 });
    expect(await settingOf('limits.albums')).toMatchObject({ value: 200, changed: { email: 'admin@example.com' } });
  });

  it('is refused in a sentence what the setting does not take, and nothing changes', async () => {
    for (const [order, words] of [
      [{ key: 'limits.albums', value: 0, seen: 200 }, 'takes a whole number from 1 to 10000'],
      [{ key: 'limits.albums', value: 'many', seen: 200 }, 'takes a whole number'],
      [{ key: 'operations.nightlyCheck', value: 2, seen: 1 }, 'takes 1 for on or 0 for off'],
      [{ key: 'viewing.renewSeconds', value: 60, seen: 15 }, 'viewing.leaseSeconds must be at least'],
      [{ key: 'toString', value: 1, seen: 1 }, 'There is no such setting'],
    ] as const) {
      const { status, body } = await change(order);
      expect([status, body.message], JSON.stringify(order)).toEqual([422, expect.stringContaining(words)]);
    }
    expect(await readRows(app, 'select key from app_settings')).toEqual([]);
  });

  it('never saves over a value that they have not seen', async () => {
    await change({ key: 'plan.priceCents', value: 499, seen: 399 });
    const { status, body } = await change({ key: 'plan.priceCents', value: 599, seen: 399 });
    expect([status, body.message]).toEqual([409, expect.stringContaining('changed this setting meanwhile')]);
    expect((await settingOf('plan.priceCents')).value).toBe(499);
  });

  it('may replace what was typed in a shell with line breaks', async () => {
    await readRows(
      app,
      `insert into app_settings (key, value, updated_at) values ('legal.hotlines', to_jsonb(E' A\nB '::text), now())
       on conflict (key) do update set value = excluded.value`,
    );
    app.setNow(new Date(app.engines.clock() + 31_000).toISOString());
    const { value } = await settingOf('legal.hotlines');
    expect((await change({ key: 'legal.hotlines', value: 'C', seen: value })).status).toBe(200);
  });

  it('waits for whoever saves at the same time, and has not seen what they save', async () => {
    const order = { key: 'limits.albums', value: 1, seen: 200 } as const;
    const second = await app.engines.database.work({ kind: 'system' }, async (tx) => {
      await changeSetting(tx, { actor: { type: 'system' }, now: new Date(app.engines.clock()) }, order);
      const asked = change({ ...order, value: 2 });
      await wait(300);
      return { asked };
    });
    expect((await second.asked).status).toBe(409);
    expect((await settingOf('limits.albums')).value).toBe(1);
  });
});

it('nobody but an owner reads or changes a setting', async () => {
  await readRows(app, `update user_roles set scopes = '{support,moderation}'`);
  expect((await app.call('adminSettings.list', {}, desk)).status).toBe(403);
  expect((await change({ key: 'limits.albums', value: 7, seen: 200 })).status).toBe(403);
  await readRows(app, `update user_roles set scopes = '{owner}'`);
});
