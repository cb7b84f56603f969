import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';

/** What the engines read. */
const videoTypes = new Set(
  ['mp4', 'x-m4v', 'quicktime', 'webm', 'matroska', '3gpp', '3gpp2', 'mp2t', 'vnd.avi'].map((type) => `video/${type}`),
);

/** Enough for every type above, and little enough that no made-up file takes long to look at. */
const headBytes = 4096;

/** The type of a file that says of itself that it is a video, whatever it is called; its decoder decides in the end. */
export async function sniffVideo(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    return await sniffVideoHead(head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The same by the beginning of a file. */
export async function sniffVideoHead(head: Uint8Array): Promise<string | undefined> {
  // What its parser stumbles over is no video of ours.
  const type = await fileTypeFromBuffer(head.subarray(0, headBytes)).catch(() => undefined);
  const mime = type?.mime;
  return mime !== undefined && videoTypes.has(mime) ? mime : undefined;
}
