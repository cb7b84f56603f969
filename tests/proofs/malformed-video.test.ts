import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { canDrawClips, drawClip, tellNoClips } from '#tests/support/clips.ts';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { sendFile } from '#tests/support/send-file.ts';
import { countOf, tellProof } from './counts.ts';
import { damage, type HostileFile, numbersFrom } from './hostile-files.ts';

if (!canDrawClips) tellNoClips();

let house: HouseInTest;
let creator: Person;
let asked = 0;
const listener = createServer((_request, response) => {
  asked++;
  response.end();
});

beforeAll(async () => {
  house = await openHouse();
  creator = await signUpCreator(house);
  await house.app.listen({ port: 0, host: '127.0.0.1' });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
}, 120_000);
afterAll(async () => {
  listener.close();
  await house.close();
});

/** Files that would have another file read, or that promise what no machine holds; `sink` is an address that nobody may ask. */
function liars(good: Buffer, sink: string): HostileFile[] {
  const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${sink}/a.ts\n#EXT-X-ENDLIST\n`;
  const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1');
  const webm = Buffer.concat([Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex')]);
  const giant = Buffer.from(good);
  const size = giant.indexOf('avc1') + 28;
  giant.writeUInt16BE(65_535, size);
  giant.writeUInt16BE(65_535, size + 2);
  const files: [string, string | Buffer][] = [
    ['playlist', playlist],
    ['concat list', `ffconcat version 1.0\nfile '${sink}/b.mp4'\n`],
    ['concat list of this machine', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
    ['playlist behind the head of an mp4', Buffer.concat([head, Buffer.from(playlist)])],
    ['playlist behind the head of a webm', Buffer.concat([webm, Buffer.from(playlist)])],
    ['html', `<html><video src="${sink}/c"></html>`],
    ['svg', `<svg xmlns="http://www.w3.org/2000/svg"><image href="${sink}/d"/></svg>`],
    ['empty', ''],
    ['only a head', head],
    ['mp4 of 65,535 pixels a side', giant],
    [
      'transport stream of nothing',
      Buffer.concat(Array.from({ length: 400 }, () => Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187, 0xff)]))),
    ],
  ];
  return files.map(([what, bytes]) => ({ what, name: `${what}.mp4`, bytes: Buffer.from(bytes) }));
}

function makeFiles(seed: number, count: number, sink: string): HostileFile[] {
  const random = numbersFrom(seed);
  const small = { seconds: 1, width: 160, height: 90 };
  const clips = [
    drawClip({ ...small, also: ['-movflags', '+faststart'] }),
    drawClip({ ...small, ending: 'mov' }),
    drawClip({ ...small, ending: 'webm', also: ['-c:v', 'libvpx', '-deadline', 'realtime'] }),
    drawClip({ ...small, ending: 'ts' }),
  ];
  const files = liars(clips[0] ?? Buffer.alloc(0), sink);
  for (let n = files.length; n < count; n++) {
    const clip = clips[n % clips.length] ?? Buffer.alloc(0);
    files.push({ ...damage(clip, random), name: n % 3 === 0 ? 'film.jpg' : 'film.mp4' });
  }
  return files;
}

const states = () =>
  house.engines.database.work(
    { kind: 'system' },
    async ({ client }) =>
      (
        await client.query<{ id: string; state: string; fail_code: string | null }>(
          'select id, state, fail_code from media',
        )
      ).rows,
  );

/** Stored files that no row names. */
async function strays(): Promise<string[]> {
  const named = await house.engines.database.work(
    { kind: 'system' },
    async ({ client }) =>
      (
        await client.query<{ path: string }>(
          'select path from packs union all select path from segment_files union all select original_path from media',
        )
      ).rows,
  );
  const names = new Set(named.map(({ path: file }) => file));
  const found: string[] = [];
  for await (const file of house.engines.storage.list('media/')) if (!names.has(file)) found.push(file);
  return found;
}

test.runIf(canDrawClips)(
  'R7: hostile films end with a reason, ask nobody, leave nothing and hold up nobody',
  async () => {
    const { address, port } = listener.address() as AddressInfo;
    const seeds = [11, Math.floor(Date.now() / 1000)];
    const count = countOf(13, 170);
    const files = seeds.flatMap((seed) => makeFiles(seed, count, `http://${address}:${port}`));
    const albumId = (await house.call('albums.create', { name: 'Hostile' }, creator.browser)).body.id;
    await house.engines.database.work({ kind: 'system' }, ({ client }) =>
      client.query(`insert into app_settings (key, value) values ('limits.itemsPerAlbum', '5000')`),
    );
    const statuses: number[] = [];
    for (const file of files) statuses.push((await sendFile(house, creator, albumId, file)).status);
    const good = await sendFile(house, creator, albumId, { name: 'good.mp4', bytes: drawClip({ seconds: 1 }) });
    await vi.waitFor(
      async () => expect((await states()).filter(({ state }) => state !== 'ready' && state !== 'failed')).toEqual([]),
      { timeout: 3_000_000, interval: 500 },
    );
    const ended = await states();
    const failed = ended.filter(({ state }) => state === 'failed');
    tellProof('malformed-video', files.length, {
      seed: seeds[1] ?? 0,
      failed: failed.length,
      ready: ended.length - failed.length,
      connections: asked,
      serverErrors: statuses.filter((status) => status >= 500).length,
    });
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(failed.filter(({ fail_code }) => fail_code === null)).toEqual([]);
    expect(failed.length).toBeGreaterThan(files.length / 4);
    expect(ended.find(({ id }) => id === good.id)?.state).toBe('ready');
    expect(asked).toBe(0);
    expect(await strays()).toEqual([]);
    expect(readdirSync(path.join(house.engines.house.dataDir, 'staging'))).toEqual([]);
    const work = readdirSync(tmpdir()).filter((name) => name.startsWith(`privatefans-child-${process.pid}-`));
    expect(work.filter((name) => existsSync(path.join(tmpdir(), name, 'inputs/original')))).toEqual([]);
    expect((await house.app.inject('/healthz')).statusCode).toBe(200);
  },
  3_600_000,
);
