import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.fastify.server.address() as AddressInfo);
});
afterAll(() => app.close());

/** Begins to send a picture, of which nothing comes. @returns what ends it */
async function begin({ browser }: Person): Promise<() => void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // it is cut on purpose
  await new Promise((done) => socket.once('connect', done));
  const head = ['PUT /api/profile/avatar HTTP/1.1', 'Host: localhost:3000', 'Origin: http://localhost:3000'];
  head.push(`Cookie: ${headersOf(browser).cookie}`, 'Content-Type: image/png', 'Content-Length: 900');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await wait(300);
  return () => socket.destroy();
}

const send = async ({ browser }: Person) => {
  const headers = { ...headersOf(browser), origin: 'http://localhost:3000', host: 'localhost:3000' };
  const payload = Buffer.from('no picture');
  return (await app.fastify.inject({ method: 'PUT', url: '/api/profile/avatar', headers, payload })).statusCode;
};

/** Each asks again only now and then: a person has twenty tries. */
const patience = { interval: 500 };

test('one person has only some files on their way, and gives their places back by going away', async () => {
  const person = await signUpCreator(app);
  expect(await send(person)).toBe(415);
  const ends = [await begin(person), await begin(person)];
  await expect.poll(() => send(person), patience).toBe(503);
  for (const end of ends) end();
  await expect.poll(() => send(person), patience).toBe(415);
});

test('who goes away before being let in leaves no place taken', async () => {
  const person = await signUpCreator(app);
  const client = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await client.connect();
  await client.query('begin; lock table rate_limits in access exclusive mode');
  const ends = [await begin(person), await begin(person)];
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const countWaiting = async () => {
    // A transaction sees the same picture of the others' work until it asks for a new one.
    await client.query('select pg_stat_clear_snapshot()');
    return (await client.query(waiting)).rowCount;
  };
  await expect.poll(countWaiting).toBe(2);
  for (const end of ends) end();
  await wait(200);
  await client.query('commit');
  await client.end();
  await wait(200);
  expect(await send(person)).toBe(415);
});

test('those who have begun to send hold no place where pictures are made', async () => {
  const slow = await Promise.all(Array.from({ length: 5 }, () => signUpCreator(app)));
  const ends = await Promise.all([...slow, ...slow].map(begin));
  expect(await send(await signUpCreator(app))).toBe(415);
  for (const end of ends) end();
});
