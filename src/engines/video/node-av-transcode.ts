import {
  AV_CODEC_FLAG_BITEXACT,
  Decoder,
  type Demuxer,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FilterAPI,
  type Frame,
  Muxer,
  type Packet,
} from 'node-av';
import type { NodeAvTask } from './node-av.ts';
import { drain, openGraph } from './node-av-graph.ts';
import { holdingLastFrame, secondsAt } from './node-av-held-frame.ts';
import { packetsOf, shape, streamOf } from './node-av-input.ts';
import { patternFrame, readPatterns } from './node-av-patterns.ts';
import {
  framesPerSecond,
  pictureSegmentSeconds,
  segmentOptions,
  soundFilter,
  soundSegmentSeconds,
  x264,
} from './plan.ts';

type TranscodeTask = Extract<NodeAvTask, { act: 'transcode' }>;

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

/** Makes both variants of every rung, and the sound. */
export async function transcode(input: Demuxer, job: TranscodeTask): Promise<void> {
  const { audioStream, pattern, mostSeconds } = job;
  const pictures = job.outputs.flatMap(({ name, label }) =>
    label === undefined ? [] : [{ name, label: label.slice(1, -1) }],
  );
  const labels = pictures.map(({ label }) => label);
  const filter = job.ladder.replace(`[0:${job.videoStream}]`, '[video]').replace('[1:v]', '[pattern]');
  const graph = openGraph(filter, ['video', 'pattern'], labels);
  const outputs = await Promise.all(pictures.map(({ name }) => openPicture(name)));
  const sound = audioStream === undefined ? undefined : await openSoundPath(input, audioStream, mostSeconds);
  const patterns = readPatterns(pattern);
  let ahead = 0;

  /** Blending a frame waits for the pattern after its own. */
  const feedUntil = async (seconds: number) => {
    while (ahead <= seconds + 1) {
      const bytes = await patterns();
      if (bytes === undefined) return;
      const frame = patternFrame(bytes, pattern, ahead++);
      await graph.process('pattern', frame);
      frame.free();
    }
  };
  const writeAll = async () => {
    for (const [n, label] of labels.entries())
      for await (const frame of drain(graph, label)) {
        await write(outputs[n] as Output, frame, true);
        frame.free();
      }
  };
  for await (const frame of holdingLastFrame(framesOf(input, job, sound), job)) {
    const seconds = secondsAt(frame);
    await feedUntil(seconds);
    await graph.process('video', frame);
    frame.free();
    await writeAll();
    process.stdout.write(`out_time_us=${Math.max(0, Math.round(seconds * 1e6))}\n`);
  }
  await graph.flush();
  await writeAll();
  for (const output of outputs) {
    await write(output, null, true);
    await output.muxer.close();
  }
  await sound?.end();
}

type SoundPath = Awaited<ReturnType<typeof openSoundPath>>;

/** The frames of the picture, in order; what lies between them of the sound goes its own way meanwhile. */
async function* framesOf(
  input: Demuxer,
  { videoStream, audioStream, threads }: TranscodeTask,
  sound: SoundPath | undefined,
): AsyncGenerator<Frame> {
  const video = streamOf(input, videoStream);
  const decoder = await Decoder.create(video, { threadCount: threads, exitOnError: false });
  for await (const packet of packetsOf(input)) {
    if (packet === null) break;
    if (packet.streamIndex === videoStream)
      for (const frame of await decoder.decodeAll(packet)) yield shape(frame, video);
    else if (packet.streamIndex === audioStream) await sound?.take(packet);
    packet.free();
  }
  for (const frame of await decoder.decodeAll(null)) yield shape(frame, video);
}

async function openSoundPath(input: Demuxer, index: number, mostSeconds: number) {
  const stream = streamOf(input, index);
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
