import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { isUuid } from '#kit/ids.ts';
import { sendCompressed } from '#wire/compressed.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { refuse } from '#wire/refusals.ts';
import type { VideoLeases, WantedSegments } from '../contract.ts';
import { lendSegments, secondsOf, writeVideoPlaylist } from '../video-lending.ts';
import { lookAtOwn, takeOwnRate } from './own-grant.ts';
import { findOwnTracks, findOwnVideo } from './own-video-store.ts';

/** GET /api/media/:mediaId/video/:playlist: what a player in the studio has to know to play a creator's own video. */
export function mountOwnPlaylists(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['creator', 'admin'] as const, subject: 'medium' as const };
  const options = { config, exposeHeadRoute: false };
  app.get<{ Params: { mediaId: string; playlist: string } }>(
    '/api/media/:mediaId/video/:playlist',
    options,
    async (request, reply) => {
      const { actor: findActor, now } = contextOf(request, reply);
      const actor = await findActor();
      if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
      const { mediaId, playlist } = request.params;
      if (!isUuid(mediaId)) return sayRefusal(reply, 'NOT_FOUND');
      const look = await lookAtOwn(engines, actor.userId, (tx) => findOwnVideo(tx, mediaId), now);
      const text = look && (await writeVideoPlaylist(engines, look.grant, { mediaId, tracks: look.found, playlist }));
      if (text === undefined) return sayRefusal(reply, 'NOT_FOUND');
      reply.header('cache-control', 'no-store').type('application/vnd.apple.mpegurl');
      return sendCompressed(request, reply, text);
    },
  );
}

/**
 * Lends a creator the keys of some seconds of their own video, under a grant and a codeword of their own; never counted as a look.
 * @throws NOT_FOUND for a video that is not theirs, RATE_LIMITED for one who takes keys faster than anybody looks
 */
export async function lendOwnSegments(
  engines: Engines,
  userId: string,
  { mediaId, tracks: parts }: { mediaId: string; tracks: WantedSegments },
  now: Date,
): Promise<VideoLeases> {
  const look = await lookAtOwn(engines, userId, (tx) => findOwnTracks(tx, mediaId), now);
  if (look === undefined) throw refuse('NOT_FOUND');
  const asked = { setting: 'viewing.filmSecondsPerMinute', cost: secondsOf(parts) } as const;
  const retryAfter = await takeOwnRate(engines, userId, asked, now);
  if (retryAfter !== undefined) throw refuse('RATE_LIMITED', { retryAfter });
  return lendSegments(engines, look.grant, { mediaId, tracks: look.found, wanted: parts }, now);
}
