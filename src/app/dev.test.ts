import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { turnClock, turnedMs } from './turned-clock.ts';

let house: HouseInTest;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
});
afterAll(() => house.close());

const own = { host: 'localhost:3000', origin: 'http://localhost:3000' };
const ask = (headers: object, remoteAddress = '127.0.0.1') =>
  house.app.inject({ url: '/dev/outbox', headers: { ...headers }, remoteAddress });
const turn = (headers: object) =>
  house.app.inject({
    method: 'POST',
    url: '/dev/clock',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: 'seconds=60',
  });

test('/dev is there for this machine alone: not through a proxy, not by another name, not from elsewhere', async () => {
  expect((await ask(own)).statusCode).toBe(200);
  for (const headers of [
    { ...own, 'x-forwarded-for': '10.0.0.9' },
    { ...own, forwarded: 'for=10.0.0.9' },
  ])
    expect((await ask(headers)).statusCode).toBe(404);
  expect((await ask({ host: 'rebound.example' })).statusCode).toBe(404);
  expect((await ask(own, '192.168.0.7')).statusCode).toBe(404);
});

test('a form of another page in this developer’s browser turns no clock and becomes nobody', async () => {
  for (const foreign of [
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])
    expect((await turn({ host: own.host, ...foreign })).statusCode, JSON.stringify(foreign)).toBe(404);
  expect(turnedMs()).toBe(0);
  expect((await turn(own)).statusCode).toBe(303);
  expect(turnedMs()).toBe(60_000);
  turnClock(0);
});
