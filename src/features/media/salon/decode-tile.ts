/** A tile that is clear: it is drawn and closed. */
export type ClearTile = ImageBitmap | VideoFrame;

/** What TypeScript's library of the browser does not know yet. */
interface TileDecoder {
  decode(): Promise<{ image: VideoFrame }>;
  close(): void;
}
type NewDecoder = new (init: { data: BufferSource; type: string }) => TileDecoder;

/**
 * Decodes one tile. A bitmap of a blob goes by way of the browser's other process, which for tiles of a kilobyte costs a slow
 * phone more than all the rest of a picture; a decoder takes the bytes as they lie here.
 */
export async function decodeTile(plain: ArrayBuffer, type: string): Promise<ClearTile> {
  const { ImageDecoder } = globalThis as { ImageDecoder?: NewDecoder };
  if (ImageDecoder === undefined) return decodeBlob(plain, type);
  // What this browser's decoder does not take, its bitmaps may; a tile that is damaged is refused by both.
  return decodeHere(ImageDecoder, plain, type).catch(() => decodeBlob(plain, type));
}

async function decodeHere(ImageDecoder: NewDecoder, data: ArrayBuffer, type: string): Promise<VideoFrame> {
  const decoder = new ImageDecoder({ data, type });
  try {
    return (await decoder.decode()).image;
  } finally {
    decoder.close();
  }
}

const decodeBlob = (plain: ArrayBuffer, type: string) => createImageBitmap(new Blob([plain], { type }));
