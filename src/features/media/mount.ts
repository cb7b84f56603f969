import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountPackBytes } from './delivery/bytes.ts';
import { mountVideoBytes } from './delivery/video-bytes.ts';
import { mountAvatarUpload } from './owner/avatar-upload.ts';
import { mountOriginals } from './owner/original-route.ts';
import { mountOwnPlaylists } from './owner/own-video.ts';
import { mountOwnLeases } from './owner/preview.ts';

/** Mounts the raw media routes: encrypted bytes for holders of a lease, and a creator's own originals, leases, videos and avatar. */
export async function mountMedia(app: FastifyInstance, mounting: Mounting): Promise<void> {
  await mountAvatarUpload(app, mounting);
  mountOriginals(app, mounting.engines, mounting.contextOf);
  mountOwnLeases(app, mounting);
  mountOwnPlaylists(app, mounting);
  mountPackBytes(app, mounting);
  mountVideoBytes(app, mounting);
}
