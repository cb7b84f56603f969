import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type ByteRange, checkPath, type Storage, StorageAway, StorageMissing } from './storage.ts';

/** Unfinished files lie here, in the same file system as the finished ones. */
const unfinished = '.unfinished';

/** Whose an unfinished file is: machine, process, and this life of it (a restarted container has the same numbers). */
const life = `${process.pid}.${randomBytes(6).toString('hex')}`;
let written = 0;

const isMissing = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** What a disk says that is full, broken, mounted for reading only or out of its reach; no fault of the file. */
const diskTrouble = /^(ENOSPC|EDQUOT|EROFS|EIO|EMFILE|ENFILE|ESTALE|ENXIO|ENODEV|EACCES|EPERM)$/;

const asAway = (error: unknown): unknown =>
  diskTrouble.test((error as NodeJS.ErrnoException | null)?.code ?? '') ? new StorageAway(error) : error;

/** Storage in a folder of this machine. What a put has answered for survives a power cut. */
export function openDiskStorage(folder: string): Storage {
  const root = path.resolve(folder);
  const placeOf = (name: string) => path.join(root, checkPath(name));
  let swept: Promise<void> | undefined;

  /** A disk that was full at the first try is swept at the next one. */
  const sweepOnce = () => {
    swept ??= sweepUnfinished(path.join(root, unfinished)).catch((error: unknown) => {
      swept = undefined;
      throw error;
    });
    return swept;
  };
  return {
    place: `files in ${root}`,
    async put(name, bytes, sizeBytes) {
      // A stream may break before it is read: whoever reads it is told then, and an error that nobody hears ends the process.
      if (!Buffer.isBuffer(bytes)) bytes.on('error', () => undefined);
      const target = placeOf(name);
      const made = path.join(root, unfinished, `${hostname()}.${life}.${written++}`);
      try {
        await sweepOnce();
        await makeFolder(root, path.dirname(target));
        await writeWhole(made, bytes, sizeBytes);
        await rename(made, target);
        await syncFolder(path.dirname(target));
      } catch (error) {
        await rm(made, { force: true }).catch(() => undefined); // the first error is the one to tell
        throw asAway(error);
      }
    },
    async read(name, range) {
      try {
        return await (range === undefined ? readFile(placeOf(name)) : readRange(placeOf(name), range));
      } catch (error) {
        throw isMissing(error) ? new StorageMissing(name) : asAway(error);
      }
    },
    async open(name) {
      try {
        return createReadStream('', { fd: await openFile(placeOf(name)) });
      } catch (error) {
        throw isMissing(error) ? new StorageMissing(name) : asAway(error);
      }
    },
    async remove(name) {
      const place = placeOf(name);
      await rm(place, { force: true }).catch((error: unknown) => {
        throw asAway(error);
      });
    },
    async *list(prefix) {
      yield* filesBelow(root, prefix);
    },
    freeBytes: () => findFreeBytes(root),
  };
}

/** Makes the folder of unfinished files and removes what killed processes of this machine left in it. */
async function sweepUnfinished(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const mine = `${hostname()}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(mine)) continue;
    const [pid = '', token = ''] = name.slice(mine.length).split('.');
    const isInUse = Number(pid) === process.pid ? life === `${pid}.${token}` : isAlive(Number(pid));
    if (!isInUse) await rm(path.join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** @throws with ENOENT for a folder as well */
async function openFile(place: string): Promise<FileHandle> {
  const file = await open(place);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw Object.assign(new Error('Not a file.'), { code: 'ENOENT' });
}

/** One buffer and, but for a disk that gives little at a time, one call: a stream would cost five times as much. */
async function readRange(place: string, { from, to }: ByteRange): Promise<Buffer> {
  const file = await openFile(place);
  try {
    const bytes = Buffer.allocUnsafeSlow(to - from + 1);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
      if (bytesRead === 0) throw new StorageAway(new Error(`${from + at} bytes instead of ${to + 1}`));
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

/** Makes a folder and writes down each new name in the folder above it. */
async function makeFolder(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let at = path.dirname(folder); at.startsWith(root); at = path.dirname(at)) await syncFolder(at);
}

/** Before the first put there is no folder yet, but the one in which it will be. */
async function findFreeBytes(root: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(existsSync(root) ? root : path.dirname(root));
    return bavail * bsize;
  } catch (error) {
    throw asAway(error);
  }
}

/** @throws when the bytes end early, break off, or are more or fewer than `sizeBytes` */
async function writeWhole(place: string, bytes: Buffer | Readable, sizeBytes: number | undefined): Promise<void> {
  const file = await open(place, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    const { size } = await file.stat();
    const wanted = Buffer.isBuffer(bytes) ? bytes.length : (sizeBytes ?? size);
    if (size !== wanted) throw new Error(`${size} bytes were written where ${wanted} were announced.`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is lasting only when the folder itself is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Walks only the folders that can hold a path beginning with `prefix`. */
async function* filesBelow(root: string, prefix: string): AsyncIterable<string> {
  const above = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  if (above !== '') checkPath(above.slice(0, -1));
  const pending = [above];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await entriesOf(path.join(root, folder))) {
      const name = `${folder}${entry.name}`;
      if (name === unfinished || !(name.startsWith(prefix) || prefix.startsWith(`${name}/`))) continue;
      if (entry.isDirectory()) pending.push(`${name}/`);
      else if (name.startsWith(prefix)) yield name;
    }
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
