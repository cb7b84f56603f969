import { rm } from 'node:fs/promises';
import { standBack } from '#engines/children/child.ts';
import { findProgram, type Walls } from '#engines/children/walls.ts';
import type { Workbench } from '#engines/children/workbench.ts';
import { collectTracks, tracksOf } from './collect-tracks.ts';
import { differencesFilter, differencesOf, differencesSeconds, filesOf } from './differences.ts';
import { settleLengths } from './lengths.ts';
import {
  decodeThreadsOf,
  filterThreads,
  framesFilter,
  framesSeconds,
  isOfKeyFrames,
  isWhole,
  ladderFilter,
  patternSize,
  pictureSegmentSeconds,
  posterFilter,
  segmentOptions,
  soundFilter,
  soundSegmentSeconds,
  storyboardFilter,
  x264,
} from './plan.ts';
import {
  framesName,
  limitsFor,
  lookSeconds,
  needWell,
  niceness,
  pictureBytes,
  secondsOf,
  takeFrames,
} from './programs.ts';
import { decodableIn, readProbe } from './read-probe.ts';
import {
  type FramesRequest,
  type Probe,
  type ReadVideo,
  type Size,
  type TranscodeJob,
  type VideoEngine,
  type VideoFiles,
  VideoRefused,
} from './video.ts';

/** The oldest version whose muxer writes what is read here. */
const oldest = 5.1;

/** By a whitelist, not by the file's own word: ffmpeg would read playlists, concat lists and SVG as well, and ask their servers. */
const input = ({ input: file }: Pick<Workbench, 'input'>) => [
  ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,avi'],
  ...['-i', `file:${file}`],
];

/** Its frames are turned by our filters alone, and those stay when the frames change. */
const steady = ['-autorotate', '0', '-reinit_filter:v', '0'];
/** The same to be decoded. */
const decoded = (bench: Workbench, probe: Probe) => [
  ...['-threads', String(decodeThreadsOf(probe)), ...steady],
  ...input(bench),
];
const pictureOf = (bench: Workbench, probe: Probe) => [...decoded(bench, probe), '-map', `0:${probe.videoStream}`];

const filtering = ['-filter_threads', String(filterThreads), '-filter_complex_threads', String(filterThreads)];
const quiet = ['-nostdin', '-hide_banner', '-v', 'error', '-y', ...filtering];
/** Nothing of the source but pictures and sound: no location, device, time, comment, chapter, subtitle or data. */
const clean = [
  '-map_metadata',
  '-1',
  '-map_chapters',
  '-1',
  '-sn',
  '-dn',
  '-fflags',
  '+bitexact',
  '-flags',
  '+bitexact',
];

