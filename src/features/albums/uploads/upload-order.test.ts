import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let ana: Person;
let url: string;

beforeAll(async () => {
  app = await openTestApp();
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
  ana = await signUpCreator(app);
});
afterAll(() => app.close());

const ask = (path: string, method: string, headers: Record<string, string>, body?: string) =>
  fetch(new URL(path, url), {
    method,
    headers: { 'tus-resumable': '1.0.0', 'x-csrf-token': 'orpc', ...headersOf(ana.browser), ...headers },
    ...(body !== undefined && { body }),
  });

async function begin(albumId: string, name: string): Promise<string> {
  const sha256 = createHash('sha256').update(name).digest('hex');
  const metadata = uploadMetadata({ albumId, filename: name, filetype: 'image/jpeg', sha256 });
  const begun = await ask('/files', 'POST', { 'upload-length': String(name.length), 'upload-metadata': metadata });
  return begun.headers.get('location') ?? '';
}
const send = (location: string, name: string) =>
  ask(location, 'PATCH', { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }, name);

test('photos stand in the order in which they were begun, whichever is whole first', async () => {
  const albumId: string = (await app.call('albums.create', { name: 'Sea', peopleConsent: 'only_me' }, ana.browser)).body
    .id;
  const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg', 'five.jpg'];
  const begun: { name: string; location: string }[] = [];
  // All in one millisecond: neither the clock nor the ids tell which was first.
  for (const name of names) begun.push({ name, location: await begin(albumId, name) });
  for (const place of [4, 1, 3, 0, 2]) {
    const { name, location } = begun[place] ?? { name: '', location: '' };
    expect((await send(location, name)).status).toBe(204);
  }
  const { body } = await app.call('albums.one', { albumId }, ana.browser);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual(
    begun.map(({ location }) => location.split('/').at(-1)),
  );
});

test('photos that are whole at the same moment, while the order is changed by hand, stand in places of their own', async () => {
  const albumId: string = (await app.call('albums.create', { name: 'Land', peopleConsent: 'only_me' }, ana.browser))
    .body.id;
  const first = await begin(albumId, 'first.jpg');
  await send(first, 'first.jpg');
  const names = Array.from({ length: 6 }, (_, n) => `many-${n}.jpg`);
  const begun: { name: string; location: string }[] = [];
  for (const name of names) begun.push({ name, location: await begin(albumId, name) });
  const mediaIds = [first.split('/').at(-1)];
  const [reordered, ...sent] = await Promise.all([
    app.call('albums.reorder', { albumId, mediaIds }, ana.browser),
    ...begun.toReversed().map(({ name, location }) => send(location, name)),
  ]);
  expect([reordered?.status, ...sent.map(({ status }) => status)]).toEqual([200, 204, 204, 204, 204, 204, 204]);
  const places = await app.engines.database.work({ kind: 'system' }, ({ db }) =>
    db
      .selectFrom('album_items')
      .select(['media_id', 'position'])
      .where('album_id', '=', albumId)
      .orderBy('position')
      .execute(),
  );
  expect(new Set(places.map(({ position }) => position)).size).toBe(7);
  expect(places.map(({ media_id }) => media_id)).toEqual(
    [first, ...begun.map(({ location }) => location)].map((one) => one.split('/').at(-1)),
  );
});

test('uploads that are begun at the same moment stop at the space that there is', async () => {
  const mia = await signUpCreator(app);
  const albumId: string = (await app.call('albums.create', { name: 'Full', peopleConsent: 'only_me' }, mia.browser))
    .body.id;
  const key = 'limits.trialStorageBytes';
  await app.engines.database.work({ kind: 'system' }, (tx) =>
    writeSetting(tx, { key, value: 100_000_000, by: null, now: new Date() }),
  );
  await vi.waitFor(async () => expect((await settingsOf(app.engines))[key]).toBe(100_000_000));
  const sizeBytes = 40_000_000;
  const metadata = uploadMetadata({ albumId });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      fetch(`${url}/files`, {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'x-csrf-token': 'orpc',
          ...headersOf(mia.browser),
          'upload-length': String(sizeBytes),
          'upload-metadata': metadata,
        },
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
});
