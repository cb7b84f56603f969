import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sendMedium } from '#features/media/queues.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { filesOf, mediumOf, whenEnded } from '#tests/support/media/kept-media.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';

guards(
  'src/features/media/pipeline/**',
  'src/features/albums/jobs.ts',
  'src/features/media/queues.ts',
  'src/features/albums/items/**',
  'src/engines/video/**',
);

if (!canDrawClips) warnNoClips();

let app: TestApp;
let ana: Person;
let albumId: string;
beforeAll(async () => {
  app = await openTestApp();
  ana = await signUpCreator(app);
  if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  albumId = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, ana.browser)).body.id;
});
afterAll(() => app.close());

const workFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`privatefans-child-${process.pid}-`));
/** Those in which something lies. */
const videoFolders = () => workFolders().filter((name) => existsSync(path.join(tmpdir(), name, 'inputs/original')));

test.runIf(canDrawClips)(
  'a video is begun again after its process was killed, stops at once when it is deleted, and when it comes back is made under new packs, without what was left',
  async () => {
    const { id } = await sendFile(app, ana, albumId, {
      name: 'clip.mp4',
      bytes: drawClip({ seconds: 8, width: 640, height: 360 }),
    });
    expect((await whenEnded(app, id))?.state).toBe('ready');
    const packsOf = async () =>
      (await readRows<{ id: string }>(app, 'select id from packs where media_id = $1', [id])).map((row) => row.id);
    const before = await packsOf();
    await app.engines.storage.put(`media/${id}/left/v720/1`, Buffer.from('half a file'));
    await readRows(app, `update media set state = 'processing', attempts = 1 where id = $1`, [id]);
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      sendMedium(app.engines, tx, { mediaId: id, creatorId: ana.userId, kind: 'video' }),
    );
    await vi.waitFor(async () => expect((await mediumOf(app, id))?.progress).toBeGreaterThan(0));
    expect(workFolders()).not.toEqual([]);
    const original = (await mediumOf(app, id))?.original_path;
    await app.call('media.remove', { mediaId: id }, ana.browser);
    const since = performance.now();
    await vi.waitFor(async () => expect(videoFolders()).toEqual([]), { interval: 50 });
    expect(performance.now() - since).toBeLessThan(2500);
    await vi.waitFor(async () =>
      expect((await filesOf(app, id)).filter((file) => !file.endsWith('.pfp'))).toEqual([original]),
    );
    await vi.waitFor(async () => expect((await mediumOf(app, id))?.state).toBe('processing'));
    expect((await app.call('media.restore', { mediaId: id }, ana.browser)).status).toBe(200);
    expect((await whenEnded(app, id))?.state).toBe('ready');
    const after = await packsOf();
    expect(after).toHaveLength(before.length);
    expect(after.filter((pack) => before.includes(pack))).toEqual([]);
    const files = await filesOf(app, id);
    expect(files.filter((file) => before.some((pack) => file.includes(pack)) || file.includes('/left/'))).toEqual([]);
  },
  400_000,
);
