import { writeFile } from 'node:fs/promises';
import { serveTasks } from '#engines/children/child-host.ts';
import type { TraceJob } from '#features/tracing/photos/trace-job.ts';

/** A trace child that a hostile leak took over: it answers what it likes. The size of the leak says what. */
const corners = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];
const reading = (tiles: number, z: unknown) => ({
  z: Array.from({ length: tiles }, () => z),
  visible: Array.from({ length: tiles }, () => 1),
});
const answers: unknown[] = [
  undefined,
  { outcome: 'guilty', link: 'of my enemy' },
  { outcome: 'read', inliers: 90, isMirrored: false, corners, readings: [reading(3, 1), reading(3, 1)] },
  { outcome: 'read', inliers: 90, isMirrored: false, corners, readings: [reading(252, 'high'), reading(48, 'high')] },
  { outcome: 'read', inliers: 90, isMirrored: false, corners, readings: [reading(252, 1e300), reading(48, 1e300)] },
  { outcome: 'read', inliers: 90, isMirrored: false, corners: [], readings: [reading(252, 1), reading(48, 1)] },
  { outcome: 'read', inliers: 90, isMirrored: false, corners, readings: [reading(252, 1)] },
  { outcome: 'matched', inliers: [90] },
];

/** A WebP file with room for metadata. */
const more = Buffer.from('RIFF....WEBPVP8X....................', 'latin1');
const print = { outcome: 'fingerprint', mime: 'image/jpeg', width: 8, height: 8, blockhash: '0'.repeat(64) };

serveTasks<TraceJob>(async ({ job, output }) => {
  if (job.leakBytes < answers.length) return answers[job.leakBytes];
  await writeFile(`${output}.preview`, more);
  return print;
});
