/** So much of a file is hashed whole; a larger one does not fit into the memory of a phone, let alone three at once. */
export const mostWholeBytes = 64 * 2 ** 20;
const pieceBytes = 2 ** 20;

/** Which file it is, in hex: by all of its bytes, or by its size and pieces of it. */
export type FileMark = { sha256: string; sample?: never } | { sample: string; sha256?: never };

/** The hash that tells a file from others, whichever it is. */
export const textOf = (mark: FileMark | undefined): string | undefined => mark?.sha256 ?? mark?.sample;

/** The mark of a file. @throws when the file cannot be read */
export async function markOf(file: File): Promise<FileMark> {
  if (file.size <= mostWholeBytes) return { sha256: await hashOf(file) };
  const starts = [0, Math.floor((file.size - pieceBytes) / 2), file.size - pieceBytes];
  const pieces = starts.map((from) => file.slice(from, from + pieceBytes));
  return { sample: await hashOf(new Blob([`${file.size}\n`, ...pieces])) };
}

/** Returns whether a file that was chosen again is the one that was begun: by its mark where that is known, else by its name. */
export async function isSameFile(
  { name, sizeBytes }: { name: string; sizeBytes: number },
  mark: string | undefined,
  file: File,
): Promise<boolean> {
  if (file.size !== sizeBytes) return false;
  if (mark === undefined) return file.name === name;
  const { sha256, sample } = await markOf(file);
  return (sha256 ?? sample) === mark;
}

async function hashOf(bytes: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
