import { request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { dayMs } from '#kit/time.ts';
import { listOwnProcesses } from '#tests/support/database/own-processes.ts';
import type { SeededPhoto } from '#tests/support/media/pictures.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeCopy, describeStranger, openToldWork } from '#tests/support/tracing/described-copies.ts';
import { type Guest, type LeakWorld, listStored, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { sweepTraces } from '../jobs.ts';
import { putTraceFile } from '../progress/trace-files.ts';
import { takeCopy } from '../take-copy.ts';
import { writeAnswer } from './trace-answer.ts';
import type { TraceWork } from './trace-work.ts';

const never = new AbortController().signal;
const system = { kind: 'system' } as const;
let app: TestApp;
let world: LeakWorld;
let work: TraceWork;
let bob: Guest;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openLeakWorld(app, { count: 2, isTold: true });
  bob = await world.invite('Bob');
  work = openToldWork(app.engines);
});
// An hour each: nobody here submits too many.
beforeEach(() => advance(app, 3_600_000));
afterAll(async () => {
  await work.close();
  await app.close();
});

const hand = async (bytes: Buffer, query = '') =>
  (await upload(world, bytes, world.creator.browser, query)).body.traceId;
const ask = async (traceId: string) => (await app.call('tracing.one', { traceId }, world.creator.browser)).body;
const rowOf = async (traceId: string) =>
  (await readRows(app, 'select * from traces where id = $1', [traceId]))[0] as Record<string, unknown>;

async function trace(bytes: Buffer, query = '') {
  const traceId = await hand(bytes, query);
  await work.run(traceId, never);
  return ask(traceId);
}

