import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SettingKey, type SettingRule, settingRules } from './rules.ts';
import { describeBounds, describeSetting, formatSetting, groupOf, isPrice, readSettingValue } from './values.ts';

const rules = Object.entries(settingRules) as [SettingKey, SettingRule][];

describe('a setting as an operator reads it', () => {
  it.each([
    ['limits.storageBytes', 20_000_000_000, '20 GB'],
    ['limits.chunkBytes', 8_388_608, '8 MiB'],
    ['limits.photoBytes', 1_000_001, '1,000,001 bytes'],
    ['plan.priceCents', 399, '$3.99'],
    ['money.commissionPercent', 10, '10%'],
    ['plan.trialDays', 1, '1 day'],
    ['credits.trace', 5, '5 credits'],
    ['limits.albums', 10_000, '10,000'],
    ['operations.nightlyCheck', 0, 'Off'],
    ['operations.nightlyCheck', 1, 'On'],
    ['youtube_video_url', '', 'Empty'],
  ] as const)('%s of %j reads %s', (key, value, words) => {
    expect(formatSetting(key, value)).toBe(words);
  });

  it('is read back as it was, whatever its value', () => {
    for (const [key, rule] of rules) {
      if (rule.kind === 'text') continue;
      const [min, max] = rule.kind === 'switch' ? [0, 1] : [rule.min, rule.max];
      fc.assert(
        fc.property(fc.integer({ min, max }), (value) => readSettingValue(key, formatSetting(key, value)) === value),
        { numRuns: 50 },
      );
    }
  });

  it('has a sentence without the unit of storage, and bounds in the one that is shown', () => {
    expect(describeSetting('limits.photoBytes')).toBe('Maximum size of a photo.');
    expect(describeBounds('limits.photoBytes')).toBe('Between 1 MB and 500 MB.');
    expect(describeBounds('plan.priceCents')).toBe('Between $0.00 and $999.00.');
    for (const [key] of rules) expect(describeSetting(key), key).not.toMatch(/in (bytes|cents)|1 for yes/);
  });
});

describe('what an operator types', () => {
  it.each([
    ['plan.priceCents', '4.99', 499],
    ['plan.priceCents', '$4.99', 499],
    ['plan.priceCents', ' 1,234.5 ', 123_450],
    ['plan.priceCents', '4.999', undefined],
    ['plan.priceCents', '4.99 GB', undefined],
    ['plan.priceCents', '-1', undefined],
    ['plan.priceCents', '', undefined],
    ['plan.priceCents', '.', undefined],
    ['limits.storageBytes', '1.5 GB', 1_500_000_000],
    ['limits.storageBytes', '2tb', 2_000_000_000_000],
    ['limits.storageBytes', '5 days', undefined],
    ['limits.chunkBytes', '5 MiB', 5_242_880],
    ['money.commissionPercent', '12%', 12],
    ['money.commissionPercent', '12.5', undefined],
    ['plan.trialDays', '14 days', 14],
    ['plan.trialDays', '14 hours', undefined],
    ['limits.albums', `1${'0'.repeat(50)}`, undefined],
    ['operations.nightlyCheck', 'on', 1],
    ['operations.nightlyCheck', '1', undefined],
    ['legal.hotlines', ' As typed ', ' As typed '],
  ] as const)('for %s as %j is %j', (key, typed, value) => {
    expect(readSettingValue(key, typed)).toBe(value);
  });
});

it('every setting has a group; amounts, shares and credits are prices, and sizes and days are none', () => {
  expect(groupOf('limits.albums')).toBe('limits');
  expect(groupOf('youtube_video_url')).toBe('marketing');
  const prices = (['plan.priceCents', 'money.commissionPercent', 'credits.trace'] as const).map(isPrice);
  const others = (['plan.trialDays', 'credits.storageBytes', 'operations.nightlyCheck'] as const).map(isPrice);
  expect([prices, others]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
});
