import type { FoundItem, Reading, ReadLeak, ReadOptions } from '../findings.ts';
import { compose, scaleOf, zoom } from '../imaging/homography.ts';
import { MalformedAnswer } from '../photos/trace-task.ts';
import type { CheckpointOptions, MatchCheckpoint } from '../progress/match-checkpoint.ts';
import {
  choices,
  framesRead,
  type LaidClip,
  readKeyFrames,
  readMoment,
  readRun,
  runsOf,
  secondsAtOnce,
} from './clip-frames.ts';
import type { ClipAnswer } from './clip-job.ts';
import type { AskedChild, ClipReader } from './clip-reader.ts';
import type { ShownSecond } from './find-video.ts';
import { smallBytes } from './small-frames.ts';
import type { VideoCandidate, VideoRung } from './video-candidates.ts';

/** How many videos are read in one clip, and laid upon it in search of one. */
const mostRead = 4;
/** Videos below this likeness are not even laid upon the clip. */
const leastLike = 0.35;
/** Videos of one scene agree in far fewer features than the one that leaked. */
const sparseShare = 1 / 4;
/** From so many seconds of a video the clip's place is learnt. */
const pairsLaid = 3;
/** A clip that shows a video smaller than this is compared with the smaller rung. */
const smallerBelow = 0.8;

/** What a clip gave away. */
export interface ReadClip extends ReadLeak {
  /** The surest moment, as both show it; undefined when nothing was found. */
  pictures: AskedChild['pictures'];
}

/** One clip on its way through the videos. */
interface Work extends Pick<ReadOptions, 'onProgress'>, CheckpointOptions {
  clipReader: ClipReader;
  clip: LaidClip;
  frames: Buffer;
}

/**
 * Looks for videos in a clip and reads those that are in it. Which video, which moment of it and which part of its picture a clip
 * shows is chosen by looks alone, never by what the mark says.
 * @param frames all of the clip's small frames
 */
export async function readClip(
  clipReader: ClipReader,
  clip: LaidClip,
  frames: Buffer,
  videos: readonly VideoCandidate[],
  options: Pick<ReadOptions, 'onProgress'> & CheckpointOptions = {},
): Promise<ReadClip> {
  const work: Work = { clipReader, clip, frames, ...options };
  const hits = await findVideos(work, videos);
  const laid: Laid[] = [];
  for (const video of hits) {
    const [found] = await find(work, [video]);
    const one = found && (await layVideo(work, video, found.seconds));
    if (one) laid.push(one);
  }
  const best = Math.max(0, ...laid.map(({ answer }) => answer.inliers));
  const sure = laid.filter(({ answer }) => answer.inliers >= sparseShare * best);
  const items: FoundItem[] = [];
  for (const each of sure) items.push(await readVideo(work, each));
  const surest = sure.toSorted((a, b) => b.answer.inliers - a.answer.inliers)[0];
  return { items, compared: videos.length, pictures: surest && (await drawPictures(work, surest)) };
}

const aspectOf = ({ width, height }: { width: number; height: number }) => width / height;
const smallest = ({ rungs }: VideoCandidate): VideoRung => rungs.at(-1) as VideoRung;

/** Lays a clip's small frames upon those of some videos. */
async function find({ clipReader, clip, frames }: Work, videos: readonly VideoCandidate[]) {
  const keys: Buffer[] = [];
  for (const video of videos) keys.push(await readKeyFrames(clip, smallest(video)));
  const { answer } = await clipReader.ask(
    {
      kind: 'find',
      clipFrames: frames.length / smallBytes,
      clipAspect: aspectOf(clip.probe),
      videos: keys.map((bytes, n) => ({
        keyFrames: bytes.length / smallBytes,
        aspect: aspectOf(smallest(videos[n] as VideoCandidate)),
      })),
    },
    [frames, ...keys],
    clip.signal,
  );
  if (answer.outcome !== 'found' || answer.videos.length !== videos.length) throw new MalformedAnswer(answer.outcome);
  return answer.videos;
}

/** The videos that look most like the clip; from a place on, which is told after each. */
async function findVideos(work: Work, videos: readonly VideoCandidate[]): Promise<VideoCandidate[]> {
  const ordered = videos.toSorted((a, b) => (a.mediaId < b.mediaId ? -1 : 1));
  const { place = { tried: [], after: '', hits: [] } satisfies MatchCheckpoint } = work;
  let { hits } = place;
  const first = ordered.findIndex(({ mediaId }) => mediaId > place.after);
  for (let n = first; n >= 0 && n < ordered.length; n++) {
    const video = ordered[n] as VideoCandidate;
    work.onProgress?.({ step: 'matching', done: n, of: ordered.length });
    const [found] = await find(work, [video]);
    const likeness = found && found.seconds.length > 0 ? found.likeness : 0;
    const all =
      likeness >= leastLike ? [...hits, { mediaId: video.mediaId, inliers: Math.round(1000 * likeness) }] : hits;
    hits = all.toSorted((a, b) => b.inliers - a.inliers).slice(0, mostRead);
    await work.onPlace?.({ ...place, after: video.mediaId, hits });
  }
  return hits.flatMap((hit) => ordered.find(({ mediaId }) => mediaId === hit.mediaId) ?? []);
}

