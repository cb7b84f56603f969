import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { countFull, lendPictures, WantedPictures } from '#features/media/send-pictures.ts';
import { writeVideoPlaylist } from '#features/media/video-lending.ts';
import { isUuid } from '#kit/ids.ts';
import { adminRefusal } from '#wire/answer.ts';
import { sendCompressed } from '#wire/compressed.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import type { RefusalCode } from '#wire/refusals.ts';
import { grantOf, takeGlassRate } from './glass.ts';
import { findGlassPacks, findGlassVideo, findOpenLook } from './glass-store.ts';

const config = { who: ['admin'] as const, subject: 'none' as const, scopes: ['moderation'] as const };
const GlassRequest = z.object({ items: WantedPictures });
type Params = { glassId: string; mediaId: string; playlist: string };

/** Mounts what an administrator's open look is answered with beside its procedures: encrypted pictures and the playlists of videos. */
export function mountGlass(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  app.post<{ Params: Params }>('/api/admin/glass/:glassId/leases', { config }, async (request, reply) => {
    const context = await requireAdmin(contextOf(request, reply));
    if (typeof context === 'string') return sayRefusal(reply, context);
    const { data } = GlassRequest.safeParse(request.body);
    if (data === undefined) return sayRefusal(reply, 'VALIDATION');
    return lend(context, request.params.glassId, data.items, reply);
  });
  app.get<{ Params: Params }>(
    '/api/admin/glass/:glassId/media/:mediaId/video/:playlist',
    { config, exposeHeadRoute: false },
    async (request, reply) => {
      const context = await requireAdmin(contextOf(request, reply));
      if (typeof context === 'string') return sayRefusal(reply, context);
      const text = await writePlaylist(context, request.params);
      if (text === undefined) return sayRefusal(reply, 'NOT_FOUND');
      reply.header('cache-control', 'no-store').type('application/vnd.apple.mpegurl');
      return sendCompressed(request as FastifyRequest, reply, text);
    },
  );

  async function lend(context: AdminContext, glassId: string, wanted: WantedPictures, reply: FastifyReply) {
    if (!isUuid(glassId)) return sayRefusal(reply, 'NOT_FOUND');
    const retryAfter = await takeGlassRate(context, 'viewing.fullPhotosPerMinute', countFull(wanted));
    if (retryAfter !== undefined) return sayRefusal(reply, 'RATE_LIMITED', { retryAfter });
    const now = new Date(engines.clock());
    const look = { adminId: context.admin.userId, now };
    const packs = await findGlassPacks(engines.database, glassId, wanted, look);
    const grant = packs.length === 0 ? undefined : await grantOf(context, glassId);
    if (grant === undefined) return sayRefusal(reply, 'NOT_FOUND');
    const isOpen = async () =>
      (await findOpenLook(engines.database, glassId, { ...look, now: new Date(engines.clock()) })) !== undefined;
    return lendPictures(engines, reply, { packs, grant, wanted }, now, { mayGoOn: isOpen, isGone: () => false });
  }

  async function writePlaylist(context: AdminContext, { glassId, mediaId, playlist }: Params) {
    if (!isUuid(glassId) || !isUuid(mediaId)) return undefined;
    const look = { adminId: context.admin.userId, now: new Date(engines.clock()), mediaId };
    const tracks = await findGlassVideo(engines.database, glassId, look);
    const grant = tracks.length === 0 ? undefined : await grantOf(context, glassId);
    return grant && writeVideoPlaylist(engines, grant, { mediaId, tracks, playlist });
  }
}

async function requireAdmin(context: Context): Promise<AdminContext | RefusalCode> {
  const actor = await context.actor();
  return adminRefusal(actor, ['moderation']) ?? { ...context, admin: actor as AdminContext['admin'] };
}
