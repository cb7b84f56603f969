// Alone: it gives modules of Node other answers.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { type Person, readRow, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { untilTraced, upload } from '#tests/support/tracing/leaks.ts';
import { openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';

/** What this machine has is hidden from whoever looks for it, name by name. */
const hidden = vi.hoisted(() => new Set<string>());
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const existsSync: typeof real.existsSync = (file) =>
    !hidden.has(String(file).split('/').at(-1) ?? '') && real.existsSync(file);
  return { ...real, existsSync };
});
vi.mock('node:module', async (load) => {
  const real = await load<typeof import('node:module')>();
  const createRequire = (from: string | URL) => {
    const needs = real.createRequire(from);
    const resolve = (name: string) => {
      if (hidden.has(name)) throw new Error(`There is no ${name}.`);
      return needs.resolve(name);
    };
    return { ...needs, resolve };
  };
  return { ...real, createRequire };
});

if (!canDrawClips) warnNoClips();
describe.runIf(canDrawClips)('the engine of videos', () => {
  const nameOf = async (...without: string[]) => {
    hidden.clear();
    for (const name of without) hidden.add(name);
    return (await openVideoEngine(await openWalls({ hidden: [] })))?.name;
  };

  it('is the program where there is one of both its parts, else the package, else none', async () => {
    expect(await nameOf()).toMatch(/^ffmpeg \d/);
    const second = await nameOf('ffmpeg');
    expect(second === undefined || /^node-av \d/.test(second)).toBe(true);
    expect(await nameOf('ffprobe')).toBe(second);
    expect(await nameOf('node-av')).toMatch(/^ffmpeg \d/);
    expect(await nameOf('ffmpeg', 'node-av')).toBeUndefined();
  });
});

describe.runIf(canDrawClips)('a machine without any', () => {
  let app: TestApp;
  let viewerApi: ViewerApi;
  let ana: Person;
  beforeAll(async () => {
    hidden.add('ffmpeg').add('ffprobe').add('node-av');
    app = await openTestApp();
    viewerApi = await openViewerApi(app);
    ana = await signUpCreator(app);
  });
  afterAll(async () => {
    hidden.clear();
    await app.close();
  });

  it('says so to its operator, and refuses a video with a sentence that says whose matter it is', async () => {
    const warned = vi.spyOn(app.engines.log, 'warn');
    const albumId = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, ana.browser)).body
      .id;
    const { id } = await sendFile(app, ana, albumId, { name: 'video.mp4', bytes: drawClip({ seconds: 1 }) });
    const itemOf = async () => (await app.call('albums.one', { albumId }, ana.browser)).body.items[0];
    await vi.waitFor(async () => expect((await itemOf()).state).toBe('failed'), { interval: 100 });
    expect(await itemOf()).toMatchObject({
      id,
      failCode: 'UNSUPPORTED',
      failText: "This server can't process videos yet. Its operator needs to install ffmpeg.",
    });
    // What was paid to have it made sooner goes back.
    expect(await readRow(app, 'select has_failed from media where id = $1', [id])).toEqual({ has_failed: true });
    expect(warned.mock.calls).toEqual([[{}, 'videos cannot be read: install ffmpeg 5.1 or newer']]);
  });

  it('says so of leaked clips too, once, and gives each a clear answer', async () => {
    const { log } = app.engines;
    const [warned, reported] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'info')];
    for (const _ of [1, 2]) {
      const { body } = await upload({ viewerApi }, drawClip({ seconds: 1 }), ana.browser);
      expect(await untilTraced({ app }, body.traceId, ana.browser)).toMatchObject({
        state: 'failed',
        outcome: null,
        failText: expect.stringMatching(/^This installation can't read videos: its operator needs to install ffmpeg\./),
      });
      const refusal = { traceId: body.traceId, code: 'NO_ENGINE', words: 'no engine' };
      expect(reported.mock.calls).toContainEqual([refusal, 'a leaked copy was refused']);
    }
    expect(warned.mock.calls).toEqual([[{}, 'clips cannot be read: install ffmpeg 5.1 or newer']]);
  });
});
