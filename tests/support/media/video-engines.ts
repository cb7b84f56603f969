import type { Walls } from '#engines/children/walls.ts';
import { openFfmpeg } from '#engines/video/ffmpeg.ts';
import { openNodeAv } from '#engines/video/node-av.ts';
import type { VideoEngine } from '#engines/video/video.ts';

/** The proof `video-engines` asks the second one: what comes with the packages, for who has no ffmpeg. */
export const engineAsked = { isSecond: false };

/** The engine that a test asks: the one that an installation takes on this machine, or the other one. */
export async function videoEngines(walls: Walls): Promise<[string, VideoEngine | undefined][]> {
  const ffmpeg: [string, VideoEngine | undefined] = ['ffmpeg', await openFfmpeg(walls)];
  const nodeAv: [string, VideoEngine | undefined] = ['node-av', openNodeAv()];
  if (engineAsked.isSecond) return [nodeAv];
  return [ffmpeg[1] === undefined ? nodeAv : ffmpeg];
}
