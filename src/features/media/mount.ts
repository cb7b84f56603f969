import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountBytes } from './delivery/bytes.ts';
import { mountFilmBytes } from './delivery/video-bytes.ts';
import { mountAvatarUpload } from './owner/avatar-upload.ts';
import { mountOriginals } from './owner/original-route.ts';
import { mountOwnFilms } from './owner/own-video.ts';
import { mountPreview } from './owner/preview.ts';

/** The raw routes of media: stored bytes for everybody who holds a lease, and a creator's own pictures, videos and files. */
export async function mountMedia(app: FastifyInstance, mounting: Mounting): Promise<void> {
  await mountAvatarUpload(app, mounting);
  mountOriginals(app, mounting.engines, mounting.contextOf);
  mountPreview(app, mounting);
  mountOwnFilms(app, mounting);
  mountBytes(app, mounting);
  mountFilmBytes(app, mounting);
}
