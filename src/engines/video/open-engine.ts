import type { Walls } from '#engines/children/walls.ts';
import { openFfmpeg } from './ffmpeg.ts';
import { openNodeAv } from './node-av.ts';
import type { VideoEngine } from './video.ts';

/** The best engine of this machine; undefined where none is. */
export async function openVideoEngine(walls: Walls): Promise<VideoEngine | undefined> {
  return (await openFfmpeg(walls)) ?? openNodeAv();
}
