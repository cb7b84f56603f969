import { closeSync, openSync, writeSync } from 'node:fs';
import {
  AV_CODEC_FLAG_BITEXACT,
  AV_LOG_ERROR,
  AV_NOPTS_VALUE,
  AV_PIX_FMT_GRAY12LE,
  AVSEEK_FLAG_BACKWARD,
  Decoder,
  Demuxer,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FF_ENCODER_PNG,
  FilterAPI,
  FilterComplexAPI,
  Frame,
  Log,
  Muxer,
  type Packet,
  type Stream,
} from 'node-av';
import type { NodeAvTask } from './node-av.ts';
import { readPatterns } from './node-av-patterns.ts';
import { describeFile, uprightFilter } from './node-av-probe.ts';
import {
  filterThreads,
  framesPerSecond,
  pictureSegmentSeconds,
  segmentOptions,
  soundFilter,
  soundSegmentSeconds,
  x264,
} from './plan.ts';

/** FFmpeg as a library in a process of its own, for machines without its programs. Foreign bytes are read here and nowhere else. */
Log.setLevel(AV_LOG_ERROR);
const task = JSON.parse(process.argv[2] ?? '') as NodeAvTask;
const formats = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,avi';
const options = { protocol_whitelist: 'file', format_whitelist: formats };
const input = await Demuxer.open(task.input, { options }).catch(giveUp);

