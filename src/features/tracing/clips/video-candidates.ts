import type { Storage } from '#engines/storage/storage.ts';
import { decryptSegment, type Slot } from '#features/media/formats/keys.ts';
import { packIdBytes } from '#features/media/formats/pack.ts';
import type { VideoRow } from './videos-store.ts';

/** A rung of a video, for reading. */
export interface VideoRung {
  track: 'v720' | 'v480';
  width: number;
  height: number;
  /** How many seconds it has. */
  segments: number;
  /** Some of its seconds as a video of their own, of one variant: 1 is A. */
  open(slot: Slot, from: number, count: number): Promise<Buffer>;
}

/** A video that a clip may be of; its key and files are asked for only when it is looked at. */
export interface VideoCandidate {
  mediaId: string;
  /** The largest first. */
  rungs: VideoRung[];
}

/** A video as it is stored. @param findKey asked once, when it is first looked at */
export function openVideo(
  storage: Storage,
  { mediaId, rungs }: VideoRow,
  findKey: () => Promise<Buffer>,
): VideoCandidate {
  let key: Promise<Buffer> | undefined;
  const keyOf = () => {
    key ??= findKey();
    return key;
  };
  return {
    mediaId,
    rungs: rungs.map(({ id, track, path, width, height, segments, files }) => ({
      track,
      width,
      height,
      segments,
      async open(slot, from, count) {
        const file = files.find((each) => each.slot === slot);
        if (file === undefined) throw new Error('A video without its variants.');
        const end = Math.min(segments, from + count);
        const lengths = file.lengths.slice(from, end);
        const sumOf = (list: readonly number[]) => list.reduce((sum, length) => sum + length, 0);
        const first = sumOf(file.lengths.slice(0, from));
        const range = { from: first, to: first + sumOf(lengths) - 1 };
        const [init, sealed, mediaKey] = await Promise.all([
          storage.read(path),
          storage.read(file.path, range),
          keyOf(),
        ]);
        let at = 0;
        const plain = lengths.map((length, n) => {
          const segment = sealed.subarray(at, at + length);
          at += length;
          return decryptSegment(mediaKey, packIdBytes(id), track, slot, from + n, segment);
        });
        return Buffer.concat([init, ...plain]);
      },
    })),
  };
}
