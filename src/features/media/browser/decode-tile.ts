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
  let decoder: TileDecoder | undefined;
  try {
    decoder = ImageDecoder && new ImageDecoder({ data: plain, type });
    if (decoder) return (await decoder.decode()).image;
  } catch {
    // What this browser's decoder does not take, its bitmaps may; a tile that is damaged is refused by both.
  } finally {
    decoder?.close();
  }
  return createImageBitmap(new Blob([plain], { type }));
}
