import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HouseInTest, headersOf, openHouse } from '#tests/support/house.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';

let house: HouseInTest;
let mara: Person;
let port: number;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  await house.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = house.app.server.address() as AddressInfo);
  mara = await signUpCreator(house);
}, 60_000);
afterAll(() => house.close());

/** Begins to send a picture, of which nothing comes. @returns what ends it */
async function begin(): Promise<() => void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // it is cut on purpose
  await new Promise((done) => socket.once('connect', done));
  const head = ['PUT /api/profile/avatar HTTP/1.1', 'Host: localhost:3000', 'Origin: http://localhost:3000'];
  head.push(`Cookie: ${headersOf(mara.browser).cookie}`, 'Content-Type: image/png', 'Content-Length: 900');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return () => socket.destroy();
}

const send = async () => {
  const headers = { ...headersOf(mara.browser), origin: 'http://localhost:3000', host: 'localhost:3000' };
  const payload = Buffer.from('no picture');
  return (await house.app.inject({ method: 'PUT', url: '/api/profile/avatar', headers, payload })).statusCode;
};

test('one person takes only some of the places, and gives them back by going away', async () => {
  const ends = [await begin(), await begin()];
  await expect.poll(send, { timeout: 5000, interval: 200 }).toBe(503);
  for (const end of ends) end();
  await expect.poll(send, { timeout: 5000, interval: 200 }).toBe(415);
});

test('who goes away before being let in leaves no place taken', async () => {
  const client = new pg.Client(house.engines.database.connection as pg.ClientConfig);
  await client.connect();
  await client.query('begin; lock table rate_limits in access exclusive mode');
  const ends = [await begin(), await begin()];
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 4000 }).toBe(2);
  for (const end of ends) end();
  await wait(200);
  await client.query('commit');
  await client.end();
  await wait(200);
  expect(await send()).toBe(415);
});
