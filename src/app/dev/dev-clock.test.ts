// Alone: it turns the clock of the whole process.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createServer } from '#app/server/server.ts';
import { goodCard } from '#tests/support/money/selling.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { resumeClock } from './dev-clock.ts';
import { openDevToken } from './dev-token.ts';
import { turnClock, turnedMs } from './turned-clock.ts';

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, now: '2026-01-31T12:00:00Z' });
  const cookie = `pf_dev=${openDevToken(app.engines.installation.dataDir)}`;
  headers = { host: 'localhost:3000', origin: 'http://localhost:3000', cookie };
});
afterAll(() => app.close());
afterEach(async () => {
  await send('seconds=0');
});

const look = async () => (await app.fastify.inject({ url: '/dev/clock', headers })).body;
const send = async (payload: string) => {
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const { statusCode, headers: answered } = await app.fastify.inject({
    method: 'POST',
    url: '/dev/clock',
    payload,
    headers: form,
  });
  expect(statusCode).toBe(303);
  return String(answered.location);
};

test('the buttons move it on from where it is, and the field sets it', async () => {
  await send('seconds=60');
  for (const [move, shown] of [
    ['hour', '2026-01-31 13:01:00 UTC'],
    ['month', '2026-02-28 13:01:00 UTC'],
    ['week', '2026-03-07 13:01:00 UTC'],
  ] as const) {
    expect(await look()).toContain(`name="move" value="${move}"`);
    await send(`move=${move}`);
    expect(await look()).toContain(shown);
  }
  await send('seconds=0');
  expect(await look()).toContain('2026-01-31 12:00:00 UTC');
  await send('move=sideways');
  await send('seconds=nonsense');
  expect(turnedMs()).toBe(0);
});

test('the page says from where it was moved, and nothing that somebody wrote into its address', async () => {
  const to = await send('move=hour');
  expect((await app.fastify.inject({ url: to, headers })).body).toContain(
    'The clock was moved from 2026-01-31 12:00:00 UTC.',
  );
  const written = `/dev/clock?was=${encodeURIComponent('<b>yesterday</b>')}`;
  expect((await app.fastify.inject({ url: written, headers })).body).not.toContain('yesterday');
});

test('it moves to what is due next in the test payments, which happens at once', async () => {
  expect(await look()).toMatch(/value="next" disabled>[\s\S]*Nothing is due in the test payments\./);
  const { payments, sandbox } = app.engines;
  const { sessionId } = await payments.openPlanCheckout({
    orderId: 'order',
    productName: 'Creator plan',
    amountCents: 399,
    currency: 'usd',
    email: 'mia@example.com',
    customerId: undefined,
    trialDays: 7,
    asksForCard: true,
    returnUrl: 'http://localhost:3000/post-checkout',
  });
  expect(await look()).toContain('Next: a checkout expires, ');
  await sandbox?.takePlan(sessionId, goodCard);
  expect(await look()).toContain('Next: a trial ends, 2026-02-07 12:00:00 UTC.');
  await send('move=next');
  expect(await look()).toContain('Next: the bill of a renewal is made final and charged, 2026-02-07 13:00:00 UTC.');
  await send('move=next');
  const events = (await sandbox?.deliveries(false)) ?? [];
  expect(events.map(({ type }) => type)).toContain('charge.succeeded');
  const page = await look();
  expect(page).toContain('it is <strong>2026-02-07 13:00:00 UTC</strong>');
  expect(page).toContain('Next: a subscription renews or ends, 2026-03-07 12:00:00 UTC.');
});

test('it is turned by twenty years at most, also where more was kept before', async () => {
  const mostMs = 20 * 365 * 86_400_000;
  for (const [seconds, turned] of [
    ['1e15', mostMs],
    ['-1e15', -mostMs],
    ['Infinity', mostMs],
  ] as const) {
    await send(`seconds=${seconds}`);
    // What was turned before is told to every process, and may be heard a moment later.
    await vi.waitFor(() => expect(turnedMs()).toBe(turned));
    expect(await look()).toMatch(/it is <strong>20\d\d-0[12]-\d\d 12:00:00 UTC/);
  }
  expect(await look()).toContain('min="-630720000" max="630720000"');
  await app.engines.sandbox?.keepClockOffset(1e18);
  await resumeClock(app.engines);
  expect(turnedMs()).toBe(mostMs);
});

test('a restart goes on where it was', async () => {
  await send('move=week');
  const turned = 7 * 86_400_000;
  // Another process begins at the real time.
  turnClock(0);
  const again = await createServer(app.engines, app.live, { trustedProxies: undefined });
  expect(turnedMs()).toBe(turned);
  await again.close();
});
