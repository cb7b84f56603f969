import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeTimeouts } from '#app/describe-timeouts.ts';
import { dayMs } from '#kit/time.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeCopy, describeStranger, openToldWork } from '#tests/support/tracing/described-copies.ts';
import { type Guest, type LeakWorld, listStored, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { traceFile } from '../commands.ts';
import { verifyEvidence } from '../evidence/verify-evidence.ts';
import { sweepTraces } from '../jobs.ts';
import { countEarlierTraces } from '../log/log-store.ts';
import type { TraceWork } from './trace-work.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-trace-work-'));
const never = new AbortController().signal;
let app: TestApp;
let world: LeakWorld;
let work: TraceWork;
let bob: Guest;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openLeakWorld(app, { count: 4, isTold: true });
  bob = await world.invite('Bob');
  work = openToldWork(app.engines);
});
beforeEach(() => advance(app, 1000));
afterAll(async () => {
  await work.close();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const hand = async (bytes: Buffer) => (await upload(world, bytes, world.creator.browser)).body.traceId;
const ask = (traceId: string) => app.call('tracing.one', { traceId }, world.creator.browser);
const logOf = (traceId: string) =>
  readRows(app, 'select kind, outcome, disclosed_ids from trace_log where trace_id = $1 order by seq', [traceId]);

describe('the work of a trace', () => {
  it('begins again after its process was killed, and is logged once', async () => {
    const traceId = await hand(describeCopy(world, bob));
    await readRows(app, `update traces set state = 'reading', attempts = 1, done = 3, total = 4 where id = $1`, [
      traceId,
    ]);
    await work.run(traceId, never);
    const first = (await ask(traceId)).body;
    expect(first).toMatchObject({ outcome: 'traced', links: [{ linkId: bob.linkId }], earlierTraces: 0 });
    await work.run(traceId, never);
    expect((await ask(traceId)).body).toEqual(first);
    expect((await logOf(traceId)).map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['uploaded', null],
      ['read', 'traced'],
    ]);
  });

  it('is done later by itself when it ran out of time, and given up when that was in vain', async () => {
    const traceId = await hand(describeCopy(world, bob));
    const rowOf = async () =>
      (await readRows(app, 'select state, timeouts, fail_code from traces where id = $1', [traceId]))[0];
    const runOut = async () => {
      await readRows(app, 'update traces set attempts = 5 where id = $1', [traceId]);
      await work.run(traceId, never);
      return rowOf();
    };
    expect(await runOut()).toEqual({ state: 'queued', timeouts: 1, fail_code: null });
    const pauses = await readRows(
      app,
      `select round(extract(epoch from start_after - created_on))::int as pause from pgboss.job
       where name = 'traces.read' and data->>'traceId' = $1 order by start_after`,
      [traceId],
    );
    expect(pauses).toEqual([{ pause: 0 }, { pause: 60 }]);
    expect(await describeTimeouts(app.engines)).toEqual([
      expect.stringMatching(/^1 leaked copy ran out of time: tried/),
    ]);
    for (const timeouts of [2, 3, 4]) expect(await runOut()).toEqual({ state: 'queued', timeouts, fail_code: null });
    expect(await runOut()).toEqual({ state: 'failed', timeouts: 4, fail_code: 'TIMEOUT' });
    expect(await describeTimeouts(app.engines)).toEqual([expect.stringMatching(/^1 leaked copy .* again and again/)]);
    const another = await hand(describeCopy(world, bob));
    await readRows(app, 'update traces set attempts = 5 where id = $1', [another]);
    await work.run(another, never);
    await work.run(another, never);
    expect((await ask(another)).body).toMatchObject({ outcome: 'traced' });
  });

  it('is written down with whom it named, so that later copies of the same have to be surer of them', async () => {
    const { creator, photos } = world;
    const mediaIds = photos.slice(0, 1).map(({ mediaId }) => mediaId);
    const countNamed = async (traceId: string) => {
      const ground = { sha256: randomBytes(32), isAlone: true, compared: 1, issued: 1 };
      const asked = { creatorId: creator.userId, traceId, mediaIds, ...ground };
      const { timesNamed } = await app.engines.database.work({ kind: 'system' }, (tx) => countEarlierTraces(tx, asked));
      return timesNamed.get(bob.linkId) ?? 0;
    };
    const [one, other] = [await hand(describeCopy(world, bob)), await hand(describeCopy(world, bob))];
    const before = await countNamed(other);
    await work.run(one, never);
    expect(await readRows(app, `select named_ids from trace_log where trace_id = $1 and kind = 'read'`, [one])).toEqual(
      [{ named_ids: [bob.linkId] }],
    );
    expect([await countNamed(other), await countNamed(one)]).toEqual([before + 1, before]);
  });

  it('is an event of high risk at the link that it named, about its only viewer; a copy of something else is none', async () => {
    const eventsOf = () =>
      readRows(
        app,
        `select e.risk, e.source, e.count, e.viewer_id = v.viewer_id as "isBob", e.details from security_events e
          join link_viewers v on v.link_id = e.magic_link_id
          where e.magic_link_id = $1 and e.event_type = 'leak_traced' order by e.timestamp`,
        [bob.linkId],
      );
    await readRows(app, 'delete from security_events');
    const traceId = await hand(describeCopy(world, bob));
    await work.run(traceId, never);
    expect(await eventsOf()).toEqual([{ risk: 'high', source: 'server', count: 1, isBob: true, details: { traceId } }]);
    await work.run(await hand(describeStranger()), never);
    expect(await readRows(app, 'select count(*)::int as count from security_events')).toEqual([{ count: 1 }]);
  });

  it('lets waiting photos go first, and not for ever', async () => {
    const traceId = await hand(describeStranger());
    const { jobs } = app.engines;
    let looks = 0;
    const waiting = [{ queue: 'photo.process', state: 'created', count: 1 }];
    const counts = async () => (looks++ === 0 ? waiting : []);
    const patient = openToldWork({ ...app.engines, jobs: { ...jobs, counts } }, { arePhotosFirst: true });
    const began = performance.now();
    await patient.run(traceId, never);
    await patient.close();
    expect(looks).toBe(2);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect((await ask(traceId)).body.state).toBe('done');
  });

  it('keeps the copy, its preview and what was read encrypted', async () => {
    const copy = describeCopy(world, bob);
    const traceId = await hand(copy);
    await work.run(traceId, never);
    expect(await listStored(app, traceId)).toEqual(['leak.pfo', 'preview.pfo', 'readings.pfo']);
    for (const file of await listStored(app, traceId)) {
      const bytes = await app.engines.storage.read(`traces/${traceId}/${file}`);
      expect(bytes.subarray(0, 4).toString()).toBe('PFO1');
      expect(bytes.includes(copy.subarray(100, 140))).toBe(false);
      expect(bytes.includes(Buffer.from('"mediaId":"'))).toBe(false);
    }
  });

  it('ends with a reason when it was begun too often, and stops without one when it is deleted', async () => {
    const traceId = await hand(describeCopy(world, bob));
    await readRows(app, 'update traces set attempts = 5, timeouts = 4 where id = $1', [traceId]);
    await work.run(traceId, never);
    expect((await ask(traceId)).body).toMatchObject({
      state: 'failed',
      failText: expect.stringMatching(/took too long/),
    });
    const other = await hand(describeCopy(world, bob, { holdMs: 5000 }));
    const running = work.run(other, never);
    await app.call('tracing.remove', { traceId: other }, world.creator.browser);
    await running;
    expect([await listStored(app, other), (await logOf(other)).length]).toEqual([[], 1]);
  });

  it('is put back and not ended when its process has to stop', async () => {
    const traceId = await hand(describeCopy(world, bob));
    const stop = new AbortController();
    const running = work.run(traceId, stop.signal);
    stop.abort();
    await expect(running).rejects.toThrow();
    expect((await ask(traceId)).body.state).toBe('matching');
    await work.run(traceId, never);
    expect((await ask(traceId)).body.outcome).toBe('traced');
  });

  it("compares a copy with the album that was named, and with nobody else's photos", async () => {
    const empty = (await app.call('albums.create', { name: 'Empty', peopleConsent: 'only_me' }, world.creator.browser))
      .body;
    const { body } = await upload(world, describeCopy(world, bob), world.creator.browser, `?albumId=${empty.id}`);
    await work.run(body.traceId, never);
    expect((await ask(body.traceId)).body).toMatchObject({ outcome: 'no_match', items: [] });
  });
});

describe('several copies of one leak', () => {
  it('are weighed together: one that tells nothing alone is told by one that does', async () => {
    const clear = describeCopy(world, bob, { n: 2, share: 1 / 2 });
    const faint = describeCopy(world, undefined, { n: 3 });
    const run = async (bytes: Buffer, query = '') => {
      const { status, body } = await upload(world, bytes, world.creator.browser, query);
      expect(status).toBe(201);
      await work.run(body.traceId, never);
      return (await ask(body.traceId)).body;
    };
    const alone = await run(faint);
    expect(alone).toMatchObject({ outcome: 'inconclusive', together: 0, links: [] });
    const first = await run(clear);
    expect(first).toMatchObject({ outcome: 'traced', together: 0, links: [{ linkId: bob.linkId }] });
    const both = await run(faint, `?with=${first.id}`);
    expect(both).toMatchObject({ outcome: 'traced', together: 1, links: [{ linkId: bob.linkId }] });
    expect(both.items).toHaveLength(1);
    const answer = await world.viewerApi.fetch(
      `/api/traces/${both.id}/evidence.json`,
      { method: 'POST' },
      world.creator.browser,
    );
    const text = await answer.text();
    expect(JSON.parse(text).together).toEqual([{ traceId: first.id, sha256: first.sha256 }]);
    expect(verifyEvidence(text, { leaks: [faint] }).filter(({ is }) => is === 'wrong')).toEqual([]);
    const unknown = await upload(world, faint, world.creator.browser, `?with=${both.links[0].linkId}`);
    expect(unknown.status).toBe(404);
  });
});

describe('the sweeper', () => {
  it('deletes copies after 30 days, at their very instant, and files that no trace names; the log stays', async () => {
    const traceId = await hand(describeStranger());
    const orphan = '01900000-0000-7000-8000-000000000000';
    await app.engines.storage.put(`traces/${orphan}/leak.pfo`, Buffer.from('x'));
    advance(app, 29 * dayMs);
    await sweepTraces(app.engines);
    expect([await listStored(app, traceId), await listStored(app, orphan)]).toEqual([[], []]);
    expect(await readRows(app, 'select state, fail_code from traces where id = $1', [traceId])).toEqual([
      { state: 'failed', fail_code: 'TIMEOUT' },
    ]);
    const isThere = async () => (await readRows(app, 'select 1 from traces where id = $1', [traceId])).length === 1;
    const [row] = await readRows(app, 'select expires_at as "expiresAt" from traces where id = $1', [traceId]);
    const { expiresAt } = row as { expiresAt: Date };
    advance(app, expiresAt.getTime() - 1 - app.engines.clock());
    await sweepTraces(app.engines);
    expect(await isThere()).toBe(true);
    advance(app, 1);
    await sweepTraces(app.engines);
    expect(await isThere()).toBe(false);
    await sweepTraces(app.engines);
    expect([await listStored(app, traceId), (await logOf(traceId)).length]).toEqual([[], 1]);
    expect(await readRows(app, 'select 1 from trace_keys where trace_id = $1', [traceId])).toEqual([]);
  });
});

describe('the command', () => {
  it('says what it misses', async () => {
    const file = path.join(folder, 'copy.jpg');
    writeFileSync(file, describeStranger());
    await expect(traceFile(app.engines, file, 'nobody@example.com')).rejects.toThrow('No account has the address');
    await expect(traceFile(app.engines, `${file}.x`, undefined)).rejects.toThrow('There is no file');
  });
});
