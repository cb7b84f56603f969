import { expect, it } from 'vitest';
import { about } from './needed-settings.mjs';
import { showSettings } from './shown-settings.ts';

it('a setting that nobody has listed is masked', () => {
  expect(showSettings({ NEW_TOKEN: 'hush' }, { NEW_TOKEN: 'what it is for' })).toEqual([
    { name: 'NEW_TOKEN', about: 'what it is for', isSet: true, value: null, isMasked: true },
  ]);
});

it('of secrets, and of addresses that may carry one, it is only told whether they are set', () => {
  const values = Object.fromEntries(Object.keys(about).map((name) => [name, `value of ${name}`]));
  const masked = showSettings(values).filter(({ isMasked }) => isMasked);
  expect(masked.map(({ name }) => name)).toEqual([
    'PF_KEYS',
    'PF_SECRET',
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'S3_ENDPOINT',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'SMTP_URL',
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'STRIPE_CONNECT_WEBHOOK_SECRET',
    'STRIPE_V2_WEBHOOK_SECRET',
    'ASSISTANT_URL',
    'ASSISTANT_KEY',
    'MAIL_HOOK_SECRET',
  ]);
  expect(masked.every(({ isSet, value }) => isSet && value === null)).toBe(true);
  expect(JSON.stringify(masked)).not.toContain('value of');
});

it('every other one is told with its value, or that it is not set', () => {
  const [port, host] = showSettings({ PORT: 3000 });
  expect(port).toMatchObject({ name: 'PORT', isSet: true, value: '3000', isMasked: false });
  expect(host).toMatchObject({ name: 'HOST', isSet: false, value: null, isMasked: false });
});
