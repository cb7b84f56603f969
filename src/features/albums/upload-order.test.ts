import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HouseInTest, headersOf, openHouse } from '#tests/support/house.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';

let house: HouseInTest;
let ana: Person;
let url: string;

beforeAll(async () => {
  house = await openHouse();
  await house.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(house.app.server.address() as AddressInfo).port}`;
  ana = await signUpCreator(house);
}, 120_000);
afterAll(() => house.close());

const ask = (path: string, method: string, headers: Record<string, string>, body?: string) =>
  fetch(new URL(path, url), {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headersOf(ana.browser), ...headers },
    ...(body !== undefined && { body }),
  });

async function begin(albumId: string, name: string): Promise<string> {
  const sha256 = createHash('sha256').update(name).digest('hex');
  const metadata = Object.entries({ albumId, filename: name, filetype: 'image/jpeg', sha256 })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
  const begun = await ask('/files', 'POST', { 'upload-length': String(name.length), 'upload-metadata': metadata });
  return begun.headers.get('location') ?? '';
}
const send = (location: string, name: string) =>
  ask(location, 'PATCH', { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }, name);

test('photos stand in the order in which they were begun, whichever is whole first', async () => {
  const albumId: string = (await house.call('albums.create', { name: 'Sea' }, ana.browser)).body.id;
  const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'];
  const begun: { name: string; location: string }[] = [];
  for (const name of names) {
    begun.push({ name, location: await begin(albumId, name) });
    house.setNow(new Date(house.engines.clock() + 1).toISOString());
  }
  for (const place of [1, 3, 0, 2]) {
    const { name, location } = begun[place] ?? { name: '', location: '' };
    expect((await send(location, name)).status).toBe(204);
  }
  const { body } = await house.call('albums.one', { albumId }, ana.browser);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual(
    begun.map(({ location }) => location.split('/').at(-1)),
  );
});
