import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { openChildPool } from '#engines/children/child-pool.ts';
import type { PoolTask } from '#engines/children/task.ts';
import type { Walls } from '#engines/children/walls.ts';
import type { AvatarPictures } from '#features/accounts/saving-avatars.ts';
import type { PhotoFailure, PhotoLimits } from '../formats/photo-shapes.ts';
import { type Decoded, runDecoder } from '../run-decoder.ts';
import { type AvatarJob, type AvatarSize, avatarAnswerShape, avatarSizes, isPlainWebp } from './avatar-job.ts';
import { childOptions } from './photo-decoder.ts';

/** What became of a file; `words` are the decoder's own, for the log. */
export type AvatarOutcome =
  | { outcome: 'made'; pictures: AvatarPictures }
  | { outcome: 'failed'; code: PhotoFailure | 'TIMEOUT'; words: string };

/** Makes avatars out of strangers' files, in a walled child. */
export interface AvatarDecoder {
  make(file: Buffer, limits: PhotoLimits): Promise<AvatarOutcome>;
  close(): Promise<void>;
}

/** Processor time: what takes more is no picture of a face. */
const taskSeconds = 20;

/** Opens the decoder: one child, which comes with a file and goes when there are no more. */
export function openAvatarDecoder(walls: Walls): AvatarDecoder {
  const entry = fileURLToPath(new URL('./avatar-child.ts', import.meta.url));
  const pool = openChildPool(walls, { ...childOptions, children: 1, entry, taskSeconds });
  return {
    async make(file, limits) {
      const task: PoolTask = {
        job: { limits } satisfies AvatarJob,
        openInput: () => Readable.from([file]),
        outputs: Object.keys(avatarSizes),
        outputBytes: avatarSizes.large.mostBytes,
      };
      return outcomeOf(await runDecoder(pool, task));
    },
    close: () => pool.close(),
  };
}

/** @throws Error when the child answers what ours never does */
function outcomeOf(task: Decoded): AvatarOutcome {
  if (task.ended === 'failed') return { outcome: 'failed', code: task.code, words: task.words };
  const answer = avatarAnswerShape.parse(task.answer);
  if (answer.outcome === 'refused') return { outcome: 'failed', code: answer.code, words: answer.words };
  const take = (size: AvatarSize): Buffer => {
    const { side, mostBytes } = avatarSizes[size];
    const bytes = task.files.get(size);
    if (!bytes || bytes.length > mostBytes || !isPlainWebp(bytes, side))
      throw new Error(`an avatar child made a strange ${size}`);
    return bytes;
  };
  return { outcome: 'made', pictures: { large: take('large'), small: take('small') } };
}
