import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountBytes } from './delivery/bytes.ts';
import { mountVideoBytes } from './delivery/video-bytes.ts';
import { mountAvatarUpload } from './owner/avatar-upload.ts';
import { mountOriginals } from './owner/original-route.ts';
import { mountOwnVideos } from './owner/own-video.ts';
import { mountPreview } from './owner/preview.ts';

/** The raw routes of media: stored bytes for everybody who holds a lease, and a creator's own pictures, videos and files. */
export async function mountMedia(app: FastifyInstance, mounting: Mounting): Promise<void> {
  await mountAvatarUpload(app, mounting);
  mountOriginals(app, mounting.engines, mounting.contextOf);
  mountPreview(app, mounting);
  mountOwnVideos(app, mounting);
  mountBytes(app, mounting);
  mountVideoBytes(app, mounting);
}
