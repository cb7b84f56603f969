import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Engines } from '#engines/engines.ts';
import { removeStaged, sizeOfStaged } from '#features/albums/staging.ts';
import { findOpen, stagingOf } from '#features/albums/uploads-store.ts';
import { listNamedFiles } from '#features/media/missing-files-store.ts';
import { isUuid } from '#kit/ids.ts';
import { hourMs } from '#kit/time.ts';
import { expireUploads, findLostFiles, listExpiredUploads } from './files-store.ts';
import { mostListed, type Rubbish } from './kind.ts';

const system = { kind: 'system' } as const;
const batch = 500;

/** Uploads that nobody goes on with, and whose time is over. One that is whole in staging becomes a medium by itself. */
export const uploads: Rubbish = {
  async look({ database, clock, installation: { dataDir } }) {
    const rows = await database.work(system, (tx) => listExpiredUploads(tx, new Date(clock()), mostListed));
    const found = { count: 0, sizeBytes: 0, ids: [] as string[] };
    for (const { id, bytes } of rows) {
      const staged = (await sizeOfStaged(dataDir, id)) ?? 0;
      if (staged === bytes) continue;
      found.ids.push(id);
      found.count += 1;
      found.sizeBytes += staged;
    }
    return found;
  },
  async clean({ database, clock, installation: { dataDir } }, ids) {
    const rows = await database.work(system, (tx) => listExpiredUploads(tx, new Date(clock()), mostListed, ids));
    const unfinished: string[] = [];
    for (const { id, bytes } of rows) if ((await sizeOfStaged(dataDir, id)) !== bytes) unfinished.push(id);
    // A part that came meanwhile has moved its end: then it is not expired any more.
    const ended = await database.work(system, (tx) => expireUploads(tx, unfinished, new Date(clock())));
    for (const id of ended) await removeStaged(dataDir, id);
    return ended.length;
  },
};

/** So long a file in staging may lie beside an upload that has just ended. */
const restMs = hourMs;

/** Files in staging whose upload has ended: its process died before it could tidy up. */
export const stagedFiles: Rubbish = {
  async look(engines) {
    const ids = await findUnowned(engines);
    const { dataDir } = engines.installation;
    let sizeBytes = 0;
    for (const id of ids) sizeBytes += (await sizeOfStaged(dataDir, id)) ?? 0;
    return { count: ids.length, sizeBytes, ids: ids.slice(0, mostListed) };
  },
  async clean(engines, ids) {
    const wanted = new Set(ids);
    const unowned = (await findUnowned(engines)).filter((id) => wanted.has(id));
    for (const id of unowned) await removeStaged(engines.installation.dataDir, id);
    return unowned.length;
  },
};

async function findUnowned({ database, clock, installation: { dataDir } }: Engines): Promise<string[]> {
  const folder = stagingOf(dataDir);
  const names = await readdir(folder).catch(() => []);
  const old = new Set<string>();
  for (const name of names) {
    const id = name.split('.')[0] ?? '';
    const file = await stat(path.join(folder, name)).catch(() => undefined);
    if (isUuid(id) && file !== undefined && file.mtimeMs < clock() - restMs) old.add(id);
  }
  const open = await database.work(system, (tx) => findOpen(tx, [...old]));
  return [...old].filter((id) => !open.has(id)).toSorted();
}

/** Stored files that no row names and no job is about to name: what a process left that died between the two. */
export const lostFiles: Rubbish = {
  async look(engines) {
    const lost: string[] = [];
    let paths: string[] = [];
    const judge = async () => {
      lost.push(...(await engines.database.work(system, (tx) => findLostFiles(tx, paths, new Date(engines.clock())))));
      paths = [];
    };
    for await (const path of engines.storage.list('media/')) {
      paths.push(path);
      if (paths.length === batch) await judge();
    }
    await judge();
    return { count: lost.length, sizeBytes: null, ids: lost.toSorted().slice(0, mostListed) };
  },
  async clean({ database, storage, clock }, ids) {
    const lost = await database.work(system, (tx) => findLostFiles(tx, ids, new Date(clock())));
    for (const path of lost) await storage.remove(path);
    return lost.length;
  },
};

/** Rows whose file is gone. They are only shown: a file may come back with its disk or from a backup, and a row that was changed does not. */
export const missingFiles: Rubbish = {
  async look({ database, storage }) {
    // Read first: what is stored after that is named by rows that are not in the list.
    const named = await database.work(system, listNamedFiles);
    const stored = new Set<string>();
    for await (const path of storage.list('media/')) stored.add(path);
    const gone = named.filter((path) => !stored.has(path)).toSorted();
    return { count: gone.length, sizeBytes: null, ids: gone.slice(0, mostListed) };
  },
};
