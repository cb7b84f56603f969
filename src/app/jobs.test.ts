import { describe, expect, it, vi } from 'vitest';
import { stopPatienceMs } from '#engines/jobs/pg-boss.ts';
import { videoQueue } from '#features/media/queues.ts';
import { canDrawClips, drawClip, tellNoClips } from '#tests/support/clips.ts';
import { openHouse } from '#tests/support/house.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { sendFile } from '#tests/support/send-file.ts';

if (!canDrawClips) tellNoClips();
vi.setConfig({ testTimeout: 300_000 });

describe.runIf(canDrawClips)('a server that stops', () => {
  it('puts a video that it is making back, and does not wait for it as long as for what is short', async () => {
    const house = await openHouse();
    const ana = await signUpCreator(house);
    await house.app.listen({ port: 0, host: '127.0.0.1' });
    const albumId = (await house.call('albums.create', { name: 'Videos' }, ana.browser)).body.id;
    const bytes = drawClip({ seconds: 60, width: 1280, height: 720, also: ['-preset', 'ultrafast'] });
    const { id } = await sendFile(house, ana, albumId, { name: 'long.mp4', bytes });
    const progressOf = async () => (await readRows(house, 'select progress from media where id = $1', [id]))[0];
    await vi.waitFor(async () => expect((await progressOf())?.progress).toBeGreaterThan(0), {
      timeout: 120_000,
      interval: 100,
    });
    const { database } = house.engines;
    const close = database.close.bind(database);
    let left: unknown;
    database.close = async () => {
      const one = `select m.state, m.attempts, j.state::text as job from media m, pgboss.job j where j.name = $1 and j.data->>'mediaId' = m.id::text`;
      left = await readRows(house, one, [videoQueue]);
      await close();
    };
    const since = performance.now();
    await house.close();
    expect(performance.now() - since).toBeLessThan(stopPatienceMs);
    expect(left).toEqual([{ state: 'processing', attempts: 0, job: 'retry' }]);
  });
});
