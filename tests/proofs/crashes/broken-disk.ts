import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { filesBelow } from '#tests/support/database/list-below.ts';
import { findFreePort, makeDataDir, type ServerProcess, spawnServer } from '#tests/support/servers/server-process.ts';
import { type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, headersOf } from '#tests/support/test-app.ts';

const folders: string[] = [];
const mounted: string[] = [];
const servers: ServerProcess[] = [];
/** What was sent, and how much of it was refused, damaged or lost. */
export const counts = { requests: 0, refused: 0, damaged: 0, lost: 0 };

/** Ends what a proof has begun. */
export async function cleanUp(): Promise<void> {
  for (const server of servers.splice(0)) await server.end('SIGTERM');
  for (const place of mounted.splice(0)) run('umount', ['-l', place]);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Mounts a small disk at a folder. @returns false where this may not be done */
export function mountDisk(place: string, megabytes: number): boolean {
  mkdirSync(place, { recursive: true });
  const options = `size=${megabytes}m,nr_inodes=${inodes},mode=0755`;
  if (run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]) !== 0) return false;
  mounted.push(place);
  return true;
}
const inodes = 6000;
const run = (program: string, words: string[]) => spawnSync(program, words, { stdio: 'ignore' }).status;
export const skipped = 'a disk of its own cannot be mounted without being root';

async function openServer(dataDir: string): Promise<Visitor> {
  const port = await findFreePort();
  const server = spawnServer({ port, dataDir, environment: { PF_ROLE: 'web' } });
  servers.push(server);
  await server.untilUp();
  return visit(server);
}
export function newFolder(): string {
  const folder = makeDataDir('pf-disk-');
  folders.push(folder);
  return folder;
}

/** Fills a disk to its last block, and empties it again. */
export function fill(place: string): () => void {
  const ballast = path.join(place, 'ballast');
  const { bavail, bsize } = statfsSync(place);
  writeFileSync(ballast, Buffer.alloc(Number(bavail) * Number(bsize)));
  return () => rmSync(ballast);
}
/** Takes every inode: there is room for bytes, and for no new name. */
export function crowd(place: string): () => void {
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
export function breakFile(file: string): () => void {
  renameSync(file, `${file}.whole`);
  symlinkSync('/proc/self/mem', file);
  return () => {
    rmSync(file);
    renameSync(`${file}.whole`, file);
  };
}
/** From now on only read. */
export function seal(place: string): () => void {
  expect(run('mount', ['-o', 'remount,ro', place])).toBe(0);
  return () => expect(run('mount', ['-o', 'remount,rw', place])).toBe(0);
}

/** What an upload is answered in words for people. */
export const notNow: unknown = expect.stringMatching(/continue/);

export interface Sender {
  visitor: Visitor;
  creator: Browser;
  albumId: string;
}
/** Sends what is missing of a photo; what is refused must be said in words for people, without a path in them. */
export async function sendRest({ visitor, creator }: Sender, uploadId: string, photo: Buffer): Promise<boolean> {
  counts.requests += 2;
  const at = `${visitor.viewerApi.url}/files/${uploadId}`;
  const headers = { 'tus-resumable': '1.0.0', 'x-csrf-token': 'orpc', ...headersOf(creator) };
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
  counts.refused++;
  return false;
}
export async function openSender(dataDir: string): Promise<Sender> {
  const visitor = await openServer(dataDir);
  const creator = await visitor.signUp('disk@example.com');
  creator.headers = { origin: visitor.viewerApi.url };
  const { id } = await visitor.must('albums.create', { name: 'Full', peopleConsent: 'only_me' }, creator);
  return { visitor, creator, albumId: id };
}
/** The files below a folder that are not there to fill it. */
export const listStored = (folder: string): string[] =>
  filesBelow(folder)
    .filter((name) => !path.basename(name).startsWith('ballast'))
    .map((name) => path.join(folder, name));

/** Counts what is not as it was sent. */
export async function expectSame(sender: Sender, id: string, photo: Buffer): Promise<void> {
  const isSame = await isWhole(sender, id, photo);
  counts.damaged += Number(!isSame);
  expect(isSame).toBe(true);
}
/** Returns whether a photo comes back as it was sent. */
export const isWhole = ({ visitor, creator }: Sender, id: string, photo: Buffer) =>
  visitor.download(creator, id).then(
    (bytes) => bytes.equals(photo),
    () => false,
  );

/** Albums that were acknowledged and are not there. */
export async function findLost({ visitor, creator }: Sender, acknowledged: readonly string[]): Promise<string[]> {
  const names = await listNames(visitor, creator);
  return acknowledged.filter((name) => !names.includes(name));
}
export async function expectNothingLost(sender: Sender, acknowledged: readonly string[]): Promise<void> {
  const lost = await findLost(sender, acknowledged);
  counts.lost += lost.length;
  expect(lost).toEqual([]);
}

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
