import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeCopy } from '#tests/support/tracing/described-copies.ts';
import { type Guest, type LeakWorld, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';

let app: TestApp;
let world: LeakWorld;
let bob: Guest;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openLeakWorld(app, { count: 2, isTold: true });
  bob = await world.invite('Bob');
});
// An hour each: nobody here submits too many.
beforeEach(() => advance(app, 3_600_000));
afterAll(() => app.close());

describe('a copy that is sent again with its key', () => {
  const handWithKey = (key: string, bytes: Buffer) =>
    upload(world, bytes, { ...world.creator.browser, headers: { 'idempotency-key': key } });

  it('is one copy, also while the first of them is still coming', async () => {
    const [key, bytes] = [randomUUID(), describeCopy(world, bob)];
    const answers = await Promise.all([handWithKey(key, bytes), handWithKey(key, bytes)]);
    const [traceId = ''] = answers.map(({ body }) => body.traceId);
    expect(answers.map(({ status, body }) => [status, body.traceId])).toEqual([
      [201, traceId],
      [201, traceId],
    ]);
    expect((await handWithKey(key, bytes)).body.traceId).toBe(traceId);
    expect(
      await readRows(app, "select 1 from trace_log where trace_id = $1 and kind = 'uploaded'", [traceId]),
    ).toHaveLength(1);
    const rows = await readRows(app, 'select id from traces where sha256 = (select sha256 from traces where id = $1)', [
      traceId,
    ]);
    expect(rows).toEqual([{ id: traceId }]);
  });

  it('is refused when the key was given for another one', async () => {
    const key = randomUUID();
    await handWithKey(key, describeCopy(world, bob));
    expect((await handWithKey(key, Buffer.concat([describeCopy(world, bob), Buffer.alloc(1)]))).status).toBe(409);
  });
});
