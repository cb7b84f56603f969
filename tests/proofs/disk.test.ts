import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Browser, headersOf } from '#tests/support/house.ts';
import {
  findFreePort,
  listDatabasesIn,
  makeDataDir,
  type ServerProcess,
  spawnServer,
} from '#tests/support/server-process.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/visitor.ts';
import { countOf, tellProof } from './counts.ts';

/** R19: the real server on a disk that becomes full, runs out of inodes, breaks or may only be read: clear words, nothing lost, and on it goes without a restart. */
const folders: string[] = [];
const mounted: string[] = [];
const servers: ServerProcess[] = [];
const patience = { timeout: countOf(240_000, 3_600_000) };
let requests = 0;
let refused = 0;

/** Mounts a small disk at a folder. @returns false where this may not be done */
function mountDisk(place: string, megabytes: number): boolean {
  mkdirSync(place, { recursive: true });
  const options = `size=${megabytes}m,nr_inodes=${inodes},mode=0755`;
  if (run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]) !== 0) return false;
  mounted.push(place);
  return true;
}
const inodes = 6000;
const run = (program: string, words: string[]) => spawnSync(program, words, { stdio: 'ignore' }).status;
const skipped = 'a disk of its own cannot be mounted without being root';

afterEach(async () => {
  for (const server of servers.splice(0)) await server.end('SIGTERM');
  for (const place of mounted.splice(0)) run('umount', ['-l', place]);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
afterAll(() => tellProof('disk', requests, { refused, damaged: 0, lost: 0 }));

async function openServer(dataDir: string): Promise<Visitor> {
  const port = await findFreePort();
  const server = spawnServer({ port, dataDir, environment: { PF_ROLE: 'web' } });
  servers.push(server);
  await server.untilUp();
  return visit(server.url);
}
function newFolder(): string {
  const folder = makeDataDir('pf-disk-');
  folders.push(folder);
  return folder;
}

/** Fills a disk to its last block, and empties it again. */
function fill(place: string): () => void {
  const ballast = path.join(place, 'ballast');
  const { bavail, bsize } = statfsSync(place);
  writeFileSync(ballast, Buffer.alloc(Number(bavail) * Number(bsize)));
  return () => rmSync(ballast);
}
/** Takes every inode: there is room for bytes, and for no new name. */
function crowd(place: string): () => void {
  const names: string[] = [];
  for (let isFull = false; !isFull; ) {
    const name = path.join(place, `ballast-${names.length}`);
    try {
      closeSync(openSync(name, 'wx'));
      names.push(name);
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      isFull = true;
    }
  }
  return () => {
    for (const name of names) rmSync(name);
  };
}
/**
 * From now on every read and write of a file fails with EIO, as on a disk with a broken place: to whoever opens it, it is
 * the beginning of their own memory, where nothing is.
 */
function breakFile(file: string): () => void {
  renameSync(file, `${file}.whole`);
  symlinkSync('/proc/self/mem', file);
  return () => {
    rmSync(file);
    renameSync(`${file}.whole`, file);
  };
}
/** From now on only read. */
function seal(place: string): () => void {
  expect(run('mount', ['-o', 'remount,ro', place])).toBe(0);
  return () => expect(run('mount', ['-o', 'remount,rw', place])).toBe(0);
}

/** What an upload is answered in words for people. */
const notNow: unknown = expect.stringMatching(/goes on by itself/);

interface Sender {
  visitor: Visitor;
  creator: Browser;
  albumId: string;
}
/** Sends what is missing of a photo; what is refused must be said in words for people, without a path in them. */
async function sendRest({ visitor, creator }: Sender, uploadId: string, photo: Buffer): Promise<boolean> {
  requests += 2;
  const at = `${visitor.salon.url}/files/${uploadId}`;
  const headers = { 'tus-resumable': '1.0.0', ...headersOf(creator) };
  const asked = await fetch(at, { method: 'HEAD', headers });
  expect([200, 423]).toContain(asked.status);
  if (asked.status !== 200) return false;
  const offset = Number(asked.headers.get('upload-offset'));
  if (offset === photo.length) return true;
  const answer = await fetch(at, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(photo.subarray(offset)),
  });
  if (answer.status === 204) return true;
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'UNAVAILABLE', message: notNow }]);
  refused++;
  return false;
}
async function openSender(dataDir: string): Promise<Sender> {
  const visitor = await openServer(dataDir);
  const creator = await visitor.signUp('disk@example.com');
  creator.headers = { origin: visitor.salon.url };
  const { id } = await visitor.must('albums.create', { name: 'Full' }, creator);
  return { visitor, creator, albumId: id };
}
const filesBelow = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && !entry.name.startsWith('ballast'),
      )
    : [];

