import { afterAll, beforeAll, expect, it } from 'vitest';
import { advance } from '#tests/support/people.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeCopy, openToldWork } from '#tests/support/tracing/described-copies.ts';
import { type Guest, type LeakWorld, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import type { TraceWork } from './trace-work.ts';

let app: TestApp;
let world: LeakWorld;
let work: TraceWork;
let bob: Guest;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openLeakWorld(app, { isTold: true });
  bob = await world.invite('Bob');
  work = openToldWork(app.engines);
});
afterAll(async () => {
  await work.close();
  await app.close();
});

async function trace(bytes: Buffer, query = '') {
  const { creator } = world;
  const { traceId } = (await upload(world, bytes, creator.browser, query)).body;
  await work.run(traceId, new AbortController().signal);
  return (await app.call('tracing.one', { traceId }, creator.browser)).body;
}

it('says again what it said, whoever was shown the photo meanwhile', async () => {
  const copy = describeCopy(world, bob);
  const first = await trace(copy);
  expect(first).toMatchObject({ outcome: 'traced', earlierTraces: 0, numbers: { issued: 2 } });
  advance(app, 1000);
  await world.invite('Late');
  advance(app, 1000);
  const again = await trace(copy);
  const { links, numbers, earlierTraces } = first;
  expect(again).toMatchObject({ outcome: 'traced', links, numbers, earlierTraces });
});

it('is another try beside another copy, and others are tries for it', async () => {
  const copy = describeCopy(world, bob, { quality: 71 });
  const before = (await trace(copy)).earlierTraces;
  const other = await trace(describeCopy(world, bob, { quality: 72 }));
  expect(other.earlierTraces).toBe(before + 1);
  const third = await trace(describeCopy(world, bob, { quality: 73 }));
  const besides = [];
  for (const { id } of [other, third]) besides.push(await trace(copy, `?with=${id}`));
  expect(besides.map(({ together, earlierTraces }) => [together, earlierTraces - before])).toEqual([
    [1, 3],
    [1, 4],
  ]);
  expect((await trace(copy)).earlierTraces).toBe(before + 4);
});

it('beside another copy leaves nobody out who was shown the photo before that one came', async () => {
  const copy = describeCopy(world, bob, { quality: 75 });
  await trace(copy);
  advance(app, 1000);
  const later = await world.invite('Later');
  advance(app, 1000);
  const other = await trace(describeCopy(world, later, { quality: 76 }));
  const together = await trace(copy, `?with=${other.id}`);
  expect(together.numbers.issued).toBe(other.numbers.issued);
  const { creator } = world;
  const headers = headersOf(creator.browser) as Record<string, string>;
  const again = await trace(copy);
  const answer = await world.viewerApi.fetch(
    `/api/traces/${again.id}/evidence.json`,
    { method: 'POST', headers },
    creator.browser,
  );
  const said = ((await answer.json()) as { custody: { what: string }[] }).custody.map(({ what }) => what);
  expect(said.filter((what) => what.startsWith('An earlier trace of this very file ended: traced'))).toHaveLength(2);
  // Bob's codeword is outside now: who has it could have drawn the other copy, and not the first one.
  advance(app, 1000);
  const drawn = await trace(describeCopy(world, bob, { quality: 77 }));
  const both = await trace(copy, `?with=${drawn.id}`);
  expect([drawn.wasDisclosed, both.wasDisclosed, (await trace(copy)).wasDisclosed]).toEqual([true, true, false]);
});

it('counts every earlier trace of the same photo against the next one, also when they were deleted', async () => {
  const { browser } = world.creator;
  const carl = await world.invite('Carl');
  advance(app, 1000);
  const copy = describeCopy(world, carl);
  const first = await trace(copy);
  expect((await app.call('tracing.remove', { traceId: first.id }, browser)).status).toBe(200);
  expect((await app.call('tracing.one', { traceId: first.id }, browser)).status).toBe(404);
  const second = await trace(copy);
  expect([first.links[0].linkId, second.links[0].linkId]).toEqual([carl.linkId, carl.linkId]);
  expect(second.earlierTraces).toBe(first.earlierTraces + 1);
  expect(second.numbers.hypotheses).toBeGreaterThan(first.numbers.hypotheses);
});