const hls = (name: string, seconds: number) => [
  ...['-f', 'hls', '-hls_time', String(seconds), '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
  ...['-hls_segment_options', segmentOptions],
  ...['-hls_flags', 'independent_segments+single_file', '-hls_segment_filename', `${name}.m4s`, `${name}.m3u8`],
];

const picture = [
  ...['-c:v', 'libx264', '-preset', x264.preset, '-crf', x264.crf, '-profile:v', x264.profile],
  ...['-g', String(x264.gop), '-keyint_min', String(x264.gop), '-sc_threshold', '0'],
  ...['-bf', String(x264.bFrames), '-threads', '1'],
];
const sound = ['-af', soundFilter, '-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'];

/**
 * The `ffmpeg` and `ffprobe` programs of the system, so that they get its security updates; undefined where they are not,
 * or are too old.
 */
export async function openFfmpeg(walls: Walls): Promise<VideoEngine | undefined> {
  const [ffmpeg, ffprobe] = [findProgram('ffmpeg'), findProgram('ffprobe')];
  if (ffmpeg === undefined || ffprobe === undefined) return undefined;
  // A build from the repository itself names no number: nobody knows what it can do.
  const version = /^ffmpeg version n?(\d+\.\d+[\d.]*)/.exec(await ask(walls, [ffmpeg, '-version']))?.[1];
  if (version === undefined || Number.parseFloat(version) < oldest) return undefined;
  const canDecode = canDecodeBy(await ask(walls, [ffmpeg, '-hide_banner', '-codecs']));
  return {
    name: `ffmpeg ${version}`,
    async probe(bench, signal) {
      const show = [ffprobe, '-v', 'error', ...input(bench), '-of', 'json', '-show_format', '-show_streams'];
      const { output } = needWell(await look(bench, show, signal));
      const { lengths, ...probe } = readProbe(output, canDecode);
      const settled = await settleLengths({ ...probe, lengths }, (stream) => measure(ffmpeg, bench, stream, signal));
      return { ...probe, ...settled };
    },
    drawPoster(bench, probe, signal) {
      const picture = [...pictureOf(bench, probe), '-vf', posterFilter(probe)];
      return draw(bench, 'poster.png', [ffmpeg, ...quiet, ...picture], signal);
    },
    drawStoryboard(bench, probe, signal) {
      const some = isOfKeyFrames(probe) ? ['-skip_frame', 'nokey'] : [];
      const cells = [...some, ...pictureOf(bench, probe), '-vf', storyboardFilter(probe)];
      // Of an hour of large key frames it is still minutes of work.
      return draw(bench, 'storyboard.png', [ffmpeg, ...quiet, ...cells], signal, lookSeconds + probe.seconds);
    },
    async readFrames(bench, probe, wanted, signal) {
      const all = [ffmpeg, ...quiet, ...framesArguments(bench, probe, wanted)];
      needWell(await look(bench, all, signal, lookSeconds + 2 * framesSeconds(wanted)));
      return takeFrames(bench, wanted);
    },
    async transcode(bench, job, onProgress, signal) {
      const { probe, patterns, seconds } = job;
      const command = [...standBack(niceness), ffmpeg, ...quiet, ...transcodeArguments(bench, job)];
      const onOutput = (text: string) => onProgress(Math.min(1, secondsOf(text) / probe.seconds));
      needWell(await bench.run({ command, limits: limitsFor(seconds), seconds, onOutput, feed: patterns, signal }));
      const files = collectTracks(bench, probe);
      if (isWhole(files.seconds, probe.seconds)) return files;
      throw new VideoRefused('CORRUPT', `${files.seconds} s of ${probe.seconds} s could be read`);
    },
    async drawDifferences(bench, rungs, size, signal) {
      const all = [ffmpeg, ...quiet, ...differencesArguments(rungs, size)];
      needWell(await look(bench, all, signal, lookSeconds + differencesSeconds(rungs)));
      return rungs.map(differencesOf);
    },
  };
}

async function look(bench: Workbench, args: readonly string[], signal?: AbortSignal, seconds = lookSeconds) {
  const command = [...standBack(niceness), ...args];
  return bench.run({ command, limits: limitsFor(seconds), seconds, signal });
}

/** @param args the program and what it is to draw, without its end */
async function draw(
  bench: Workbench,
  name: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  seconds?: number,
) {
  const all = [...args, ...clean, '-frames:v', '1', '-update', '1', '-threads', '1', name];
  needWell(await look(bench, all, signal, seconds));
  const png = bench.read(name, pictureBytes);
  await bench.discard(name);
  if (png === undefined) throw new VideoRefused('CORRUPT', `no frame could be read: ${name}`);
  return png;
}

/** A recording of a browser does not say how long it is: its packets do. */
async function measure(ffmpeg: string, bench: Workbench, stream: number, signal?: AbortSignal): Promise<number> {
  const copy = ['-map', `0:${stream}`, '-c', 'copy', '-f', 'null', '-progress', 'pipe:1', '-'];
  const { output } = needWell(await look(bench, [ffmpeg, ...quiet, ...input(bench), ...copy], signal));
  return secondsOf(output);
}

/** Returns whether a program can decode something, by what it says of itself; one that does not say it is tried. */
function canDecodeBy(said: string): (codec: string) => boolean {
  const decodable = decodableIn(said);
  return (codec) => decodable.size === 0 || decodable.has(codec);
}

/** What a program says of itself. @throws Error when it had no time for that: then nobody knows what it can do */
async function ask(walls: Walls, command: readonly string[]): Promise<string> {
  const folder = walls.makeFolder();
  try {
    const { ended, output } = await walls.run(folder, { command, limits: limitsFor(10), seconds: 10 });
    if (ended === 'overtime') throw new Error('ffmpeg did not say in time what it can do');
    return output;
  } finally {
    await rm(folder.path, { recursive: true, force: true });
  }
}

function framesArguments(bench: Workbench, video: ReadVideo, wanted: FramesRequest): string[] {
  const { firstSecond, frames, isKeyFramesOnly } = wanted;
  return [
    ...['-threads', '1', ...steady, ...(isKeyFramesOnly ? ['-skip_frame', 'nokey'] : [])],
    ...(firstSecond > 0 ? ['-ss', String(firstSecond)] : []),
    ...input(bench),
    ...['-map', `0:${video.videoStream}`, '-vf', framesFilter(video, wanted), '-fps_mode', 'passthrough'],
    ...['-frames:v', String(frames), '-f', 'rawvideo', framesName],
  ];
}

function transcodeArguments(bench: Workbench, { probe, mostSeconds }: TranscodeJob): string[] {
  const { width, height } = patternSize(probe);
  const patterns = ['-f', 'rawvideo', '-pixel_format', 'gray12le', '-video_size', `${width}x${height}`];
  const everySecond = ['-framerate', String(1 / pictureSegmentSeconds), '-i', 'pipe:3'];
  const length = ['-t', String(mostSeconds)];
  const outputs = tracksOf(probe).flatMap(({ name, label }) =>
    label === undefined
      ? ['-map', `0:${probe.audioStream}`, ...length, ...sound, ...clean, ...hls(name, soundSegmentSeconds)]
      : ['-map', label, ...length, ...picture, ...clean, ...hls(name, pictureSegmentSeconds)],
  );
  return [
    ...['-progress', 'pipe:1', '-stats_period', '0.5'],
    ...decoded(bench, probe),
    ...patterns,
    ...everySecond,
    ...['-filter_complex', ladderFilter(probe)],
    ...outputs,
  ];
}

function differencesArguments(rungs: VideoFiles['rungs'], size: Size): string[] {
  const keyFrames = ['-threads', '1', '-skip_frame', 'nokey', '-skip_loop_filter', 'all'];
  const inputs = filesOf(rungs).flatMap((file) => [...keyFrames, ...input({ input: file })]);
  const plain = ['-fps_mode', 'passthrough', '-f', 'rawvideo'];
  const outputs = rungs.flatMap((rung, n) => ['-map', `[d${n}]`, ...plain, differencesOf(rung)]);
  return [...inputs, '-filter_complex', differencesFilter(rungs, size), ...outputs];
}
