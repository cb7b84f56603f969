import * as z from 'zod';
import type { PhotoLimits } from '../formats/photo-shapes.ts';
import { sizeOfPlainWebp } from '../formats/plain-webp.ts';

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

/** Returns whether these bytes are one plain picture of that size, and nothing else. */
export function isPlainWebp(bytes: Buffer, side: number): boolean {
  const size = sizeOfPlainWebp(bytes);
  return size?.width === side && size.height === side;
}
