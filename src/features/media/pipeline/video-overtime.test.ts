import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Settings } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { listOwnProcesses } from '#tests/support/database/own-processes.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { giveCredits } from '#tests/support/money/credits.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type Decoders, openDecoders } from '../decoding/decoders.ts';
import { findVideoLimits, openVideoWork } from './process-video.ts';

/** A silent AVI of four seconds whose header says that it has a half: frames in all, and of its stream (avih and strh of the AVI format). */
function drawLiar(): Buffer {
  const bytes = Buffer.from(drawClip({ seconds: 4, hasSound: false, also: ['-c:v', 'mpeg4'], ending: 'avi' }));
  for (const place of [bytes.indexOf('avih') + 8 + 16, bytes.indexOf('strh') + 8 + 32]) {
    if (bytes.readUInt32LE(place) !== 120) throw new Error('an AVI that begins differently');
    bytes.writeUInt32LE(15, place);
  }
  return bytes;
}

if (!canDrawClips) warnNoClips();
describe.runIf(canDrawClips)('a video that is worked on for longer than it may be', () => {
  let app: TestApp;
  let ana: Person;
  let albumId: string;
  let decoders: Decoders;
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false });
    decoders = openDecoders(app.engines);
    ana = await signUpCreator(app);
    if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    albumId = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, ana.browser)).body.id;
  });
  afterAll(async () => {
    await decoders.close();
    await app.close();
  });

  const itemOf = async (id: string) => {
    const { items } = (await app.call('albums.one', { albumId }, ana.browser)).body;
    return items.find((item: { id: string }) => item.id === id);
  };
  const usedSeconds = async () =>
    (await app.call('credits.uses', {}, ana.browser)).body.videoTime.usedSeconds as number;
  const set = async (key: keyof Settings, value: number) => {
    const now = new Date(app.engines.clock());
    await app.engines.database.work({ kind: 'system' }, (tx) => writeSetting(tx, { key, value, by: null, now }));
    await vi.waitFor(async () => expect((await settingsOf(app.engines))[key]).toBe(value));
  };
  const encoders = () => listOwnProcesses('libx264');
  /** As if its pauses were over, and the next try the last. */
  const isLastTry = (id: string) => readRows(app, 'update media set timeouts = 4 where id = $1', [id]);
  /** Holds whatever encodes, as a machine does that has something else to do. */
  const holdEncoder = async () => {
    await expect.poll(encoders, { interval: 20 }).not.toEqual([]);
    for (const pid of encoders()) process.kill(Number(pid), 'SIGSTOP');
  };
  /** @param share of the time that the settings give */
  const make = async (id: string, share = 1) => {
    const work = openVideoWork(app.engines, decoders, async (engines) => {
      const { jobSeconds, jobSecondsPerSecond, ...limits } = await findVideoLimits(engines);
      return { ...limits, jobSeconds: share * jobSeconds, jobSecondsPerSecond: share * jobSecondsPerSecond };
    });
    await work.make(id, new AbortController().signal, async () => undefined);
  };

  it('is given up with the words for it, leaves nothing that runs, and is made when its creator tries again', async () => {
    const bytes = drawClip({ seconds: 1 });
    const { id } = await sendFile(app, ana, albumId, { name: 'clip.mp4', bytes });
    await isLastTry(id);
    await Promise.all([make(id, 0.01), holdEncoder()]);
    expect(await itemOf(id)).toMatchObject({
      state: 'failed',
      failCode: 'TIMEOUT',
      failText: 'Processing took too long',
      canRetry: true,
    });
    expect(encoders()).toEqual([]);
    // What it has taken of the month's time is given back.
    expect(await usedSeconds()).toBe(0);
    const files: string[] = [];
    for await (const file of app.engines.storage.list(`media/${id}/`)) files.push(file);
    const named = await readRows(
      app,
      'select path from packs where media_id = $1 union all select original_path from media where id = $1',
      [id],
    );
    expect(files.toSorted()).toEqual(named.map(({ path }) => String(path)).toSorted());
    expect((await app.call('media.retry', { mediaId: id }, ana.browser)).status).toBe(200);
    await make(id);
    expect(await itemOf(id)).toMatchObject({ state: 'ready', failCode: null });
    expect(await usedSeconds()).toBe(1);
  });

  it('over which a program dies as well is tried again, and fails when one dies a second time', async () => {
    const { id } = await sendFile(app, ana, albumId, { name: 'deadly.mp4', bytes: drawClip({ seconds: 8 }) });
    // As if it had run out of time before, and its pause were over.
    await readRows(app, 'update media set timeouts = 1, attempts = 1 where id = $1', [id]);
    // One that ends between being found and being killed was not killed: the next one is.
    const killEncoder = () =>
      vi.waitFor(
        () => {
          const pids = encoders();
          expect(pids).not.toEqual([]);
          for (const pid of pids) process.kill(Number(pid), 'SIGKILL');
        },
        { interval: 20 },
      );
    const [first] = await Promise.allSettled([make(id), killEncoder()]);
    expect(first).toMatchObject({ status: 'rejected', reason: new Error('a program died over a video') });
    expect(await itemOf(id)).toMatchObject({ state: 'processing', failCode: null });
    await Promise.all([make(id), killEncoder()]);
    expect(await itemOf(id)).toMatchObject({ state: 'failed', failCode: 'CORRUPT', canRetry: true });
    expect((await app.call('media.retry', { mediaId: id }, ana.browser)).status).toBe(200);
    expect(await readRows(app, 'select deaths, attempts from media where id = $1', [id])).toEqual([
      { deaths: 0, attempts: 0 },
    ]);
  });

  it('takes the time that was made, not what its file says, and is not made beyond what is left', async () => {
    const add = async (name: string) => (await sendFile(app, ana, albumId, { name, bytes: drawLiar() })).id;
    const before = await usedSeconds();
    const liar = await add('liar.avi');
    await make(liar);
    expect(await itemOf(liar)).toMatchObject({ state: 'ready', durationMs: 4000 });
    expect(await usedSeconds()).toBe(before + 4);
    // An hour a month, of which two seconds are left.
    await set('limits.videoHours', 1);
    await readRows(app, 'update video_time set used_seconds = 3598 where user_id = $1', [ana.userId]);
    const longer = await add('longer.avi');
    await make(longer);
    expect(await itemOf(longer)).toMatchObject({
      state: 'failed',
      failCode: 'NO_VIDEO_TIME',
      failText: expect.stringMatching(
        /^This video lasts longer than its file says, and you have 2 s of video time left\./,
      ),
    });
    expect(await usedSeconds()).toBe(3598);
    await readRows(app, 'update video_time set used_seconds = $2 where user_id = $1', [ana.userId, before]);
    // Made again after its files were lost, it has taken its time before.
    await readRows(app, `update media set state = 'uploaded' where id = $1`, [liar]);
    await make(liar);
    expect(await itemOf(liar)).toMatchObject({ state: 'ready' });
    expect(await usedSeconds()).toBe(before);
  });

  it('takes no time when it is deleted while it is made', async () => {
    const before = await usedSeconds();
    const { id } = await sendFile(app, ana, albumId, { name: 'gone.mp4', bytes: drawClip({ seconds: 3 }) });
    const deleteIt = async () => {
      await expect.poll(encoders, { interval: 20 }).not.toEqual([]);
      await readRows(app, 'update media set deleted_at = now() where id = $1', [id]);
    };
    await Promise.all([make(id), deleteIt()]);
    expect(encoders()).toEqual([]);
    expect(await usedSeconds()).toBe(before);
  });

  it('waits where its creator has no video time left, and is made once there is more', async () => {
    await set('limits.videoHours', 0);
    const { id } = await sendFile(app, ana, albumId, { name: 'more.mp4', bytes: drawClip({ seconds: 2 }) });
    await make(id);
    expect(await itemOf(id)).toMatchObject({
      state: 'failed',
      failCode: 'NO_VIDEO_TIME',
      failText:
        'This video lasts 2 s, and you have no video time left. Add an hour under Credits, or try again next month.',
      canRetry: true,
    });
    await giveCredits(app, ana.userId, 5);
    const bought = await app.call('credits.addVideoTime', { credits: 5 }, ana.browser);
    expect(bought).toMatchObject({ status: 200, body: { extraSeconds: 3600 } });
    expect(await itemOf(id)).toMatchObject({ state: 'uploaded', failCode: null });
    await make(id);
    expect(await itemOf(id)).toMatchObject({ state: 'ready' });
    expect((await app.call('credits.uses', {}, ana.browser)).body.videoTime).toMatchObject({ extraSeconds: 3598 });
  });

  it('may be worked on as long as the settings say', async () => {
    await set('limits.videoJobSeconds', 30);
    await set('limits.videoJobSecondsPerSecond', 2);
    expect(await findVideoLimits(app.engines)).toMatchObject({ jobSeconds: 30, jobSecondsPerSecond: 2 });
  });
});
