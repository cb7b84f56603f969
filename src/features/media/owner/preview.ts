import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { countFull, lendPictures, WantedPictures } from '../send-pictures.ts';
import { lookAtOwn, takeOwnRate } from './own-grant.ts';
import { findOwnPacks } from './preview-store.ts';

/** Body of POST /api/media/leases. */
const PreviewRequest = z.object({ items: WantedPictures });

/**
 * POST /api/media/leases: how a creator sees their own pictures in the studio. The same packs, keys and frames as a viewer's,
 * under a grant and a codeword of their own; never counted.
 */
export function mountOwnLeases(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['creator', 'admin'] as const, subject: 'medium' as const };
  app.post('/api/media/leases', { config }, async (request, reply) => {
    const { actor: findActor, now } = contextOf(request, reply);
    const actor = await findActor();
    if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    const { data } = PreviewRequest.safeParse(request.body);
    if (data === undefined) return sayRefusal(reply, 'VALIDATION');
    const { items: wanted } = data;
    const asked = { setting: 'viewing.fullPhotosPerMinute', cost: countFull(wanted) } as const;
    const retryAfter = await takeOwnRate(engines, actor.userId, asked, now);
    if (retryAfter !== undefined) return sayRefusal(reply, 'RATE_LIMITED', { retryAfter });
    const look = await lookAtOwn(engines, actor.userId, (tx) => findOwnPacks(tx, wanted), now);
    if (look === undefined) return sayRefusal(reply, 'NOT_FOUND');
    return lendPictures(engines, reply, { packs: look.found, grant: look.grant, wanted }, now);
  });
}
