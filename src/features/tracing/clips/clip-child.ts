import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type ChildTask, serveTasks } from '#engines/children/child-host.ts';
import { compose, cornersOf, mirror } from '../imaging/homography.ts';
import { openOpenCv } from '../imaging/open-cv.ts';
import { openLeakPicture, openWanted, type Registration, register } from '../imaging/register.ts';
import { type ClipAnswer, type ClipJob, mostSeconds, pictureSide, type Size } from './clip-job.ts';
import { findPlace, openClip, placeSeconds } from './find-video.ts';
import { type ReadFrame, readFrame, referenceOf, sumFrames } from './read-seconds.ts';
import { sheetOf } from './sheet.ts';
import { smallBytes } from './small-frames.ts';

/** The process in which frames of a stranger's clip become numbers. */

const { cv } = await openOpenCv();

serveTasks<ClipJob>(async ({ job, input, output }: ChildTask<ClipJob>): Promise<ClipAnswer> => {
  const frames = openFrames(await readFile(input));
  if (job.kind === 'find') return find(job, frames);
  if (job.kind === 'lay') return lay(job, frames);
  if (job.kind === 'sheet') return drawSheet(job, frames, output);
  return job.kind === 'draw' ? draw(job, frames, output) : read(job, frames);
});

/** Hands out frame after frame. */
function openFrames(bytes: Buffer): (sizeBytes: number) => Buffer {
  let at = 0;
  return (sizeBytes) => {
    if (at + sizeBytes > bytes.length) throw new RangeError('frames end before their end');
    at += sizeBytes;
    return bytes.subarray(at - sizeBytes, at);
  };
}
type Frames = ReturnType<typeof openFrames>;

/** Below this likeness a video is none that the clip could be of. */
const leastLike = 0.3;

function find({ clipFrames, clipAspect, videos }: Extract<ClipJob, { kind: 'find' }>, frames: Frames): ClipAnswer {
  const clip = openClip({ frames: frames(clipFrames * smallBytes), aspect: clipAspect });
  const places = videos.map(({ keyFrames, aspect }) => {
    const video = { keyFrames: frames(keyFrames * smallBytes), aspect };
    const place = findPlace(clip, video);
    const likeness = Math.min(1, place?.likeness ?? 0);
    if (place === undefined || likeness < leastLike) return { likeness, seconds: [] };
    return { likeness, seconds: placeSeconds(clip, video, place).slice(0, mostSeconds) };
  });
  return { outcome: 'found', videos: places };
}

const pixelsOf = ({ width, height }: Size) => width * height;

function lay({ video, clip, pairs }: Extract<ClipJob, { kind: 'lay' }>, frames: Frames): ClipAnswer {
  let best: { found: Registration; pair: number } | undefined;
  for (let pair = 0; pair < pairs; pair++) {
    const { picture } = referenceOf(video, frames(pixelsOf(video)), frames(pixelsOf(video)));
    const wanted = openWanted(cv, picture);
    const leak = openLeakPicture(cv, { ...clip, values: Float32Array.from(frames(pixelsOf(clip))) });
    const found = register(cv, wanted, leak);
    wanted.delete();
    leak.delete();
    if (found && found.inliers >= (best?.found.inliers ?? 0)) best = { found, pair };
  }
  if (best === undefined) return { outcome: 'not there' };
  const { found, pair } = best;
  const seen = found.isMirrored ? compose(mirror(clip.width), found.homography) : found.homography;
  return {
    outcome: 'laid',
    inliers: found.inliers,
    pair,
    isMirrored: found.isMirrored,
    homography: [...found.homography],
    corners: cornersOf(seen, video.width, video.height).map(({ x, y }) => [
      held((x + 0.5) / clip.width),
      held((y + 0.5) / clip.height),
    ]),
  };
}

/** Far outside is far outside. */
const held = (share: number) => Math.max(-1000, Math.min(1000, share));

async function draw(
  { video, clip }: Extract<ClipJob, { kind: 'draw' }>,
  frames: Frames,
  output: string,
): Promise<ClipAnswer> {
  const [a, b] = [frames(3 * pixelsOf(video)), frames(3 * pixelsOf(video))];
  // Without its mark, so that nobody can make a copy of somebody's out of it.
  const mean = Uint8Array.from(a, (value, i) => (value + (b[i] as number) + 1) >> 1);
  await writeFile(`${output}.video`, await pictureOf(video, mean));
  await writeFile(`${output}.clip`, await pictureOf(clip, frames(3 * pixelsOf(clip))));
  return { outcome: 'drawn' };
}

/** Lays frames side by side in one picture that loses nothing. */
async function drawSheet(
  { clip: { width, height }, stills }: Extract<ClipJob, { kind: 'sheet' }>,
  frames: Frames,
  output: string,
): Promise<ClipAnswer> {
  const { columns, ...size } = sheetOf({ width, height }, stills);
  const laid = Array.from({ length: stills }, (_, n) => ({
    input: frames(3 * width * height),
    raw: { width, height, channels: 3 as const },
    left: (n % columns) * width,
    top: Math.floor(n / columns) * height,
  }));
  await sharp({ create: { ...size, channels: 3, background: 'black' } })
    .composite(laid)
    .png({ compressionLevel: 1 })
    .toFile(`${output}.sheet`);
  return { outcome: 'drawn' };
}

const pictureOf = ({ width, height }: Size, rgb: Uint8Array): Promise<Buffer> =>
  sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(pictureSide, pictureSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 })
    .toBuffer();

function read(job: Extract<ClipJob, { kind: 'read' }>, frames: Frames): ClipAnswer {
  const { video, clip, lie, seconds, frames: each, choices } = job;
  const readOne = (): ReadFrame => {
    const reference = referenceOf(video, frames(pixelsOf(video)), frames(pixelsOf(video)));
    const own = Array.from({ length: choices }, () => frames(pixelsOf(clip)));
    return readFrame(cv, reference, lie, clip, own);
  };
  const readSecond = () => sumFrames(Array.from({ length: each }, readOne));
  return { outcome: 'read', seconds: Array.from({ length: seconds }, readSecond) };
}
