import { findMade, keepMade } from '../media/material.ts';
import { openPainting, paint } from '../media/paint.ts';
import { withFfmpeg } from '../media/with-ffmpeg.ts';

/** Each scene of a drawn video lasts so long. */
const sceneSeconds = 8;

interface VideoParams {
  seconds?: number;
  width?: number;
  height?: number;
  seed?: number;
  /** Nothing moves but its grain. */
  isStill?: boolean;
  /** What its scenes show, in turn; painted landscapes without it. */
  pictures?: readonly Parameters<typeof openPainting>[0][];
}

/** A video of pictures over which a camera wanders, with the grain of one. The same seed draws the same video, once in a run of tests. */
export async function drawVideo(params: VideoParams = {}): Promise<Buffer> {
  // Pictures of others are too many to be told here.
  if (params.pictures !== undefined) return draw(params);
  const recipe = ['video', params];
  return findMade(recipe) ?? keepMade(recipe, await draw(params));
}

async function draw({
  seconds = 40,
  width = 640,
  height = 360,
  seed = 1,
  isStill = false,
  pictures = [],
}: VideoParams): Promise<Buffer> {
  const scenes = Math.ceil(seconds / sceneSeconds);
  const [wide, high] = [Math.round(width * 1.2), Math.round(height * 1.2)];
  const files: Record<string, Buffer> = {};
  const inputs: string[] = [];
  const steps: string[] = [];
  for (let n = 0; n < scenes; n++) {
    files[`${n}.png`] = await openPainting(pictures[n % pictures.length] ?? paint(100 * seed + n, wide, high))
      .resize(wide, high, { fit: 'cover' })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const length = Math.min(sceneSeconds, seconds - n * sceneSeconds);
    inputs.push('-loop', '1', '-framerate', '30', '-t', String(length), '-i', `${n}.png`);
    const [x, y] = isStill ? [0, 0] : [`(in_w-${width})/2*(1+sin(t/2+${n}))`, `(in_h-${height})/2*(1+cos(t/3+${n}))`];
    steps.push(
      `[${n}:v]crop=${width}:${height}:x='${x}':y='${y}',noise=alls=4:allf=t:all_seed=${seed},format=yuv420p[s${n}]`,
    );
  }
  const joined = `${steps.map((_, n) => `[s${n}]`).join('')}concat=n=${scenes}[v]`;
  const filter = ['-filter_complex', [...steps, joined].join(';'), '-map', '[v]'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '14', '-movflags', '+faststart'];
  return withFfmpeg(files, [...inputs, ...filter, ...coding], 'video.mp4');
}

/**
 * One video of the given clips, one after the other and again until it is long enough: each time nearer, and every second time
 * turned left to right, so that no second of it is there twice.
 */
export function joinClips(
  clips: readonly { path: string; seconds: number }[],
  { seconds, width, height }: { seconds: number; width: number; height: number },
): Promise<Buffer> {
  const rounds = Math.ceil(seconds / clips.reduce((sum, clip) => sum + clip.seconds, 0));
  const parts = Array.from({ length: rounds }, (_, round) => clips.map(({ path: file }) => ({ file, round }))).flat();
  const even = (length: number) => 2 * Math.round(length / 2);
  const steps = parts.map(({ round }, n) => {
    const nearer = 1 + 0.15 * round;
    const cover = `scale=${even(width * nearer)}:${even(height * nearer)}:force_original_aspect_ratio=increase`;
    const turned = round % 2 === 0 ? '' : ',hflip';
    return `[${n}:v:0]fps=30,${cover},crop=${width}:${height}${turned},setsar=1,format=yuv420p[s${n}]`;
  });
  const joined = `${steps.map((_, n) => `[s${n}]`).join('')}concat=n=${steps.length}[v]`;
  const filter = ['-filter_complex', [...steps, joined].join(';'), '-map', '[v]', '-t', String(seconds)];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '14', '-movflags', '+faststart'];
  return withFfmpeg({}, [...parts.flatMap(({ file }) => ['-i', file]), ...filter, ...coding], 'video.mp4');
}

/** A video as somebody hands it on: coded again. @param args between input and output, filters and codecs */
export const recode = (
  video: Buffer,
  args: readonly string[],
  ending = 'mp4',
  before: readonly string[] = [],
): Promise<Buffer> => withFfmpeg({ 'in.mp4': video }, [...before, '-i', 'in.mp4', '-an', ...args], `out.${ending}`);

/** The first frame of a moment of a video, as a screenshot. */
export const shootFrame = (video: Buffer, seconds: number): Promise<Buffer> =>
  withFfmpeg(
    { 'in.mp4': video },
    ['-ss', String(seconds), '-i', 'in.mp4', '-frames:v', '1', '-update', '1'],
    'shot.png',
  );
