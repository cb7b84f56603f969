import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { standBack } from '#engines/children/child.ts';
import type { ProgramOrder } from '#engines/children/program.ts';
import type { Workbench } from '#engines/children/workbench.ts';
import { collectTracks, tracksOf } from './collect-tracks.ts';
import { differencesFilter, differencesOf, differencesSeconds, filesOf } from './differences.ts';
import { settleLengths } from './lengths.ts';
import {
  decodeThreadsOf,
  framesFilter,
  framesSeconds,
  isOfKeyFrames,
  isWhole,
  ladderFilter,
  patternSize,
  posterFilter,
  storyboardFilter,
} from './plan.ts';
import {
  framesName,
  lookSeconds,
  needWell,
  niceness,
  nodeLimitsFor,
  pictureBytes,
  secondsOf,
  takeFrames,
} from './programs.ts';
import { readProbe } from './read-probe.ts';
import {
  type FramesRequest,
  type Probe,
  type ReadVideo,
  type TranscodeJob,
  type VideoEngine,
  VideoRefused,
} from './video.ts';

/** What its child is told. */
export type NodeAvTask =
  | { act: 'differences'; files: string[]; filter: string; outputs: string[] }
  | ({ input: string } & VideoTask);
type VideoTask =
  | { act: 'probe' }
  | { act: 'measure'; stream: number }
  | {
      act: 'frames';
      stream: number;
      filter: string;
      isKeyFramesOnly: boolean;
      firstSecond: number;
      frames: number;
      output: string;
    }
  | { act: 'draw'; stream: number; threads: number; filter: string; isKeyFramesOnly: boolean; output: string }
  | {
      act: 'transcode';
      videoStream: number;
      threads: number;
      audioStream: number | undefined;
      /** How much longer its last picture stands, and until when. */
      tailSeconds: number;
      lastSecond: number;
      mostSeconds: number;
      ladder: string;
      outputs: { name: string; label: string | undefined }[];
      pattern: { width: number; height: number };
    };

const decoded = (probe: Probe) => ({ stream: probe.videoStream, threads: decodeThreadsOf(probe) });

const entry = fileURLToPath(new URL('./node-av-child.ts', import.meta.url));

async function ask(
  bench: Workbench,
  task: NodeAvTask,
  more: Pick<ProgramOrder, 'onOutput' | 'feed' | 'signal'> & { seconds?: number },
) {
  const { seconds = lookSeconds } = more;
  const command = [...standBack(niceness), process.execPath, entry, JSON.stringify(task)];
  return needWell(await bench.run({ ...more, command, limits: nodeLimitsFor(seconds), seconds }));
}

async function draw(
  bench: Workbench,
  more: { signal: AbortSignal | undefined; seconds?: number },
  picture: { stream: number; threads: number; filter: string; isKeyFramesOnly: boolean; output: string },
) {
  await ask(bench, { act: 'draw', input: bench.input, ...picture }, more);
  const png = bench.read(picture.output, pictureBytes);
  await bench.discard(picture.output);
  if (png === undefined) throw new VideoRefused('CORRUPT', `no frame could be read: ${picture.output}`);
  return png;
}

/** FFmpeg as an optional npm package, for machines without its programs; undefined where npm did not bring it. */
export function openNodeAv(): VideoEngine | undefined {
  const version = findPackage();
  if (version === undefined) return undefined;
  return {
    name: `node-av ${version}`,
    async probe(bench, signal) {
      const { output } = await ask(bench, { act: 'probe', input: bench.input }, { signal });
      const { lengths, ...probe } = readProbe(output);
      const measure = async (stream: number) =>
        secondsOf((await ask(bench, { act: 'measure', input: bench.input, stream }, { signal })).output);
      return { ...probe, ...(await settleLengths({ ...probe, lengths }, measure)) };
    },
    drawPoster(bench, probe, signal) {
      const filter = posterFilter(probe);
      const picture = { ...decoded(probe), filter, isKeyFramesOnly: false, output: 'poster.png' };
      return draw(bench, { signal }, picture);
    },
    drawStoryboard(bench, probe, signal) {
      const filter = storyboardFilter(probe);
      const picture = { ...decoded(probe), filter, isKeyFramesOnly: isOfKeyFrames(probe), output: 'board.png' };
      return draw(bench, { signal, seconds: lookSeconds + probe.seconds }, picture);
    },
    async readFrames(bench, video, wanted, signal) {
      const seconds = lookSeconds + 2 * framesSeconds(wanted);
      await ask(bench, framesTask(bench, video, wanted), { signal, seconds });
      return takeFrames(bench, wanted);
    },
    async transcode(bench, job, onProgress, signal) {
      const { probe, patterns, seconds } = job;
      const onOutput = (text: string) => onProgress(Math.min(1, secondsOf(text) / probe.seconds));
      await ask(bench, transcodeTask(bench, job), { seconds, onOutput, feed: patterns, signal });
      const files = collectTracks(bench, probe);
      if (isWhole(files.seconds, probe.seconds)) return files;
      throw new VideoRefused('CORRUPT', `${files.seconds} s of ${probe.seconds} s could be read`);
    },
    async drawDifferences(bench, rungs, size, signal) {
      const outputs = rungs.map(differencesOf);
      const filter = differencesFilter(rungs, size);
      const seconds = lookSeconds + differencesSeconds(rungs);
      await ask(bench, { act: 'differences', files: filesOf(rungs), filter, outputs }, { signal, seconds });
      return outputs;
    },
  };
}

const transcodeTask = ({ input }: Workbench, { probe, mostSeconds }: TranscodeJob): NodeAvTask => ({
  act: 'transcode',
  input,
  videoStream: probe.videoStream,
  threads: decodeThreadsOf(probe),
  audioStream: probe.audioStream,
  tailSeconds: probe.tailSeconds,
  lastSecond: probe.seconds,
  mostSeconds,
  // A graph that is told to let a picture stand makes all of that at once when the video ends.
  ladder: ladderFilter({ ...probe, tailSeconds: 0 }),
  outputs: tracksOf(probe),
  pattern: patternSize(probe),
});

function framesTask({ input }: Workbench, video: ReadVideo, wanted: FramesRequest): NodeAvTask {
  const { firstSecond, frames, isKeyFramesOnly = false } = wanted;
  const filter = framesFilter(video, wanted);
  return {
    act: 'frames',
    input,
    stream: video.videoStream,
    filter,
    isKeyFramesOnly,
    firstSecond,
    frames,
    output: framesName,
  };
}

/** Its version, read without loading it: in this process no foreign byte is decoded. */
function findPackage(): string | undefined {
  try {
    const file = new URL('../package.json', pathToFileURL(createRequire(import.meta.url).resolve('node-av')));
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  } catch {
    return undefined; // optional, and not for every platform
  }
}
