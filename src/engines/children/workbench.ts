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

/** A temporary folder with one untrusted file, on which sandboxed programs run one after another. */
export interface Workbench {
  /** Path of the file, to be passed to programs. */
  input: string;
  /** Runs a program in the output folder. @throws the signal's reason */
  run(order: ProgramOrder): Promise<ProgramOutcome>;
  /** Reads an output file; undefined unless it is a regular file of at most `mostBytes`. */
  read(name: string, mostBytes: number): Buffer | undefined;
  /** Opens an output file for reading in pieces, under the same conditions; the caller closes it. */
  open(name: string, mostBytes: number): PlainFile | undefined;
  /** Removes an output file. */
  discard(name: string): Promise<void>;
  /** Removes the folder and everything in it. */
  close(): Promise<void>;
}

/**
 * Makes a workbench and copies `source` into it. If that fails, nothing is left behind.
 * @throws what reading `source` throws, StorageAway when the disk is full, or the signal's reason
 */
export async function openWorkbench(walls: Walls, source: Readable, signal?: AbortSignal): Promise<Workbench> {
  const folder = walls.makeFolder();
  const input = join(folder.inputs, 'original');
  const close = () => rm(folder.path, { recursive: true, force: true });
  try {
    await pipeline(source, createWriteStream(input, { mode: 0o600, flags: 'wx' }), { signal });
  } catch (error) {
    await close();
    signal?.throwIfAborted(); // an aborted pipeline throws an AbortError instead of the signal's reason
    const isFull = /^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '');
    throw isFull ? new StorageAway(error) : error;
  }
  if (walls.wall.userId !== undefined) lend(input, walls.wall.userId);
  const outputPath = (name: string) => join(folder.outputs, name);
  return {
    input,
    run: (order) => walls.run(folder, order),
    read: (name, mostBytes) => readPlainFile(outputPath(name), mostBytes),
    open: (name, mostBytes) => openPlainFile(outputPath(name), mostBytes),
    discard: (name) => rm(outputPath(name), { recursive: true, force: true }),
    close,
  };
}
