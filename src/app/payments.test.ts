import { spawnSync } from 'node:child_process';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { apiVersion } from '#engines/payments/payments.ts';
import { readConfig } from './config.ts';
import { openPayments } from './payments.ts';

const warnings: string[] = [];
const log = {
  info: () => undefined,
  warn: (_about: object, text: string) => void warnings.push(text),
  error: () => undefined,
};
/** Returns what an installation with these settings says of its payments. */
function start(environment: Record<string, string>): { place: string; warnings: string[] } {
  warnings.length = 0;
  const config = readConfig({ DATA_DIR: '/nowhere', ...environment });
  const needs = { database: {}, clock: Date.now, linkClock: Date.now, log } as unknown as Parameters<
    typeof openPayments
  >[1];
  return { place: openPayments(config, needs).payments.place, warnings: [...warnings] };
}
const keys = (mode: string) => ({ STRIPE_SECRET_KEY: `sk_${mode}_1`, STRIPE_PUBLISHABLE_KEY: `pk_${mode}_1` });
const live = { PUBLIC_URL: 'https://example.com', SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' };

test('the start says who takes the money, by which version, and who tells of it', () => {
  expect(start({}).place).toBe('payments: sandbox (test payments, no real money)');
  const platform = { ...keys('test'), STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  expect(start(platform)).toEqual({
    place: `payments: stripe test mode, api ${apiVersion}, webhooks platform ✓ connect ✗ v2 ✗`,
    warnings: [],
  });
  const all = {
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
    STRIPE_V2_WEBHOOK_SECRET: 'whsec_3',
  };
  expect(start({ ...live, ...keys('live'), ...all })).toEqual({
    place: `payments: stripe live, api ${apiVersion}, webhooks platform ✓ connect ✓ v2 ✓`,
    warnings: [],
  });
  expect(start({ ...live, ...keys('live') }).warnings).toEqual([
    expect.stringMatching(/^a webhook has no signing secret/),
  ]);
});

test('adult content starts on the sandbox and is warned of', () => {
  expect(start({ CONTENT_POLICY: 'adult' }).warnings).toEqual([
    'CONTENT_POLICY=adult: for trying only; this installation starts neither live nor with keys of Stripe',
  ]);
});

test('the version is that of the installed library', () => {
  expect(apiVersion).toBe(Stripe.API_VERSION);
});

/** A process of its own that loads what a server loads, and then asks the provider for something. */
const loading = `
import { registerHooks } from 'node:module';
let count = 0;
registerHooks({ load: (url, context, next) => { if (url.includes('/node_modules/stripe/')) count++; return next(url, context); } });
await import('#app/run-app.ts');
const { openStripe } = await import('#engines/payments/stripe.ts');
const payments = openStripe({ realm: { provider: 'stripe', livemode: false }, place: '', connect: async () => ({ secretKey: 'sk_test_1', host: { host: '127.0.0.1', port: 9 } }), secrets: async () => ({}), browser: async () => ({ publishableKey: '', scriptUrl: undefined }) });
const before = count;
await payments.balance().catch(() => undefined);
console.log(JSON.stringify([before, count > 0]));
process.exit();
`;

test("the provider's library is loaded when it is first needed, not at the start", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', loading], {
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe('[0,true]\n');
});