/** A video that lies in the clip, and where. */
interface Laid {
  video: VideoCandidate;
  seconds: readonly ShownSecond[];
  answer: Extract<ClipAnswer, { outcome: 'laid' }>;
  /** The moment at which this was seen best. */
  moment: ShownSecond;
}

/** The moment of a second at which a clip is laid upon a video. */
const laidAt = [15];

/** Learns from a few seconds how the video lies in the clip; undefined when it is not there after all. */
async function layVideo(
  { clipReader, clip }: Work,
  video: VideoCandidate,
  seconds: readonly ShownSecond[],
): Promise<Laid | undefined> {
  const [rung] = video.rungs;
  if (rung === undefined) return;
  const step = Math.max(1, Math.floor(seconds.length / pairsLaid));
  const chosen = seconds.filter((_, n) => n % step === Math.floor(step / 2)).slice(0, pairsLaid);
  const frames: Buffer[] = [];
  for (const second of chosen) {
    const [a, b, , middle] = await readRun(clip, rung, { from: second.second, at: second.at, count: 1 }, laidAt);
    if (a && b && middle) frames.push(a, b, middle);
  }
  const { width, height } = rung;
  const job = { kind: 'lay' as const, video: { width, height }, clip: clip.size, pairs: chosen.length };
  const { answer } = await clipReader.ask(job, frames, clip.signal);
  if (answer.outcome === 'not there') return;
  if (answer.outcome !== 'laid') throw new MalformedAnswer(answer.outcome);
  const moment = chosen[answer.pair];
  if (moment === undefined) throw new MalformedAnswer('another pair');
  return { video, seconds, answer, moment };
}

/** The clip and the video at one moment, for people. */
async function drawPictures(
  { clipReader, clip }: Work,
  { video: { rungs }, moment }: Laid,
): Promise<AskedChild['pictures']> {
  const rung = rungs[0] as VideoRung;
  const { width, height } = rung;
  const frames = await readMoment(clip, rung, moment);
  const { pictures } = await clipReader.ask(
    { kind: 'draw', video: { width, height }, clip: clip.size },
    frames,
    clip.signal,
  );
  return pictures;
}

/** Reads every second of a video that the clip shows. */
async function readVideo(work: Work, { video, seconds, answer }: Laid): Promise<FoundItem> {
  const { clip, clipReader } = work;
  const rung = rungFor(video, answer);
  const { width, height, segments, track } = rung;
  const [largest = rung] = video.rungs;
  // It was laid upon the largest rung, and every other shows the same.
  const homography = compose(answer.homography, zoom(largest.width / width, largest.height / height));
  const lie = { homography, isMirrored: answer.isMirrored };
  const reading: Reading = {
    mediaId: video.mediaId,
    track,
    columns: segments,
    rows: 1,
    z: new Float64Array(segments),
    visible: new Float64Array(segments),
  };
  let done = 0;
  for (const run of runsOf(seconds, secondsAtOnce(rung, clip.size))) {
    work.onProgress?.({ step: 'reading', done, of: seconds.length });
    const frames = await readRun(clip, rung, run);
    const job = { kind: 'read' as const, video: { width, height }, clip: clip.size, lie };
    const each = { seconds: run.count, frames: framesRead.length, choices };
    const { answer: read } = await clipReader.ask({ ...job, ...each }, frames, clip.signal);
    if (read.outcome !== 'read' || read.seconds.length !== run.count) throw new MalformedAnswer(read.outcome);
    for (const [n, { z, visible }] of read.seconds.entries()) {
      reading.z[run.from + n] = z;
      reading.visible[run.from + n] = visible;
    }
    done += run.count;
  }
  const { isMirrored, corners } = answer;
  return { mediaId: video.mediaId, isMirrored, corners, readings: [reading] };
}

/** The rung whose size is nearer to what the clip shows. */
function rungFor({ rungs }: VideoCandidate, { homography }: Laid['answer']): VideoRung {
  const [first, second] = rungs as [VideoRung, VideoRung | undefined];
  return second !== undefined && scaleOf(homography, first.width, first.height) < smallerBelow ? second : first;
}
