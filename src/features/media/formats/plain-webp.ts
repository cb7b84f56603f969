/**
 * The size of a picture whose bytes are one lossy WebP frame and nothing else (RFC 9649 §2.5): no metadata, no animation, no
 * second file behind it. They come from a process that a stranger's file may have taken over.
 * @returns undefined for all other bytes
 */
export function sizeOfPlainWebp(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 16) !== 'WEBPVP8 ')
    return undefined;
  const chunkBytes = bytes.readUInt32LE(16);
  const isWhole =
    bytes.readUInt32LE(4) === bytes.length - 8 && bytes.length === 20 + chunkBytes + (chunkBytes % 2 === 0 ? 0 : 1);
  const isKeyFrame = bytes.readUIntBE(23, 3) === 0x9d012a;
  return isWhole && isKeyFrame ? { width: bytes.readUInt16LE(26), height: bytes.readUInt16LE(28) } : undefined;
}
