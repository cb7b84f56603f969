import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTraceWork } from '#features/tracing/work/trace-work.ts';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { recordScreen } from '#tests/support/media/with-ffmpeg.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { drawVideo } from '#tests/support/tracing/leaked-clips.ts';
import { type LeakWorld, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { guards } from '../counts.ts';

guards('src/features/tracing/**', 'src/engines/video/**');

/** Recordings of a screen as recorders and messengers make them, and a worker that dies over one. */
if (!canDrawClips) warnNoClips();
const never = new AbortController().signal;

describe.runIf(canDrawClips)('a recording of a screen with photos', () => {
  let app: TestApp;
  let world: LeakWorld;
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false });
    world = await openLeakWorld(app, { count: 3 });
  });
  beforeEach(() => advance(app, 3_600_000));
  afterAll(() => app.close());

  const hand = async (bytes: Buffer) => (await upload(world, bytes, world.creator.browser)).body.traceId;
  const ask = async (traceId: string) => (await app.call('tracing.one', { traceId }, world.creator.browser)).body;
  const turn = async (traceId: string, turnMs?: number) => {
    const work = openTraceWork(app.engines, { arePhotosFirst: false, ...(turnMs !== undefined && { turnMs }) });
    await work.run(traceId, never);
    await work.close();
    return ask(traceId);
  };

  it('goes on where it was when others went first', async () => {
    const bob = await world.invite('Bob');
    const traceId = await hand(await recordScreen(bob.screenshots));
    expect((await turn(traceId, 0)).state).toBe('matching');
    const [row] = await readRows(app, 'select place from traces where id = $1', [traceId]);
    expect(row?.place).toMatchObject({ films: [], hits: expect.any(Array) }); // its stored name
    expect(await turn(traceId)).toMatchObject({
      outcome: 'traced',
      leak: { stills: 3, width: 720, height: 1280 },
      links: [{ linkId: bob.linkId }],
    });
  });

  it('of something else is of nothing of hers', async () => {
    const sentence =
      'Nothing from your albums was found in this clip. If it shows photos, submit a screenshot of each one.';
    const answer = await turn(await hand(await drawVideo({ seconds: 4, seed: 91 })));
    expect(answer).toMatchObject({ outcome: 'no_match', sentence, leak: { stills: null }, items: [] });
  });

  it('whose worker is killed over its pictures ends as if it had not been', async () => {
    const { storage } = app.engines;
    const eve = await world.invite('Eve');
    advance(app, 1000);
    const clip = await recordScreen(eve.screenshots, { width: 540, height: 960 });
    const one = await turn(await hand(clip));
    advance(app, 1000);
    const second = await hand(clip);
    for (const reads of [1, 4]) {
      const stop = new AbortController();
      let left = reads;
      const read: typeof storage.read = (file, range) => {
        if (file.startsWith('media/') && --left === 0) stop.abort(new Error('killed'));
        return storage.read(file, range);
      };
      const killed = openTraceWork({ ...app.engines, storage: { ...storage, read } }, { arePhotosFirst: false });
      await expect(killed.run(second, stop.signal)).rejects.toThrow('killed');
      await killed.close();
    }
    const other = await turn(second);
    expect(one).toMatchObject({ outcome: 'traced', leak: { stills: 3 }, links: [{ linkId: eve.linkId }] });
    for (const part of ['outcome', 'leak', 'items', 'hasOriginal'] as const) expect(other[part]).toEqual(one[part]);
    expect(other.links.map(({ linkId }: { linkId: string }) => linkId)).toEqual([eve.linkId]);
  });

  it.for([
    // Of the last photo it has no frame after that with which it came.
    ['that has frames only where something moves', { isUneven: true, seconds: 5 }, 2],
    ['as a messenger sends it on', { width: 360, height: 640, crf: 30 }, 3],
  ] as const)('%s names its link too', async ([_how, params, stills]) => {
    const guest = await world.invite('Dora');
    advance(app, 1000);
    const answer = await turn(await hand(await recordScreen(guest.screenshots, params)));
    expect(answer).toMatchObject({ outcome: 'traced', leak: { stills }, links: [{ linkId: guest.linkId }] });
  });
});
