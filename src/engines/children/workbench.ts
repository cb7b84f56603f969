import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StorageAway } from '../storage/storage.ts';
import { openPlainFile, type PlainFile, readPlainFile } from './plain-file.ts';
import type { ProgramOrder, ProgramOutcome } from './program.ts';
import type { Walls } from './walls.ts';
import { lend } from './work-folder.ts';

/** One foreign file behind a wall, and the programs that work on it, one after another. */
export interface Workbench {
  /** Where the file lies, for the programs. */
  input: string;
  /** Runs a program in the folder of what is made. @throws the signal's reason */
  run(order: ProgramOrder): Promise<ProgramOutcome>;
  /** A whole file that a program made; undefined when there is none, or no plain one of at most `mostBytes`. */
  read(name: string, mostBytes: number): Buffer | undefined;
  /** Opens one for reading piece by piece; the caller closes it. */
  open(name: string, mostBytes: number): PlainFile | undefined;
  /** Removes one that is needed no more. */
  discard(name: string): Promise<void>;
  /** Removes everything. */
  close(): Promise<void>;
}

/**
 * Lays a file on a bench of its own.
 * @throws what reading the source threw, StorageAway when the disk is full, or the signal's reason; then nothing is left
 */
export async function openWorkbench(walls: Walls, source: Readable, signal?: AbortSignal): Promise<Workbench> {
  const folder = walls.makeFolder();
  const input = join(folder.inputs, 'original');
  const close = () => rm(folder.path, { recursive: true, force: true });
  try {
    await pipeline(source, createWriteStream(input, { mode: 0o600, flags: 'wx' }), { signal });
  } catch (error) {
    await close();
    signal?.throwIfAborted(); // a pipeline that is ended says only that it was
    const isFull = /^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '');
    throw isFull ? new StorageAway(error) : error;
  }
  if (walls.wall.userId !== undefined) lend(input, walls.wall.userId);
  const placeOf = (name: string) => join(folder.outputs, name);
  return {
    input,
    run: (order) => walls.run(folder, order),
    read: (name, mostBytes) => readPlainFile(placeOf(name), mostBytes),
    open: (name, mostBytes) => openPlainFile(placeOf(name), mostBytes),
    discard: (name) => rm(placeOf(name), { recursive: true, force: true }),
    close,
  };
}