/** As the ffmpeg program does: the last line says why. */
function giveUp(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function work(): Promise<void> {
  if (task.act === 'probe') process.stdout.write(JSON.stringify(describeFile(input)));
  if (task.act === 'measure') process.stdout.write(`out_time_us=${await measure(streamOf(task.stream))}\n`);
  if (task.act === 'frames') await writeFrames(task);
  if (task.act === 'draw') await draw(task);
  if (task.act === 'transcode') await transcode(task);
}

function streamOf(index: number): Stream {
  const stream = input.getStream(index);
  if (stream === undefined) throw new Error('a stream is gone');
  return stream;
}

function startSeconds(): number {
  const start = input.getFormatContext().startTime;
  return start === AV_NOPTS_VALUE ? 0 : Number(start) / 1e6;
}

/** The packets of a video on a clock that begins with it, as the ffmpeg program has them: a transport stream begins anywhere. */
async function* packetsOf(index?: number): AsyncGenerator<Packet | null> {
  const start = startSeconds();
  for await (const packet of input.packets(index)) {
    if (packet !== null) {
      const { num, den } = streamOf(packet.streamIndex).timeBase;
      const before = BigInt(Math.round((start * den) / num));
      if (packet.pts !== AV_NOPTS_VALUE) packet.pts -= before;
      if (packet.dts !== AV_NOPTS_VALUE) packet.dts -= before;
    }
    yield packet;
  }
}

/** Where the last packet of a stream ends, in microseconds from its first. */
async function measure(stream: Stream): Promise<number> {
  const { num, den } = stream.timeBase;
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for await (const packet of input.packets(stream.index)) {
    if (packet === null) continue;
    first = Math.min(first, Number(packet.pts));
    last = Math.max(last, Number(packet.pts + packet.duration));
    packet.free();
  }
  return Math.max(0, Math.round(((last - first) * num * 1e6) / den));
}

/** The first frame that a filter gives, as a PNG. */
async function draw(wish: Extract<NodeAvTask, { act: 'draw' }>): Promise<void> {
  const { stream: index, threads, filter, isKeyFramesOnly, output } = wish;
  const stream = streamOf(index);
  const decoderOptions = isKeyFramesOnly ? { options: { skip_frame: 'nokey' } } : {};
  const decoder = await Decoder.create(stream, { ...decoderOptions, threadCount: threads, exitOnError: false });
  const graph = FilterAPI.create(`${uprightFilter(stream)}${filter}`, { threads: filterThreads });
  const encoder = await Encoder.create(FF_ENCODER_PNG, {
    configure: (context) => context.setFlags(AV_CODEC_FLAG_BITEXACT),
  });
  const muxer = await Muxer.open(output, { format: 'image2', options: { update: true } });
  const at = muxer.addStream(encoder);
  for await (const frame of graph.frames(decoder.frames(packetsOf(index)))) {
    if (frame === null) continue;
    for (const packet of [...(await encoder.encodeAll(frame)), ...(await encoder.encodeAll(null))])
      await muxer.writePacket(packet, at);
    break;
  }
  await muxer.close();
}

/** Frames as plain pixels, one after another, from a moment on. */
async function writeFrames(wish: Extract<NodeAvTask, { act: 'frames' }>): Promise<void> {
  const { stream: index, filter, isKeyFramesOnly, firstSecond, frames, output } = wish;
  const stream = streamOf(index);
  const decoderOptions = isKeyFramesOnly ? { options: { skip_frame: 'nokey' } } : {};
  const decoder = await Decoder.create(stream, { ...decoderOptions, threadCount: 1, exitOnError: false });
  if (firstSecond > 0) await input.seek(startSeconds() + firstSecond, -1, AVSEEK_FLAG_BACKWARD);
  const later = firstSecond > 0 ? `trim=start=${firstSecond},setpts=PTS-${firstSecond}/TB,` : '';
  const graph = FilterAPI.create(`${uprightFilter(stream)}${later}${filter}`, { threads: filterThreads });
  const file = openSync(output, 'wx');
  let written = 0;
  for await (const frame of graph.frames(decoder.frames(packetsOf(index)))) {
    if (frame === null) continue;
    writeSync(file, frame.toBuffer());
    frame.free();
    if (++written >= frames) break;
  }
  closeSync(file);
}

/** One output: an encoder and the file of its segments. */
interface Output {
  encoder: Encoder;
  muxer: Muxer;
  at: number;
}

async function openOutput(name: string, seconds: number, encoder: Encoder): Promise<Output> {
  const muxer = await Muxer.open(`${name}.m3u8`, {
    format: 'hls',
    options: {
      hls_time: seconds,
      hls_playlist_type: 'vod',
      hls_segment_type: 'fmp4',
      hls_segment_options: segmentOptions,
      hls_flags: 'independent_segments+single_file',
      hls_segment_filename: `${name}.m4s`,
      fflags: '+bitexact',
    },
  });
  return { encoder, muxer, at: muxer.addStream(encoder) };
}

const openPicture = async (name: string): Promise<Output> =>
  openOutput(
    name,
    pictureSegmentSeconds,
    await Encoder.create(FF_ENCODER_LIBX264, {
      threadCount: 1,
      gopSize: x264.gop,
      maxBFrames: x264.bFrames,
      configure: (context) => context.setFlags(AV_CODEC_FLAG_BITEXACT),
      options: {
        preset: x264.preset,
        crf: Number(x264.crf),
        profile: x264.profile,
        sc_threshold: 0,
        keyint_min: x264.gop,
      },
    }),
  );

const openSound = async (name: string): Promise<Output> =>
  openOutput(
    name,
    soundSegmentSeconds,
    await Encoder.create(FF_ENCODER_AAC, {
      bitrate: '128k',
      configure: (context) => context.setFlags(AV_CODEC_FLAG_BITEXACT),
    }),
  );

async function write({ encoder, muxer, at }: Output, frame: Frame | null, isPicture: boolean): Promise<void> {
  for (const packet of await encoder.encodeAll(frame)) {
    // Without it the muxer takes the last frame of a video to last no time.
    if (isPicture && packet.duration === 0n) packet.duration = frameDuration(packet);
    await muxer.writePacket(packet, at);
    packet.free();
  }
}

function frameDuration({ timeBase: { num, den } }: Packet): bigint {
  return BigInt(Math.max(1, Math.round(den / (num * framesPerSecond))));
}

async function transcode(job: Extract<NodeAvTask, { act: 'transcode' }>): Promise<void> {
  const { videoStream, audioStream, ladder, pattern } = job;
  const pictures = job.outputs.flatMap(({ name, label }) =>
    label === undefined ? [] : [{ name, label: label.slice(1, -1) }],
  );
  const labels = pictures.map(({ label }) => label);
  const video = streamOf(videoStream);
  const decoder = await Decoder.create(video, { threadCount: job.threads, exitOnError: false });
  const upright = ladder.replace(`[0:${videoStream}]`, `[video]${uprightFilter(video)}`).replace('[1:v]', '[pattern]');
  const graph = FilterComplexAPI.create(upright, {
    inputs: [{ label: 'video' }, { label: 'pattern' }],
    outputs: labels.map((label) => ({ label })),
    threads: filterThreads,
  });
  const outputs = await Promise.all(pictures.map(({ name }) => openPicture(name)));
  const sound = audioStream === undefined ? undefined : await openSoundPath(audioStream, job.mostSeconds);
  const { num, den } = video.timeBase;
  const patterns = readPatterns(pattern);
  let ahead = 0;

  /** Blending a frame waits for the pattern after its own. */
  const feedUntil = async (seconds: number) => {
    while (ahead <= seconds + 1) {
      const bytes = await patterns();
      if (bytes === undefined) return;
      const { width, height } = pattern;
      const timeBase = { num: pictureSegmentSeconds, den: 1 };
      const frame = Frame.fromVideoBuffer(bytes, {
        width,
        height,
        format: AV_PIX_FMT_GRAY12LE,
        timeBase,
        pts: BigInt(ahead++),
      });
      await graph.process('pattern', frame);
      frame.free();
    }
  };
  const drain = async () => {
    for (const [n, label] of labels.entries())
      for (;;) {
        const frame = await graph.receive(label);
        if (!(frame instanceof Frame)) break;
        await write(outputs[n] as Output, frame, true);
        frame.free();
      }
  };
  const take = async (frame: Frame) => {
    const seconds = (Number(frame.pts) * num) / den;
    if (seconds > job.mostSeconds) return frame.free();
    await feedUntil(seconds);
    await graph.process('video', frame);
    frame.free();
    await drain();
    process.stdout.write(`out_time_us=${Math.max(0, Math.round(seconds * 1e6))}\n`);
  };
  for await (const packet of packetsOf()) {
    if (packet === null) break;
    if (packet.streamIndex === videoStream) for (const frame of await decoder.decodeAll(packet)) await take(frame);
    else if (sound && packet.streamIndex === audioStream) await sound.take(packet);
    packet.free();
  }
  for (const frame of await decoder.decodeAll(null)) await take(frame);
  await graph.flush();
  await drain();
  for (const output of outputs) {
    await write(output, null, true);
    await output.muxer.close();
  }
  await sound?.end();
}

async function openSoundPath(index: number, mostSeconds: number) {
  const stream = streamOf(index);
  const { num, den } = stream.timeBase;
  const last = (mostSeconds * den) / num;
  const decoder = await Decoder.create(stream, { threadCount: 1, exitOnError: false });
  const graph = FilterAPI.create(`${soundFilter},aformat=sample_fmts=fltp:channel_layouts=stereo`);
  const output = await openSound('audio');
  const pass = async (frames: readonly Frame[]) => {
    for (const frame of frames) {
      for (const ready of await graph.processAll(frame)) await write(output, ready, false);
      frame.free();
    }
  };
  return {
    async take(packet: Packet) {
      if (Number(packet.pts) <= last) await pass(await decoder.decodeAll(packet));
    },
    async end() {
      await pass(await decoder.decodeAll(null));
      for await (const ready of graph.flushFrames()) await write(output, ready, false);
      await write(output, null, false);
      await output.muxer.close();
    },
  };
}

await work().catch(giveUp);
process.exit(0);
