import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Runner } from '#engines/database/work.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import {
  findSettingFault,
  isAllowed,
  isSettingKey,
  parseSetting,
  type SettingKey,
  settingRules,
  settingsFrom,
} from './rules.ts';
import { settingsOf } from './settings.ts';
import { readSettings, writeSetting } from './store.ts';

const system: Runner = { kind: 'system' };
const now = new Date('2026-11-21T12:00:00Z');
let clockMs = now.getTime();
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
const settings = () => settingsOf({ database, clock: () => clockMs });
const write = <Key extends SettingKey>(key: Key, value: Parameters<typeof writeSetting<Key>>[1]['value']) =>
  database.work(system, (tx) => writeSetting(tx, { key, value, by: null, now }));

describe('rules of the settings', () => {
  it('have defaults that they allow, and a sentence', () => {
    for (const [key, rule] of Object.entries(settingRules)) {
      expect(isAllowed(key as SettingKey, rule.default), key).toBe(true);
      expect(rule.about, key).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('take what is in bounds and nothing else', () => {
    expect(isAllowed('plan.priceCents', 399)).toBe(true);
    for (const value of [-1, 99_901, 3.5, '399', null, undefined, Number.NaN, [399]])
      expect(isAllowed('plan.priceCents', value)).toBe(false);
    expect(isAllowed('youtube_video_url', 'https://youtu.be/abcdefghijk')).toBe(true);
    expect(isAllowed('youtube_video_url', 'x'.repeat(501))).toBe(false);
  });

  it.each([
    ['PF DIGITAL', true],
    ['5 Bar', true],
    ['Club (24/7) & Co. Ltd.', true],
    ['BARS', false],
    ['X'.repeat(22), true],
    ['X'.repeat(23), false],
    ['12345', false],
    ['Café Club', false],
    ['Клуб Клуб', false],
    [' QUIET', false],
    ['QUIET ', false],
    ['QUIET\nSHOP', false],
    ...['<', '>', '\\', "'", '"', '*'].map((sign) => [`QUIET${sign}SHOP`, false] as const),
  ] as const)('take the statement descriptor %j as Stripe does: %s', (text, isTaken) => {
    expect(isAllowed('money.statementDescriptor', text)).toBe(isTaken);
    const fault = findSettingFault(settingsFrom(new Map()), 'money.statementDescriptor', text);
    if (isTaken) expect(fault).toBeUndefined();
    else
      expect(fault).toMatch(
        /^money\.statementDescriptor takes 5 to 22 Latin characters, at least one of them a letter/,
      );
  });

  it('fall back to the default where something strange is stored', () => {
    const stored = new Map<string, unknown>([
      ['limits.albums', 7],
      ['limits.links', 'many'],
      ['unheard.of', 1],
    ]);
    const found = settingsFrom(stored);
    expect([found['limits.albums'], found['limits.links']]).toEqual([7, 2000]);
    expect(Object.keys(found)).toEqual(Object.keys(settingRules));
    expect(isSettingKey('limits.albums') && !isSettingKey('toString') && !isSettingKey('unheard.of')).toBe(true);
  });
});

describe('settings that must fit each other', () => {
  const usual = settingsFrom(new Map());

  it('are refused with a sentence when they do not: keys that end before a screen renews them', () => {
    expect(findSettingFault(usual, 'viewing.renewSeconds', 25)).toBeUndefined();
    expect(findSettingFault(usual, 'viewing.renewSeconds', 26)).toMatch(/^viewing.leaseSeconds must be at least/);
    expect(findSettingFault(usual, 'viewing.leaseSeconds', 19)).toMatch(/lose their keys before they renew them/);
    expect(findSettingFault(usual, 'limits.albums', 26)).toBeUndefined();
  });

  it('fall back to their defaults together where they are stored all the same', () => {
    const found = settingsFrom(
      new Map<string, unknown>([
        ['viewing.renewSeconds', 60],
        ['limits.albums', 7],
      ]),
    );
    expect([found['viewing.leaseSeconds'], found['viewing.renewSeconds'], found['limits.albums']]).toEqual([30, 15, 7]);
    const fitting = settingsFrom(
      new Map<string, unknown>([
        ['viewing.renewSeconds', 60],
        ['viewing.leaseSeconds', 65],
      ]),
    );
    expect([fitting['viewing.leaseSeconds'], fitting['viewing.renewSeconds']]).toEqual([65, 60]);
  });

  it('say what they take when a value is none of theirs', () => {
    expect(findSettingFault(usual, 'limits.albums', 0)).toBe('limits.albums takes a whole number from 1 to 10000.');
    expect(findSettingFault(usual, 'limits.albums', parseSetting('limits.albums', '1e3'))).toMatch(/whole number/);
    expect(findSettingFault(usual, 'youtube_video_url', 'x'.repeat(501))).toMatch(/up to 500 characters/);
  });
});

describe('settings in force', () => {
  it('are the defaults until somebody changes one, and then in force at once', async () => {
    expect((await settings())['limits.albums']).toBe(200);
    await write('limits.albums', 3);
    await expect.poll(async () => (await settings())['limits.albums']).toBe(3);
    await write('limits.albums', 4);
    expect((await database.work(system, readSettings))['limits.albums']).toBe(4);
    await expect.poll(async () => (await settings())['limits.albums']).toBe(4);
    await write('youtube_video_url', 'https://youtu.be/"quotes"');
    await expect.poll(async () => (await settings()).youtube_video_url).toBe('https://youtu.be/"quotes"');
  });

  it('cost nothing while they are fresh', async () => {
    await settings();
    const before = database.statementCount();
    for (let n = 0; n < 100; n++) await settings();
    expect(database.statementCount()).toBe(before);
  });

  it('are read again after 30 s, also when nobody told', async () => {
    await settings();
    const silently = `update app_settings set value = '9' where key = 'limits.albums'`;
    await database.work(system, (tx) => tx.client.query(silently));
    expect((await settings())['limits.albums']).toBe(4);
    clockMs += 30_000;
    expect((await settings())['limits.albums']).toBe(9);
  });

  it('are the same for many who ask at once, by one question', async () => {
    clockMs += 30_000;
    const before = database.statementCount();
    await Promise.all(Array.from({ length: 20 }, settings));
    expect(database.statementCount() - before).toBe(3);
  });

  it("are no business of a creator's own connection", async () => {
    const creator: Runner = { kind: 'user', userId: '0196f0c2-7b1c-7e2a-8f00-0123456789ab' };
    expect((await database.work(creator, readSettings))['limits.albums']).toBe(9);
    await expect(
      database.work(creator, ({ db }) => db.selectFrom('app_settings').selectAll().execute()),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
