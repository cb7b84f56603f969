import { describe, expect, it, vi } from 'vitest';
import { videoQueue } from '#features/media/queues.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp } from '#tests/support/test-app.ts';

if (!canDrawClips) warnNoClips();
describe.runIf(canDrawClips)('a server that stops', () => {
  it('puts a video that it is making back, and does not wait for it as long as for what is short', async () => {
    const app = await openTestApp();
    const ana = await signUpCreator(app);
    await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    const albumId = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, ana.browser)).body
      .id;
    const bytes = drawClip({ seconds: 30, width: 1280, height: 720, also: ['-preset', 'ultrafast'] });
    const { id } = await sendFile(app, ana, albumId, { name: 'long.mp4', bytes });
    const progressOf = async () => (await readRows(app, 'select progress from media where id = $1', [id]))[0];
    await vi.waitFor(async () => expect((await progressOf())?.progress).toBeGreaterThan(0), {
      interval: 100,
    });
    const { database } = app.engines;
    const close = database.close.bind(database);
    let left: unknown;
    database.close = async () => {
      const one = `select m.state, m.attempts, j.state::text as job from media m, pgboss.job j where j.name = $1 and j.data->>'mediaId' = m.id::text`;
      left = await readRows(app, one, [videoQueue]);
      await close();
    };
    await app.close();
    expect(left).toEqual([{ state: 'processing', attempts: 0, job: 'retry' }]);
  });
});
