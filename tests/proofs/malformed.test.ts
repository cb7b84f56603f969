import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { decryptTile } from '#features/media/keys.ts';
import { findMediaKey } from '#features/media/keys-store.ts';
import { readPackHeader, tileBytes } from '#features/media/pack.ts';
import { type HouseInTest, headersOf, openHouse } from '#tests/support/house.ts';
import { cameraExif, paintJpeg } from '#tests/support/paint.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { countOf, tellProof } from './counts.ts';
import { makeHostileFiles } from './hostile-files.ts';

let house: HouseInTest;
let creator: Person;
let url: string;
let asked = 0;
const listener = createServer((_request, response) => {
  asked++;
  response.end();
});

beforeAll(async () => {
  house = await openHouse();
  creator = await signUpCreator(house);
  await house.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(house.app.server.address() as AddressInfo).port}`;
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
}, 120_000);
afterAll(async () => {
  listener.close();
  await house.close();
});

const encode = (text: string) => Buffer.from(text).toString('base64');

/** One file by the real way: created and sent as tus, all in one. @returns the status and the upload's id */
async function send(albumId: string, name: string, bytes: Buffer): Promise<{ status: number; id: string }> {
  const headers = {
    'tus-resumable': '1.0.0',
    ...headersOf(creator.browser),
    'upload-length': String(bytes.length),
    'upload-metadata': `albumId ${encode(albumId)},filename ${encode(name)}`,
    'content-type': 'application/offset+octet-stream',
  };
  const answer = await fetch(`${url}/files`, { method: 'POST', headers, body: new Uint8Array(bytes) });
  return { status: answer.status, id: answer.headers.get('location')?.split('/').at(-1) ?? '' };
}

const states = async () =>
  house.engines.database.work(
    { kind: 'system' },
    async ({ client }) =>
      (
        await client.query<{ id: string; state: string; fail_code: string | null }>(
          'select id, state, fail_code from media',
        )
      ).rows,
  );

/** What became of the files that were sent; the last one is a good one. */
async function gather(statuses: readonly number[], goodId: string) {
  const staged = readdirSync(path.join(house.engines.house.dataDir, 'staging'));
  return { statuses, goodId, ended: await states(), asked, staged, health: (await fetch(`${url}/healthz`)).status };
}

/** What went wrong with them, in words. */
function faultsOf({
  statuses,
  goodId,
  ended,
  asked: asks,
  staged,
  health,
}: Awaited<ReturnType<typeof gather>>): string[] {
  const taken = statuses.filter((status) => status < 300).length;
  const isOver = ({ state }: { state: string }) => state === 'ready' || state === 'failed';
  const faults: Record<string, boolean> = {
    'an error of the server': statuses.some((status) => status >= 500),
    'a file that nobody heard of again': ended.length !== taken || !ended.every(isOver),
    'a failure without a reason': ended.some(({ state, fail_code }) => state === 'failed' && fail_code === null),
    'a good file that was held up': ended.find(({ id }) => id === goodId)?.state !== 'ready',
    'somebody was asked': asks > 0,
    'something was left in staging': staged.length > 0,
    'the server is ill': health !== 200,
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

/** What was sent by the drill. */
let sent: { statuses: number[]; goodId: string };

test('R7: hostile files end with a reason, ask nobody, leave nothing and hold up nobody', async () => {
  const seeds = [7, Math.floor(Date.now() / 1000)];
  const count = countOf(100, 500, 2500);
  const { address, port } = listener.address() as AddressInfo;
  const files = (
    await Promise.all(seeds.map((seed) => makeHostileFiles(seed, count, `http://${address}:${port}`)))
  ).flat();
  const openAlbum = async () =>
    String((await house.call('albums.create', { name: 'Hostile' }, creator.browser)).body.id);
  const statuses: number[] = [];
  let albumId = await openAlbum();
  for (const [n, { name, bytes }] of files.entries()) {
    if (n % 400 === 399) albumId = await openAlbum();
    statuses.push((await send(albumId, name, bytes)).status);
  }
  const good = await send(albumId, 'good.jpg', await paintJpeg(3, 300, 200));
  sent = { statuses: [...statuses, good.status], goodId: good.id };
  await vi.waitFor(
    async () => expect((await states()).filter(({ state }) => state !== 'ready' && state !== 'failed')).toEqual([]),
    { timeout: 900_000, interval: 500 },
  );
  const found = await gather(sent.statuses, good.id);
  const failed = found.ended.filter(({ state }) => state === 'failed');
  tellProof('malformed', files.length, {
    seed: seeds[1] ?? 0,
    failed: failed.length,
    ready: found.ended.length - failed.length,
    connections: asked,
    serverErrors: statuses.filter((status) => status >= 500).length,
  });
  expect(faultsOf(found)).toEqual([]);
  expect(failed.length).toBeGreaterThan(files.length / 4);
}, 1_800_000);

