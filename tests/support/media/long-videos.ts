import { drawVideo, recode } from '../tracing/leaked-clips.ts';
import { withFfmpeg } from './with-ffmpeg.ts';

/** What is drawn at once. */
const pieceSeconds = 240;

interface LongVideoParams {
  seconds: number;
  width: number;
  height: number;
}

/** A video too long to be drawn at once: pieces of some minutes, no two alike, put together as they are. */
export async function drawLongVideo({ seconds, ...size }: LongVideoParams): Promise<Buffer> {
  const pieces: Record<string, Buffer> = {};
  for (let from = 0; from < seconds; from += pieceSeconds) {
    const piece = await drawVideo({ ...size, seconds: Math.min(pieceSeconds, seconds - from), seed: 1 + from });
    // An hour of its grain would be more than may be uploaded.
    pieces[`${from}.mp4`] = await recode(piece, ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '26']);
  }
  const list = Object.keys(pieces).map((name) => `file '${name}'\n`);
  const join = ['-f', 'concat', '-safe', '0', '-i', 'list.txt', '-c', 'copy', '-movflags', '+faststart'];
  return withFfmpeg({ ...pieces, 'list.txt': Buffer.from(list.join('')) }, join, 'video.mp4');
}