describe('a copy that comes slowly', () => {
  it('counts from when its last byte was there, and no sweeper takes it on its way', async () => {
    const bytes = describeCopy(world, bob);
    const began = app.engines.clock();
    async function* slowly() {
      yield bytes.subarray(0, 1000);
      advance(app, 20 * 3_600_000);
      await sweepTraces(app.engines);
      yield bytes.subarray(1000);
    }
    const copy = { creatorId: world.creator.userId, bytes: Readable.from(slowly()), sizeBytes: bytes.length };
    const traceId = await takeCopy(app.engines, copy);
    // The same between its last byte and its row.
    await sweepTraces(app.engines);
    expect(await listStored(app, traceId)).toEqual(['leak.pfo']);
    const { created_at: at, expires_at: until } = await rowOf(traceId);
    expect((at as Date).getTime()).toBe(app.engines.clock());
    expect((at as Date).getTime()).toBeGreaterThanOrEqual(began + 20 * 3_600_000);
    expect((until as Date).getTime()).toBe((at as Date).getTime() + 30 * dayMs);
    const [log] = await readRows(app, 'select at from trace_log where trace_id = $1', [traceId]);
    expect(log?.at).toEqual(at);
  });

  it('keeps its file also when it is stored long before its row', async () => {
    const { storage, clock } = app.engines;
    const young = `${(clock() - 20 * 3_600_000)
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
    await putTraceFile(storage, { traceId: young, key: Buffer.alloc(32) }, 'leak', Buffer.from('x'), 1);
    await sweepTraces(app.engines);
    expect(await listStored(app, young)).toEqual(['leak.pfo']);
    advance(app, 2 * dayMs);
    await sweepTraces(app.engines);
    expect(await listStored(app, young)).toEqual([]);
  });
});

describe('copies of one creator', () => {
  it('are two at once, and fifty a day', async () => {
    const send = () => {
      const headers = {
        ...headersOf(world.creator.browser),
        origin: 'http://localhost:3000',
        'content-length': '5000',
      };
      const call = request(`${world.viewerApi.url}/api/traces`, { method: 'POST', headers });
      call.on('error', () => undefined);
      call.write('x'.repeat(1000));
      const refused = new Promise<string>((resolve) =>
        call.on('response', (answer) => answer.setEncoding('utf8').once('data', resolve)),
      );
      return { call, refused };
    };
    const calls = [send(), send(), send()];
    expect(await Promise.any(calls.map(({ refused }) => refused))).toContain('2 copies are already uploading');
    for (const { call } of calls) call.destroy();
    const third = async () => upload(world, Buffer.from('x'), world.creator.browser);
    await expect.poll(async () => (await third()).status).toBe(201);
    advance(app, 3_600_000);
    const key = hashKey(app.engines.keys, 'trace-day', world.creator.userId);
    const now = new Date(app.engines.clock());
    await app.engines.database.work(system, (tx) =>
      takeRate(tx, { key, limit: 50, windowSeconds: 86_400, now, cost: 50 }),
    );
    expect(await third()).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('50 copies in a day') },
    });
    advance(app, dayMs);
  });

  it('take turns with those of others: who has several under way comes after who has none', async () => {
    const { creator } = await openLeakWorld(app, { isTold: true });
    const own = [await hand(describeStranger()), await hand(describeStranger())];
    const other = (await upload(world, describeStranger(), creator.browser)).body.traceId;
    const before = await readRows(
      app,
      `select count(*)::int as n from traces where creator_id = $1 and state = 'queued'`,
      [world.creator.userId],
    );
    const jobs = await readRows(
      app,
      `select data->>'traceId' as id, priority from pgboss.job where name = 'traces.read' and data->>'traceId' = any($1)`,
      [[...own, other]],
    );
    const priorityOf = (id: string | undefined) => Number(jobs.find((job) => job.id === id)?.priority);
    const waiting = Number(before[0]?.n);
    expect([priorityOf(own[0]), priorityOf(own[1]), priorityOf(other)].map((n) => n + 0)).toEqual([
      2 - waiting,
      1 - waiting,
      0,
    ]);
  });
});

describe('a copy of nothing', () => {
  it('is not kept, only how it looks; and nothing of what is no picture', async () => {
    const { id, outcome } = await trace(describeStranger());
    expect(outcome).toBe('no_match');
    expect(await listStored(app, id)).toEqual(['preview.pfo']);
    const words = await trace(Buffer.from('no picture'));
    expect([words.state, await listStored(app, words.id)]).toEqual(['failed', []]);
    // As if the process had ended between the answer and that.
    await putTraceFile(app.engines.storage, { traceId: id, key: Buffer.alloc(32) }, 'leak', Buffer.from('x'), 1);
    await sweepTraces(app.engines);
    expect(await listStored(app, id)).toEqual(['preview.pfo']);
  });
});

describe('the child that reads a copy', () => {
  it('ends with its trace: what it held for one creator is not there for the next', async () => {
    const children = () => listOwnProcesses('planted-told-child.ts');
    const tracing = trace(describeStranger({ holdMs: 300 }));
    await expect.poll(children, { interval: 20 }).not.toEqual([]);
    await tracing;
    await expect.poll(children).toEqual([]);
  });
});

describe('a large library', () => {
  it('is compared in turns, each going on where the last one ended', async () => {
    const traceId = await hand(describeStranger({ resembles: world.photos[0] as SeededPhoto }));
    const reads: string[] = [];
    const { storage } = app.engines;
    const watched = { ...storage, read: (file: string) => reads.push(file) && storage.read(file) } as typeof storage;
    const hasty = openToldWork({ ...app.engines, storage: watched }, { turnMs: 0 });
    const jobsOf = () =>
      readRows(app, `select 1 from pgboss.job where name = 'traces.read' and data->>'traceId' = $1`, [traceId]);
    expect(await jobsOf()).toHaveLength(1);
    await hasty.run(traceId, never);
    const half = await rowOf(traceId);
    const hits = [{ mediaId: world.photos[0]?.mediaId, inliers: 12 }];
    expect(half).toMatchObject({ state: 'matching', attempts: 0, place: { hits } });
    expect([reads.length, (await jobsOf()).length]).toEqual([2, 2]);
    await hasty.run(traceId, never);
    expect(await rowOf(traceId)).toMatchObject({ state: 'done', outcome: 'no_match', place: null });
    // Nothing is compared twice; what resembles a photo by chance is only looked at closely, in both sizes.
    expect(reads).toHaveLength(2 + 2);
    expect((await ask(traceId)).sentence).toBe("This picture isn't in your albums.");
    await hasty.close();
  });

  it('has the time it needs: only a trace that does not come further is over after a day', async () => {
    const traceId = await hand(describeStranger());
    advance(app, 23 * 3_600_000);
    await readRows(app, `update traces set place_at = $2 where id = $1`, [traceId, new Date(app.engines.clock())]);
    advance(app, 2 * 3_600_000);
    await sweepTraces(app.engines);
    expect((await rowOf(traceId)).state).toBe('queued');
    advance(app, dayMs);
    await sweepTraces(app.engines);
    expect((await rowOf(traceId)).state).toBe('failed');
  });
});

describe('who stood to choice', () => {
  it('is who was shown the photo before the copy came, not who came later', async () => {
    const traceId = await hand(describeCopy(world, bob));
    advance(app, 1000);
    await world.invite('Late');
    advance(app, 1000);
    await work.run(traceId, never);
    const { numbers, links } = await ask(traceId);
    // Bob's link and Bob.
    expect([numbers.issued, links.map(({ linkName }: { linkName: string }) => linkName)]).toEqual([2, ['Bob']]);
    const unmarked = await hand(describeCopy(world, undefined));
    advance(app, 1000);
    await world.invite('Later');
    advance(app, 1000);
    await work.run(unmarked, never);
    expect((await ask(unmarked)).shownTo.map(({ name }: { name: string }) => name)).toEqual(['Bob', 'Late']);
  });

  it('stands in the order in which they were shown it, whoever the copy is of', async () => {
    const first = await trace(describeCopy(world, undefined, { quality: 84 }));
    const again = await trace(describeCopy(world, undefined, { quality: 85 }));
    expect(again.shownTo).toEqual(first.shownTo);
    expect(again.earlierTraces).toBe(first.earlierTraces + 1);
  });
});

describe('two answers at once', () => {
  it('count each other: the second waits for the first', async () => {
    const [one, other] = [
      await hand(describeCopy(world, bob, { quality: 71 })),
      await hand(describeCopy(world, bob, { quality: 72 })),
    ];
    const { mediaId } = world.photos[0] as { mediaId: string };
    const numbers = { columns: 2, rows: 1, z: Float64Array.of(0, 0), visible: Float64Array.of(1, 1) };
    const corners = [[0, 0] as [number, number]];
    const item = { mediaId, isMirrored: false, corners, readings: [{ mediaId, track: 'p2048' as const, ...numbers }] };
    const together = { traceIds: [], mediaIds: [], isOtherGone: false };
    const print = { mime: 'image/jpeg', width: 2, height: 1, blockhash: '', preview: Buffer.alloc(0) };
    const { database } = app.engines;
    const answer = (traceId: string, stay: () => Promise<unknown>) =>
      database.work(system, async (tx) => {
        const stored = await tx.db.selectFrom('traces').selectAll().where('id', '=', traceId).executeTakeFirstOrThrow();
        const row = { ...stored, known_at: stored.created_at };
        const shown = [{ mediaId, before: row.known_at, isMoving: false }];
        const read = { items: [item], readings: item.readings, compared: 1, shown, together };
        await writeAnswer(tx, app.engines, { row, print, read });
        await stay();
      });
    const [written, leaving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = answer(one, () => {
      written.resolve();
      return leaving.promise;
    });
    await written.promise;
    const second = answer(other, async () => undefined);
    const waiting = `select 1 from pg_locks join pg_database on oid = database where datname = current_database() and not granted`;
    await expect.poll(() => readRows(app, waiting), { interval: 20 }).toHaveLength(1);
    leaving.resolve();
    await Promise.all([first, second]);
    const [a, b] = [await ask(one), await ask(other)];
    expect(b.earlierTraces - a.earlierTraces).toBe(1);
  });
});

describe('what a copy was compared with', () => {
  it('stays as it was when the album is deleted', async () => {
    const { id: albumId } = (
      await app.call('albums.create', { name: 'Short', peopleConsent: 'only_me' }, world.creator.browser)
    ).body;
    const answered = await trace(describeStranger(), `?albumId=${albumId}`);
    const waiting = await hand(describeCopy(world, bob), `?albumId=${albumId}`);
    await readRows(app, 'delete from albums where id = $1', [albumId]);
    await work.run(waiting, never);
    for (const { sentence, isEverywhere, albumId: left } of [await ask(answered.id), await ask(waiting)])
      expect([sentence, isEverywhere, left]).toEqual(["This picture isn't in this album.", false, null]);
    const { body } = await app.call('tracing.list', { albumId: world.albumId, limit: 100 }, world.creator.browser);
    const listed = body.traces.map(({ id }: { id: string }) => id);
    expect(listed).not.toContain(waiting);
  });

  it('is another copy only when that one has its answer, and it is said when it was deleted meanwhile', async () => {
    const waiting = await hand(describeCopy(world, bob));
    const early = await upload(world, describeCopy(world, bob), world.creator.browser, `?with=${waiting}`);
    expect([early.status, early.body.message]).toEqual([
      409,
      "The other copy doesn't have a result yet, so this one can't be added to it.",
    ]);
    await work.run(waiting, never);
    const both = await hand(describeCopy(world, bob), `?with=${waiting}`);
    await app.call('tracing.remove', { traceId: waiting }, world.creator.browser);
    await work.run(both, never);
    expect(await ask(both)).toMatchObject({ together: 0, isOtherGone: true, outcome: 'traced' });
  });
});
