import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listOwnProcesses } from '#tests/support/database/own-processes.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';

guards(
  'src/features/media/pipeline/**',
  'src/features/albums/jobs.ts',
  'src/engines/video/**',
  'src/engines/children/**',
);

if (!canDrawClips) warnNoClips();
describe.runIf(canDrawClips)('a program that dies over a video', () => {
  let app: TestApp;
  let ana: Person;
  let albumId: string;
  let id: string;
  beforeAll(async () => {
    app = await openTestApp();
    ana = await signUpCreator(app);
    if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    albumId = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, ana.browser)).body.id;
  });
  afterAll(() => app.close());

  const itemOf = async () => {
    const { items } = (await app.call('albums.one', { albumId }, ana.browser)).body;
    return items.find((item: { id: string }) => item.id === id);
  };
  const untilEnded = async () => {
    await expect
      .poll(async () => (await itemOf()).state, { timeout: 300_000, interval: 200 })
      .toMatch(/^(ready|failed)$/);
    return itemOf();
  };
  /** Kills whatever encodes, as the system does when memory runs out. */
  const killEncoder = async () => {
    const encoders = () => listOwnProcesses('libx264');
    await expect.poll(encoders, { interval: 20 }).not.toEqual([]);
    for (const pid of encoders()) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // it went with the one before
      }
    }
    await expect.poll(encoders, { interval: 20 }).toEqual([]);
  };
  /** A try that died is told to the operator. */
  const received = () => {
    const said = vi.spyOn(console, 'error');
    const tries = said.mock.calls.map(([{ area, queue, tries: count }]) => [area, queue, count]);
    said.mockClear();
    return tries;
  };

  it("twice is the video's fault, which is said, and its creator may try again", async () => {
    ({ id } = await sendFile(app, ana, albumId, { name: 'clip.mp4', bytes: drawClip() }));
    await killEncoder();
    await killEncoder();
    const failed = await untilEnded();
    expect(failed).toMatchObject({ state: 'failed', failCode: 'CORRUPT', canRetry: true });
    expect(failed.failText).toBe('This file is damaged – try exporting it again');
    expect(received()).toEqual([['jobs', 'film.process', 1]]);
  });

  it('once is no reason to give up: the machine may have been in distress, and it is begun once more', async () => {
    expect((await app.call('media.retry', { mediaId: id }, ana.browser)).status).toBe(200);
    await killEncoder();
    expect(await untilEnded()).toMatchObject({ state: 'ready', failCode: null });
    expect(received()).toEqual([['jobs', 'film.process', 1]]);
  });
});
