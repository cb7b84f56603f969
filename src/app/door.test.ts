import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { statement } from '#engines/database/work.ts';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { usualSlowLimits } from './slow-clients.ts';

/** As many as the turnstile holds. */
const crowd = 128;
const bodyMs = 400;
let house: HouseInTest;
let url: string;
beforeAll(async () => {
  const patience = { loopMs: 600_000, poolMs: 600_000 };
  house = await openHouse({ workJobs: false, server: { patience, slow: { ...usualSlowLimits, bodyMs } } });
  url = await house.app.listen({ port: 0, host: '127.0.0.1' });
}, 120_000);
afterAll(() => house.close());

const headers = { origin: 'http://localhost:3000', 'content-type': 'application/json' };
const open = (n: number) =>
  house.app.inject({ method: 'POST', url: `/api/view/nobody-${n}/open`, headers, payload: {} });

const waitForLock = statement<object>('wait_for_lock', 'select pg_advisory_xact_lock_shared(7)');

/** Runs something while as many calls decide as may, because the database lets none of them get on. */
async function whileFull(run: () => Promise<void>): Promise<void> {
  const gate = Promise.withResolvers<void>();
  const { database } = house.engines;
  const holding = [
    database.work({ kind: 'system' }, async ({ client }) => {
      await client.query('select pg_advisory_xact_lock(7)');
      await gate.promise;
    }),
  ];
  await wait(100);
  for (let n = 0; n < 4; n++) holding.push(database.ask(waitForLock, []).then(() => undefined));
  await wait(100);
  const deciding = Array.from({ length: crowd }, (_, n) => open(n));
  try {
    await wait(50);
    await run();
  } finally {
    gate.resolve();
    await Promise.all(holding);
  }
  await Promise.all(deciding);
}

it('tells whoever comes when it is full to come again, with the headers of the house and without asking anybody', async () => {
  const other = await fetch(`${url}/api/nothing`);
  await whileFull(async () => {
    const before = house.engines.database.statementCount();
    for (const path of ['/api/view/nobody/open', '/api/view/leases', '/rpc/viewing/renew?x=1']) {
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await answer.json()).toMatchObject({ code: 'UNAVAILABLE', data: { retryAfter: 1 } });
      for (const [name, value] of other.headers)
        if (!['content-length', 'date'].includes(name)) expect([name, answer.headers.get(name)]).toEqual([name, value]);
    }
    expect(house.engines.database.statementCount()).toBe(before);
    // Health is answered, and another kind of call is not kept waiting by those who decide.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
  expect((await fetch(`${url}/api/view/nobody/open`, { method: 'POST', headers, body: '{}' })).status).not.toBe(503);
});

it('cuts a body that it has refused and that does not come', async () => {
  await whileFull(async () => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'POST /api/view/nobody/open HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
    const began = performance.now();
    await once(socket, 'close');
    expect(performance.now() - began).toBeLessThan(20 * bodyMs);
  });
});
