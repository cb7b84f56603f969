import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findCameraMaterial } from './camera-material.ts';
import { drawClip } from './clips.ts';

/** A clip on the disk, as large as it is shown. */
export interface Clip {
  file: string;
  width: number;
  height: number;
  /** Where it comes from, for the person who watches. */
  said: string;
}

interface Probed {
  width: number;
  height: number;
  seconds: number;
  hasSound: boolean;
}

const asked = 'stream=codec_type,width,height:stream_side_data=rotation:format=duration';

/** Returns what ffprobe says of a file; undefined when it knows nothing of it, or there is no ffprobe. */
function probe(file: string): Probed | undefined {
  try {
    const words = execFileSync('ffprobe', ['-v', 'error', '-show_entries', asked, '-of', 'json', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { streams = [], format = {} } = JSON.parse(words) as {
      streams?: { codec_type: string; width?: number; height?: number; side_data_list?: { rotation?: number }[] }[];
      format?: { duration?: string };
    };
    const picture = streams.find(({ codec_type: kind }) => kind === 'video');
    if (picture?.width === undefined || picture.height === undefined) return undefined;
    const turned = picture.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
    const [width, height] = turned % 180 === 0 ? [picture.width, picture.height] : [picture.height, picture.width];
    const hasSound = streams.some(({ codec_type: kind }) => kind === 'audio');
    return { width, height, seconds: Number(format.duration), hasSound };
  } catch {
    return undefined;
  }
}

const isOfUse = ({ width, height, seconds, hasSound }: Probed) =>
  hasSound && Math.min(width, height) >= 720 && seconds >= 2 && seconds <= 60;

/** The longest clip with sound that somebody's camera made, 720 lines or more; undefined without the camera material. */
function findCameraClip(): { name: string; file: string; probed: Probed } | undefined {
  const ofCameras = (findCameraMaterial() ?? []).flatMap(({ name, path: file, sniffed, reference }) => {
    if (!sniffed?.startsWith('video/') || !reference.startsWith('ok')) return [];
    const probed = probe(file);
    return probed !== undefined && isOfUse(probed) ? [{ name, file, probed }] : [];
  });
  return ofCameras.sort((a, b) => b.probed.seconds - a.probed.seconds)[0];
}

/**
 * A clip of so many seconds: a camera's own pictures and sound, one showing after another as they stand in its file, or a
 * drawn one where there is no such file.
 */
export function takeClip(folder: string, seconds: number): Clip {
  const file = path.join(folder, 'clip.mp4');
  const found = findCameraClip();
  if (found === undefined) {
    const size = { width: 1280, height: 720 };
    writeFileSync(file, drawClip({ seconds, ...size, also: ['-preset', 'ultrafast'] }));
    return { file, ...size, said: 'drawn' };
  }
  const also = ['-map', '0:v:0', '-map', '0:a:0', '-t', String(seconds), '-c', 'copy'];
  execFileSync('ffmpeg', ['-v', 'error', '-stream_loop', '-1', '-i', found.file, ...also, file]);
  const { width, height } = found.probed;
  return { file, width, height, said: `${found.name}, ${width} × ${height}, again and again` };
}
