import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A file of a child that is open, with its size. */
export interface PlainFile {
  descriptor: number;
  sizeBytes: number;
}

/** A file that a child made, when it is there, plain, and not too long. */
export function readPlainFile(path: string, mostBytes: number): Buffer | undefined {
  const file = openPlainFile(path, mostBytes);
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(file.sizeBytes);
    return bytes.subarray(0, readSync(file.descriptor, bytes));
  } finally {
    closeSync(file.descriptor);
  }
}

/**
 * Opens such a file; its caller closes it. A link, a pipe or a giant of a captured child would lead us astray: they are not
 * there at all.
 */
export function openPlainFile(path: string, mostBytes: number): PlainFile | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return; // Not there, or a link: either way there is no such file.
  }
  const stat = fstatSync(descriptor);
  if (stat.isFile() && stat.size <= mostBytes) return { descriptor, sizeBytes: stat.size };
  closeSync(descriptor);
  return undefined;
}
