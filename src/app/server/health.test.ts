import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engines } from '#engines/engines.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { mountHealth } from './health.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

/** Health over engines of which some keep silent, as over a disk that is full; how often each was asked. */
function openHealth(silent: Partial<Record<'database' | 'queue', Promise<never>>>) {
  const { engines } = app;
  const { database, jobs } = engines;
  const asked = { database: 0, queue: 0 };
  const urgent: Engines['database']['urgent'] = {
    ...database.urgent,
    work: (...words) => {
      asked.database++;
      return silent.database ?? database.urgent.work(...words);
    },
  };
  const ageSeconds = () => {
    asked.queue++;
    return silent.queue ?? jobs.ageSeconds();
  };
  const fastify = Fastify();
  const pulse = { version: '1.2.3', known: () => [], watch: async () => [] };
  mountHealth(fastify, { ...engines, database: { ...database, urgent }, jobs: { ...jobs, ageSeconds } }, pulse, 30);
  const look = async () => {
    const answer = await fastify.inject('/api/health');
    return [answer.statusCode, answer.json()];
  };
  return { look, asked };
}

test('a database that keeps silent is not ready once the deadline is over, and is asked no second time meanwhile', async () => {
  const answer = Promise.withResolvers<never>();
  const { look, asked } = openHealth({ database: answer.promise, queue: answer.promise });
  const notReady = {
    ready: false,
    version: '1.2.3',
    database: false,
    queueAgeSeconds: null,
    backup: null,
    parts: { database: 'red' },
  };
  for (let n = 0; n < 3; n++) expect(await look()).toEqual([503, notReady]);
  expect(asked).toEqual({ database: 1, queue: 1 });
  answer.reject(new Error('gone at last'));
  await expect
    .poll(async () => {
      await look();
      return asked.database;
    })
    .toBeGreaterThan(1);
});

test('a queue that keeps silent is unknown, and what answers is told', async () => {
  const { look } = openHealth({ queue: new Promise<never>(() => undefined) });
  await expect.poll(look).toEqual([
    200,
    {
      ready: true,
      version: '1.2.3',
      database: true,
      queueAgeSeconds: null,
      backup: null,
      parts: { database: 'green' },
    },
  ]);
});
