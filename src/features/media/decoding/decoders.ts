import { tmpdir } from 'node:os';
import { openWalls, type Walls } from '#engines/children/walls.ts';
import { sweepWorkFolders } from '#engines/children/work-folder.ts';
import type { Engines } from '#engines/engines.ts';
import { openOnce } from '#engines/once.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import type { VideoEngine } from '#engines/video/video.ts';
import { openPhotoDecoder, type PhotoDecoder } from './photo-decoder.ts';

/** Where foreign files are opened: behind walls that are tried and put up when the first one comes. */
export interface Decoders {
  photos(): Promise<PhotoDecoder>;
  /** `engine` is undefined where nothing here can read videos. */
  videos(): Promise<{ walls: Walls; engine: VideoEngine | undefined }>;
  close(): Promise<void>;
}

/** The decoders of this process. */
export function openDecoders({ installation, log }: Engines): Decoders {
  // Pictures that a killed process left in the clear go now, not when the next one comes.
  sweepWorkFolders(tmpdir());
  const walls = openOnce(async () => {
    const { dataDir, backupDir } = installation;
    const opened = await openWalls({ hidden: backupDir === undefined ? [dataDir] : [dataDir, backupDir] });
    log.info({ wall: opened.wall.name }, 'decoders run behind this wall');
    return opened;
  });
  const photos = openOnce(async () => openPhotoDecoder(await walls()));
  const videos = openOnce(async () => {
    const stand = await walls();
    const engine = await openVideoEngine(stand);
    if (engine) log.info({ engine: engine.name }, 'videos are read by this engine');
    else log.warn({}, 'videos cannot be read: install ffmpeg 5.1 or newer');
    return { walls: stand, engine };
  });
  return {
    photos,
    videos,
    close: async () => (await photos.opened())?.close(),
  };
}
