import { AV_NOPTS_VALUE, Demuxer, type Frame, type Packet, type Stream } from 'node-av';

const formats = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,avi';
const options = { protocol_whitelist: 'file', format_whitelist: formats };

/** A file whose bytes are foreign, or were made of such. */
export const openInput = (file: string): Promise<Demuxer> => Demuxer.open(file, { options });

export function streamOf(input: Demuxer, index: number): Stream {
  const stream = input.getStream(index);
  if (stream === undefined) throw new Error('a stream is gone');
  return stream;
}

export function startSeconds(input: Demuxer): number {
  const start = input.getFormatContext().startTime;
  return start === AV_NOPTS_VALUE ? 0 : Number(start) / 1e6;
}

/** The packets of a video on a clock that begins with it, as the ffmpeg program has them: a transport stream begins anywhere. */
export async function* packetsOf(input: Demuxer, index?: number): AsyncGenerator<Packet | null> {
  const start = startSeconds(input);
  for await (const packet of input.packets(index)) {
    if (packet !== null) {
      const { num, den } = streamOf(input, packet.streamIndex).timeBase;
      const before = BigInt(Math.round((start * den) / num));
      if (packet.pts !== AV_NOPTS_VALUE) packet.pts -= before;
      if (packet.dts !== AV_NOPTS_VALUE) packet.dts -= before;
    }
    yield packet;
  }
}

/** What a container says of the shape of its pixels stands above what a frame says, as to the ffmpeg program and to the probe. */
export function shape(frame: Frame, { sampleAspectRatio }: Stream): Frame {
  if (sampleAspectRatio.num > 0) frame.sampleAspectRatio = sampleAspectRatio;
  return frame;
}
