import { closeSync, openSync, writeSync } from 'node:fs';
import {
  AV_CODEC_FLAG_BITEXACT,
  AV_LOG_ERROR,
  AVSEEK_FLAG_BACKWARD,
  Decoder,
  type Demuxer,
  Encoder,
  FF_ENCODER_PNG,
  type Frame,
  Log,
  Muxer,
  type Stream,
} from 'node-av';
import type { NodeAvTask } from './node-av.ts';
import { drawDifferences } from './node-av-differences.ts';
import { filtered } from './node-av-graph.ts';
import { openInput, packetsOf, shape, startSeconds, streamOf } from './node-av-input.ts';
import { describeFile } from './node-av-probe.ts';
import { transcode } from './node-av-transcode.ts';

/** FFmpeg as a library in a process of its own, for machines without its programs. Foreign bytes are read here and nowhere else. */
Log.setLevel(AV_LOG_ERROR);

/** As the ffmpeg program does: the last line says why. */
function giveUp(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function work(task: NodeAvTask): Promise<void> {
  if (task.act === 'differences') return drawDifferences(task);
  const input = await openInput(task.input);
  if (task.act === 'probe') process.stdout.write(JSON.stringify(describeFile(input)));
  if (task.act === 'measure') process.stdout.write(`out_time_us=${await measure(input, task.stream)}\n`);
  if (task.act === 'frames') await writeFrames(input, task);
  if (task.act === 'draw') await draw(input, task);
  if (task.act === 'transcode') await transcode(input, task);
}

/** Where the last packet of a stream ends, in microseconds from where the file begins. */
async function measure(input: Demuxer, index: number): Promise<number> {
  const { num, den } = streamOf(input, index).timeBase;
  let last = 0;
  for await (const packet of packetsOf(input, index)) {
    if (packet === null) continue;
    last = Math.max(last, Number(packet.pts + packet.duration));
    packet.free();
  }
  return Math.round((last * num * 1e6) / den);
}

/** The frames of a stream, all or its key frames alone. */
async function* framesOf(
  input: Demuxer,
  stream: Stream,
  { threads, isKeyFramesOnly }: { threads: number; isKeyFramesOnly: boolean },
): AsyncGenerator<Frame | null> {
  const some = isKeyFramesOnly ? { options: { skip_frame: 'nokey' } } : {};
  const decoder = await Decoder.create(stream, { ...some, threadCount: threads, exitOnError: false });
  for await (const frame of decoder.frames(packetsOf(input, stream.index))) yield frame && shape(frame, stream);
}

/** The first frame that a filter gives, as a PNG. */
async function draw(input: Demuxer, wanted: Extract<NodeAvTask, { act: 'draw' }>): Promise<void> {
  const stream = streamOf(input, wanted.stream);
  const encoder = await Encoder.create(FF_ENCODER_PNG, {
    configure: (context) => context.setFlags(AV_CODEC_FLAG_BITEXACT),
  });
  const muxer = await Muxer.open(wanted.output, { format: 'image2', options: { update: true } });
  const at = muxer.addStream(encoder);
  for await (const frame of filtered(wanted.filter, framesOf(input, stream, wanted))) {
    for (const packet of [...(await encoder.encodeAll(frame)), ...(await encoder.encodeAll(null))])
      await muxer.writePacket(packet, at);
    break;
  }
  await muxer.close();
}

/** Frames as plain pixels, one after another, from a moment on. */
async function writeFrames(input: Demuxer, wanted: Extract<NodeAvTask, { act: 'frames' }>): Promise<void> {
  const { filter, isKeyFramesOnly, firstSecond, frames, output } = wanted;
  const stream = streamOf(input, wanted.stream);
  if (firstSecond > 0) await input.seek(startSeconds(input) + firstSecond, -1, AVSEEK_FLAG_BACKWARD);
  const later = firstSecond > 0 ? `trim=start=${firstSecond},setpts=PTS-${firstSecond}/TB,` : '';
  const file = openSync(output, 'wx');
  let written = 0;
  for await (const frame of filtered(`${later}${filter}`, framesOf(input, stream, { threads: 1, isKeyFramesOnly }))) {
    writeSync(file, frame.toBuffer());
    frame.free();
    if (++written >= frames) break;
  }
  closeSync(file);
}

await work(JSON.parse(process.argv[2] ?? '') as NodeAvTask).catch(giveUp);
process.exit(0);
