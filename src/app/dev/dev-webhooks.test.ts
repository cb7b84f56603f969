import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openSandbox } from '#engines/payments/sandbox/sandbox.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import { readRow } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openDevToken } from './dev-token.ts';

let app: TestApp;
let provider: Provider;
let taken: string[] = [];
beforeAll(async () => {
  [app, provider] = await Promise.all([openTestApp({ workJobs: false }), openProvider()]);
});
afterAll(() => Promise.all([app.close(), provider.close()]));

const calm = { duplicates: false, reorders: false, delays: false, drops: false, answers500: false };
beforeEach(async () => {
  const { sandbox } = provider;
  await sandbox.setChaos(calm);
  sandbox.deliverTo(async (_hook, body) => taken.push(JSON.parse(body).id) && 200);
  provider.pass(3_600_000);
  await sandbox.deliverDue();
  taken = [];
});

let owners = 0;
const happen = () =>
  provider.payments.ensureAccount({ userId: `u-${++owners}`, email: 'm@example.com', handle: 'm', country: 'US' });
const newest = async () => (await provider.sandbox.deliveries(false))[0];
const reported = async () => {
  await provider.sandbox.deliverDue();
  return taken;
};

test('duplicate tells every event twice', async () => {
  await provider.sandbox.setChaos({ ...calm, duplicates: true });
  await happen();
  await reported();
  // Another round may have begun by itself.
  await vi.waitFor(async () =>
    expect([new Set(taken).size, taken.length, (await newest())?.attempts.length]).toEqual([1, 2, 2]),
  );
});

test('delay tells an event a minute late', async () => {
  await provider.sandbox.setChaos({ ...calm, delays: true });
  await happen();
  expect(await reported()).toEqual([]);
  provider.pass(61_000);
  await vi.waitFor(async () => expect(await reported()).toHaveLength(1));
});

test('drop loses an event until it is sent again, with the switch still on', async () => {
  await provider.sandbox.setChaos({ ...calm, drops: true });
  await happen();
  expect(await reported()).toEqual([]);
  provider.pass(4 * 86_400_000);
  expect(await reported()).toEqual([]);
  const lost = await newest();
  expect(lost).toMatchObject({ state: 'given_up', attempts: [{ status: 0 }] });
  expect(await provider.sandbox.sendAgain(lost?.id ?? '')).toBe(true);
  expect([taken, (await newest())?.state]).toEqual([[lost?.id], 'taken']);
});

test('reorder tells what happened last first', async () => {
  // Late as well, so that no round finds the first one alone.
  await provider.sandbox.setChaos({ ...calm, reorders: true, delays: true });
  await happen();
  await happen();
  provider.pass(61_000);
  await reported();
  const both = (await provider.sandbox.deliveries(false)).slice(0, 2).map(({ id }) => id);
  await vi.waitFor(() => expect(taken).toEqual(both));
});

test('the switches are still on after a restart', async () => {
  const params = { ...calm, reorders: true, answers500: true };
  await provider.sandbox.setChaos(params);
  const { database, now } = provider;
  const log = { error: (about: object) => expect(about).toBeUndefined() };
  const again = openSandbox({
    database,
    log,
    clock: now,
    sandboxClock: now,
    publicUrl: 'http://localhost:3000',
  });
  expect(await again.sandbox.chaos()).toEqual(params);
  again.sandbox.deliverTo(async () => 200);
  await happen();
  await again.sandbox.deliverDue();
  // The one that was there before may be about to tell it.
  await vi.waitFor(async () => expect((await newest())?.attempts).toMatchObject([{ status: 500 }]));
  await again.payments.close();
});

test('an event that was answered 500 is shown with its attempts and is sent again, by the buttons of the page', async () => {
  const { dataDir } = app.engines.installation;
  const headers = {
    host: 'localhost:3000',
    origin: 'http://localhost:3000',
    cookie: `pf_dev=${openDevToken(dataDir)}`,
  };
  const send = (payload: string) =>
    app.fastify.inject({
      method: 'POST',
      url: '/dev/webhooks',
      payload,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    });
  const look = async () => (await app.fastify.inject({ url: '/dev/webhooks', headers })).body;
  expect((await send('chaos=set&answers500=on')).statusCode).toBe(303);
  expect(await look()).toContain('name="answers500" value="on" checked');
  await app.engines.payments.ensureAccount({ userId: 'u', email: 'm@example.com', handle: 'm', country: 'US' });
  await app.engines.sandbox?.deliverDue();
  expect(await look()).toMatch(/v2\.core\.account\.created.* · waiting[\s\S]* · 500 · /);
  await send('chaos=set');
  const { id } = await readRow<{ id: string }>(app, 'select id from sandbox_events limit 1');
  expect((await send(`event=${id}`)).statusCode).toBe(303);
  const page = await look();
  expect(page).toMatch(/ · taken<\/small>/);
  expect(page.match(/<li>/g)).toHaveLength(2);
  expect((await send('event=evt_none')).statusCode).toBe(404);
});