test('R7, planted: a decoder that asks somebody, a file that is left, a failure without a word and a good file held up are found', async () => {
  const { address, port } = listener.address() as AddressInfo;
  const left = path.join(house.engines.house.dataDir, 'staging', 'planted');
  const change = (text: string, values: unknown[]) =>
    house.engines.database.work({ kind: 'system' }, ({ client }) => client.query(text, values));
  const find = async (statuses = sent.statuses) => faultsOf(await gather(statuses, sent.goodId));
  expect(await find()).toEqual([]);
  writeFileSync(left, 'plaintext');
  await fetch(`http://${address}:${port}/planted`);
  await change(`update media set state = 'failed' where id = $1`, [sent.goodId]);
  const found = await find([...sent.statuses, 201, 500]);
  rmSync(left);
  await change(`update media set state = 'ready' where id = $1`, [sent.goodId]);
  asked = 0;
  expect(found).toEqual([
    'an error of the server',
    'a file that nobody heard of again',
    'a failure without a reason',
    'a good file that was held up',
    'somebody was asked',
    'something was left in staging',
  ]);
});

/** The position of the camera in every form in which a file could hold it, and what else it told about its owner. */
const traces = [
  Buffer.from('48.85830'),
  Buffer.from('2.29450'),
  Buffer.from(cameraExif.IFD0.Make),
  Buffer.from(cameraExif.IFD2.BodySerialNumber),
  Buffer.from(cameraExif.IFD0.DateTime),
  Buffer.from('Exif\0\0'),
  Buffer.from(new Float64Array([48.858306]).buffer),
  Buffer.from(new Float32Array([48.858306]).buffer),
  (() => {
    const rational = Buffer.alloc(8);
    rational.writeUInt32LE(2990, 0);
    rational.writeUInt32LE(100, 4);
    return rational;
  })(),
  (() => {
    const rational = Buffer.alloc(8);
    rational.writeUInt32BE(2990, 0);
    rational.writeUInt32BE(100, 4);
    return rational;
  })(),
];

test('R8: nothing of the camera is in anything that is stored for viewers, and the creator is told what went', async () => {
  const jpeg = await paintJpeg(11, 900, 600);
  const inFile = traces.filter((trace) => jpeg.includes(trace)).length;
  expect(inFile).toBeGreaterThanOrEqual(4);
  const albumId = (await house.call('albums.create', { name: 'Camera' }, creator.browser)).body.id;
  const { id } = await send(albumId, 'camera.jpg', jpeg);
  const item = await vi.waitFor(
    async () => {
      const { items } = (await house.call('albums.one', { albumId }, creator.browser)).body;
      expect(items[0]?.state).toBe('ready');
      return items[0];
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(item.removed).toEqual(expect.arrayContaining(['location', 'device', 'time']));
  const mediaKey = await house.engines.database.work({ kind: 'system' }, (tx) =>
    findMediaKey(tx, house.engines.keys, id),
  );
  if (mediaKey === undefined) throw new Error('no key');
  let searched = 0;
  const search = (what: string, bytes: Buffer) => {
    searched++;
    for (const trace of traces) expect(bytes.includes(trace), `${trace} in ${what}`).toBe(false);
  };
  for await (const file of house.engines.storage.list(`media/${id}/`)) {
    const stored = await house.engines.storage.read(file);
    search(file, stored);
    if (!file.endsWith('.pfp')) continue;
    const header = readPackHeader(stored);
    const track = header.width > 512 ? 'p2048' : 'thumb512';
    for (const slot of [0, 1] as const)
      for (let tile = 0; tile < header.columns * header.rows; tile++)
        search(
          `tile ${tile}`,
          decryptTile(mediaKey, header.packId, track, slot, tile, tileBytes(stored, header, tile, slot)),
        );
  }
  const rows = await house.engines.database.work(
    { kind: 'system' },
    async ({ client }) => (await client.query('select teaser, thumbhash from media where id = $1', [id])).rows[0],
  );
  search('teaser', rows.teaser);
  search('thumbhash', rows.thumbhash);
  search('the list', Buffer.from(JSON.stringify((await house.call('albums.one', { albumId }, creator.browser)).body)));
  expect(searched).toBeGreaterThan(100);
});
