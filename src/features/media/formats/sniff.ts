import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';

/** What the engines read. */
const videoTypes = new Set(
  ['mp4', 'x-m4v', 'quicktime', 'webm', 'matroska', '3gpp', '3gpp2', 'mp2t', 'vnd.avi'].map((type) => `video/${type}`),
);

/** Enough for every type above, and little enough that no made-up file takes long to look at. */
const headBytes = 4096;

/** The type of a file that says of itself that it is a video, whatever it is called; its decoder decides in the end. */
export const sniffVideo = async (path: string): Promise<string | undefined> => sniffVideoHead(await readHead(path));

/** The same by the beginning of a file. */
export async function sniffVideoHead(head: Uint8Array): Promise<string | undefined> {
  const mime = await typeOf(head);
  return mime !== undefined && videoTypes.has(mime) ? mime : undefined;
}

/** What a file that has begun to come is; `unknown` as long as too little of it is here. */
export async function sniffKind(path: string): Promise<'photo' | 'video' | 'unknown' | undefined> {
  const head = await readHead(path);
  if (head.length < headBytes) return 'unknown';
  const mime = await typeOf(head);
  if (mime !== undefined && videoTypes.has(mime)) return 'video';
  // What a TIFF is stands behind its pixels.
  return mime?.startsWith('image/') || /^(II\*\0|MM\0\*)/.test(head.toString('latin1', 0, 4)) ? 'photo' : undefined;
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What its parser stumbles over has no type. */
async function typeOf(head: Uint8Array): Promise<string | undefined> {
  const type = await fileTypeFromBuffer(head.subarray(0, headBytes)).catch(() => undefined);
  return type?.mime;
}
