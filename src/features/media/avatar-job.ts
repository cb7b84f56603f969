import * as z from 'zod';
import type { PhotoLimits } from './photo-job.ts';

/** What an avatar child is asked. */
export type AvatarJob = { limits: PhotoLimits };

/** The two files that an avatar becomes: their side in pixels, and the most bytes they may have. */
export const avatarSizes = { large: { side: 256, mostBytes: 40_000 }, small: { side: 96, mostBytes: 3072 } } as const;
export type AvatarSize = keyof typeof avatarSizes;

/** What an avatar child answers. */
export const avatarAnswerShape = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('refused'),
    code: z.enum(['UNSUPPORTED', 'CORRUPT', 'TOO_BIG']),
    words: z.string().max(500),
  }),
  z.object({ outcome: z.literal('made') }),
]);
export type AvatarAnswer = z.infer<typeof avatarAnswerShape>;

/**
 * Whether these bytes are one lossy WebP picture of that size and nothing else (RFC 9649 §2.5): no metadata, no animation, no
 * second file behind it. They come from a process that a stranger's file may have taken over.
 */
export function isPlainWebp(bytes: Buffer, side: number): boolean {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 16) !== 'WEBPVP8 ')
    return false;
  const chunkBytes = bytes.readUInt32LE(16);
  const isWhole =
    bytes.readUInt32LE(4) === bytes.length - 8 && bytes.length === 20 + chunkBytes + (chunkBytes % 2 === 0 ? 0 : 1);
  const isKeyFrame = bytes.readUIntBE(23, 3) === 0x9d012a;
  return isWhole && isKeyFrame && bytes.readUInt16LE(26) === side && bytes.readUInt16LE(28) === side;
}
