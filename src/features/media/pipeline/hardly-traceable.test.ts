import { expect, it } from 'vitest';
import { openPainting, paintJpeg } from '#tests/support/media/paint.ts';
import { drawNight } from '#tests/support/media/plain-pictures.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp } from '#tests/support/test-app.ts';
import { openDecoders } from '../decoding/decoders.ts';
import { openPhotoWork } from './process-photo.ts';

it('a photo that is too small for a mark that names anybody is said to be, a plain one that is large is not', async () => {
  const app = await openTestApp({ workJobs: false });
  const ana = await signUpCreator(app);
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { id: albumId } = (await app.call('albums.create', { name: 'Plain', peopleConsent: 'only_me' }, ana.browser))
    .body;
  const decoders = openDecoders(app.engines);
  const work = openPhotoWork(app.engines, decoders);
  const itemOf = async (id: string) =>
    (await app.call('albums.one', { albumId }, ana.browser)).body.items.find((item: { id: string }) => item.id === id);
  const files = [
    ['small.jpg', await paintJpeg(7, 320, 240), true],
    ['night.png', await openPainting(drawNight(640, 480)).png().toBuffer(), false],
  ] as const;
  for (const [name, bytes, isHardlyTraceable] of files) {
    const { id } = await sendFile(app, ana, albumId, { name, bytes });
    expect(await itemOf(id), 'nobody has looked yet').toMatchObject({ state: 'uploaded', isHardlyTraceable: false });
    await work.make(id, new AbortController().signal, async () => undefined);
    expect(await itemOf(id), name).toMatchObject({ state: 'ready', isHardlyTraceable });
  }
  expect(await readRows(app, 'select original_name, marked_tiles from media order by original_name')).toEqual([
    { original_name: 'night.png', marked_tiles: 80 },
    { original_name: 'small.jpg', marked_tiles: 20 },
  ]);
  await decoders.close();
  await app.close();
});
