import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { openDecoders } from './decoding/decoders.ts';
import { openPhotoWork } from './pipeline/process-photo.ts';
import { openVideoWork } from './pipeline/process-video.ts';

/** Makes media ready in this process. */
export interface Processing {
  /** @param also what else the commit that makes it ready does */
  makePhoto(mediaId: string, signal: AbortSignal, also: (tx: Tx) => Promise<void>): Promise<void>;
  makeVideo(mediaId: string, signal: AbortSignal, also: (tx: Tx) => Promise<void>): Promise<void>;
  /** Ends videos that are being made, so that the next process begins them again. */
  putVideosBack(): Promise<void>;
  /** Ends the children. */
  end(): Promise<void>;
}

/** Opens it; walls, decoders and the video engine come with the first medium. */
export function openProcessing(engines: Engines): Processing {
  const decoders = openDecoders(engines);
  const photos = openPhotoWork(engines, decoders);
  const videos = openVideoWork(engines, decoders);
  return {
    makePhoto: photos.make,
    makeVideo: videos.make,
    putVideosBack: () => videos.close(),
    end: () => decoders.close(),
  };
}
