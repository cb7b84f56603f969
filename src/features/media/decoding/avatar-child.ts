import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type ChildTask, serveTasks } from '#engines/children/child-host.ts';
import { openPhotoDecoder, PhotoRefused } from '../decode-photo.ts';
import type { Frame } from '../watermark/mask.ts';
import { type AvatarAnswer, type AvatarJob, type AvatarSize, avatarSizes } from './avatar-job.ts';

/** The process in which a stranger's file becomes two small squares. Nothing of it is loaded by the server. */
const decode = openPhotoDecoder();

serveTasks<AvatarJob>(async ({ job, input, output }: ChildTask<AvatarJob>): Promise<AvatarAnswer> => {
  try {
    const { frame } = await decode(input, job.limits);
    for (const size of Object.keys(avatarSizes) as AvatarSize[])
      await writeFile(`${output}.${size}`, await makeSquare(frame, size));
    return { outcome: 'made' };
  } catch (error) {
    if (!(error instanceof PhotoRefused)) throw error;
    const words = String((error.cause as Error | undefined)?.message ?? error.code).slice(0, 500);
    return { outcome: 'refused', code: error.code, words };
  }
});

const qualities = [82, 74, 66, 56, 44, 32, 20, 8, 1];

/** The middle of a picture as a square, in as good a quality as its bytes allow; it is made of pixels, so it holds nothing else. */
async function makeSquare({ width, height, rgb }: Frame, size: AvatarSize): Promise<Buffer> {
  const { side, mostBytes } = avatarSizes[size];
  const square = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(side, side, { fit: 'cover', position: 'centre' })
    .raw()
    .toBuffer();
  for (const quality of qualities) {
    const made = await sharp(square, { raw: { width: side, height: side, channels: 3 } })
      .webp({ quality, effort: 4, smartSubsample: quality > 50 })
      .toBuffer();
    if (made.length <= mostBytes) return made;
  }
  throw new PhotoRefused('TOO_BIG');
}
