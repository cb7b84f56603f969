import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { serveTasks } from '#engines/children/child-host.ts';
import { packIdText, readPackHeader } from '#features/media/formats/pack.ts';
import type { TraceAnswer, TraceJob } from '#features/tracing/photos/trace-job.ts';

/** What a copy says that is read in it. */
export interface ToldCopy {
  blockhash: string;
  /** What the tiles of a pack say, by its id; a pack that is not told of is not there. */
  z: Record<string, number[]>;
  /** Packs that it resembles by chance, by their ids: nothing is read in them. */
  resembles?: string[] | undefined;
  /** So long it is looked at for each question. */
  holdMs?: number | undefined;
}

/** A picture of 8 × 6 pixels, all of one grey. */
const preview = Buffer.from('UklGRiYAAABXRUJQVlA4IBoAAABQAQCdASoIAAYAAsBMJaQAAAAAANY3JUAAAA==', 'base64');
const corners: [number, number][] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

/** A trace child that looks at nothing: it believes what the copy says of itself, so nobody has to wait for pixels. */
serveTasks<TraceJob>(async ({ job, input, output }): Promise<TraceAnswer> => {
  const bytes = await readFile(input);
  const reported = readTold(bytes.subarray(0, job.leakBytes));
  if (reported === undefined) return { outcome: 'refused', code: 'UNSUPPORTED', words: 'a copy that says nothing' };
  await wait(reported.holdMs ?? 0);
  if (job.kind === 'fingerprint') {
    await writeFile(`${output}.preview`, preview);
    return { outcome: 'fingerprint', mime: 'image/jpeg', width: 900, height: 675, blockhash: reported.blockhash };
  }
  let at = job.leakBytes;
  const packs = job.packs.map(({ sizeBytes }) => {
    const { packId, tiles } = readPackHeader(bytes.subarray(at, at + sizeBytes));
    at += sizeBytes;
    const id = packIdText(packId);
    return { z: reported.z[id], tiles, isLike: reported.resembles?.includes(id) === true };
  });
  if (job.kind === 'match') return { outcome: 'matched', inliers: packs.map(({ isLike }) => (isLike ? 12 : 0)) };
  if (packs.every(({ z }) => z === undefined)) return { outcome: 'not there' };
  const readings = packs.map(({ z, tiles }) => ({
    z: z ?? Array.from({ length: tiles }, () => 0),
    visible: Array.from({ length: tiles }, () => 1),
  }));
  return { outcome: 'read', inliers: 90, isMirrored: false, corners, readings };
});

function readTold(bytes: Buffer): ToldCopy | undefined {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