test(
  'a disk under files or uploads that is full, or only for reading, loses and damages nothing',
  patience,
  async ({ skip }) => {
    const dataDir = newFolder();
    const [files, staging] = [path.join(dataDir, 'files'), path.join(dataDir, 'staging')];
    if (![files, staging].every((place) => mountDisk(place, 24))) return skip(skipped);
    const sender = await openSender(dataDir);
    const { visitor, creator, albumId } = sender;
    const kept = await drawNoise(700, 500);
    const keptId = await visitor.beginUpload(creator, albumId, kept);
    expect(await sendRest(sender, keptId, kept)).toBe(true);
    for (let n = 0; n < countOf(1, 10); n++)
      for (const [place, trouble] of [
        [files, fill],
        [files, crowd],
        [files, seal],
        [staging, fill],
      ] as const) {
        const before = filesBelow(files).length;
        const photo = await drawNoise(900, 700);
        const uploadId = await visitor.beginUpload(creator, albumId, photo);
        const mend = trouble(place);
        expect(await sendRest(sender, uploadId, photo)).toBe(false);
        // What was there is there, and nothing half stands beside it.
        expect((await visitor.download(creator, keptId)).equals(kept)).toBe(true);
        expect(filesBelow(files)).toHaveLength(before);
        expect((await visitor.call('albums.list', {}, creator)).status).toBe(200);
        mend();
        for (let tries = 0; !(await sendRest(sender, uploadId, photo)); tries++) expect(tries).toBeLessThan(5);
        expect((await visitor.download(creator, uploadId)).equals(photo)).toBe(true);
      }
  },
);

test('without an inode for it no upload begins, and it begins as soon as there is one', patience, async ({ skip }) => {
  const dataDir = newFolder();
  const staging = path.join(dataDir, 'staging');
  if (!mountDisk(staging, 24)) return skip(skipped);
  const sender = await openSender(dataDir);
  const { visitor, creator, albumId } = sender;
  const photo = await drawNoise(300, 200);
  const begun = await visitor.beginUpload(creator, albumId, photo);
  for (let n = 0; n < countOf(1, 10); n++) {
    const mend = crowd(staging);
    const metadata = `albumId ${Buffer.from(albumId).toString('base64')}`;
    const answer = await fetch(`${visitor.salon.url}/files`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        ...headersOf(creator),
        'upload-length': String(photo.length),
        'upload-metadata': metadata,
      },
    });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'UNAVAILABLE', message: notNow }]);
    requests++;
    refused++;
    mend();
    // What was refused is no upload, and takes no space of its owner's.
    expect((await visitor.must('albums.openUploads', { albumId }, creator)).length).toBe(n === 0 ? 1 : 0);
    const uploadId = n === 0 ? begun : await visitor.beginUpload(creator, albumId, photo);
    expect(await sendRest(sender, uploadId, photo)).toBe(true);
    expect((await visitor.download(creator, uploadId)).equals(photo)).toBe(true);
  }
});

test(
  'a place of the disk that is broken is said as such, and nothing of it is shown or taken for whole',
  patience,
  async () => {
    if (!existsSync('/proc/self/mem')) return test.skip('no file of this machine fails with EIO');
    const dataDir = newFolder();
    const sender = await openSender(dataDir);
    const { visitor, creator, albumId } = sender;
    for (let n = 0; n < countOf(1, 10); n++) {
      const photo = await drawNoise(300, 200);
      const uploadId = await visitor.beginUpload(creator, albumId, photo);
      const mendStaged = breakFile(path.join(dataDir, 'staging', uploadId));
      expect(await sendRest(sender, uploadId, photo)).toBe(false);
      mendStaged();
      expect(await sendRest(sender, uploadId, photo)).toBe(true);
      const [stored] = filesBelow(path.join(dataDir, 'files', 'media', uploadId));
      if (stored === undefined) throw new Error('Nothing was stored.');
      const mendStored = breakFile(path.join(stored.parentPath, stored.name));
      const answer = await fetch(`${visitor.salon.url}/api/media/${uploadId}/original`, {
        headers: headersOf(creator),
      });
      expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'UNAVAILABLE' }]);
      requests++;
      refused++;
      mendStored();
      expect((await visitor.download(creator, uploadId)).equals(photo)).toBe(true);
    }
  },
);

test(
  'a full disk under the database, of bytes or of inodes, refuses what is written, loses nothing, and goes on when there is room',
  patience,
  async ({ skip }) => {
    const dataDir = newFolder();
    const disk = path.join(dataDir, 'pg');
    if (!mountDisk(disk, 400)) return skip(skipped);
    const { visitor, creator } = await openSender(dataDir);
    const acknowledged: string[] = [];
    for (const [n, trouble] of Array.from({ length: countOf(1, 5) }, () => [fill, crowd])
      .flat()
      .entries()) {
      const empty = trouble(disk);
      const statuses = new Set<number>();
      // Files that are there grow without an inode: most is still written.
      const most = trouble === crowd ? 20 : 200;
      for (let k = 0; k < most && !statuses.has(503); k++) {
        const name = `Round ${n} album ${k}`;
        const { status } = await visitor.call('albums.create', { name }, creator);
        requests++;
        statuses.add(status);
        if (status === 200) acknowledged.push(name);
      }
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      empty();
      const list = () =>
        visitor.call('albums.list', {}, creator).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(list, { timeout: 60_000, interval: 200 }).toBe(200);
      await wait(100);
    }
    const again = await visitor.must('albums.create', { name: 'Room again' }, creator);
    expect(again.id).toBeDefined();
    const names = await listNames(visitor, creator);
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
    expect(listDatabasesIn(disk).length).toBeGreaterThan(0);
  },
);

async function listNames(visitor: Visitor, creator: Browser): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await visitor.must('albums.list', { limit: 100, ...(cursor && { cursor }) }, creator);
    names.push(...page.albums.map(({ name }: { name: string }) => name));
    cursor = page.nextCursor;
  } while (cursor);
  return names;
}
