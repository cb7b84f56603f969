import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Engines } from '#engines/engines.ts';
import { newId } from '#kit/ids.ts';
import { Uuid } from '#kit/uuid.ts';
import { type Mounting, sayRefusal, streamRaw } from '#wire/raw.ts';
import { frameKind, writeJson } from '../frames.ts';
import { insertLeases } from '../leases-store.ts';
import { isFullRendition } from '../rules.ts';
import { readAhead, sendPictures } from '../send-pictures.ts';
import type { KeyedPack } from '../stored-pack.ts';
import { lookAtOwn, ownLeaseMs, takeOwnRate } from './own-grant.ts';
import { findOwnPacks } from './preview-store.ts';

/** Body of POST /api/media/leases. */
const PreviewRequest = z.object({
  items: z
    .array(
      z.object({
        mediaId: Uuid,
        rendition: z.enum(['p2048', 'thumb512', 'poster', 'posterthumb', 'storyboard']),
        with: z.enum(['pack', 'keys']).default('pack'),
      }),
    )
    .min(1)
    .max(24),
});
type Wanted = z.infer<typeof PreviewRequest>['items'];

/** Nobody can take their own pictures away from a creator while they come. */
const unguarded = { mayGoOn: async () => true, isGone: () => false };

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
    const { data: wanted } = PreviewRequest.safeParse(request.body);
    if (wanted === undefined) return sayRefusal(reply, 'VALIDATION');
    const cost = wanted.items.filter(({ rendition }) => isFullRendition(rendition)).length;
    const asked = { setting: 'viewing.fullPhotosPerMinute', cost } as const;
    const retryAfter = await takeOwnRate(engines, actor.userId, asked, now);
    if (retryAfter !== undefined) return sayRefusal(reply, 'RATE_LIMITED', { retryAfter });
    const lent = await lend(engines, actor.userId, wanted.items, now);
    if (lent === undefined) return sayRefusal(reply, 'NOT_FOUND');
    const { packs, grant } = lent;
    const leases = packs.map(({ mediaId, rendition, id }) => ({ mediaId, rendition, packId: id }));
    const pictures = packs.map((pack, n) => ({ n, pack, isKeysOnly: isKept(wanted.items, pack) }));
    return streamRaw(reply, engines.log, async (response) => {
      await writeJson(response, frameKind.head, { leases });
      return sendPictures(engines, response, grant, pictures, unguarded);
    });
  });
}

const isKept = (wanted: Wanted, { mediaId, rendition }: KeyedPack) =>
  wanted.some((item) => item.mediaId === mediaId && item.rendition === rendition && item.with === 'keys');

async function lend(engines: Engines, userId: string, wanted: Wanted, now: Date) {
  const look = await lookAtOwn(engines, userId, (tx) => findOwnPacks(tx, wanted), now);
  if (look === undefined) return undefined;
  const { found: packs, grant } = look;
  const leases = packs.map(({ id, mediaId, rendition }) => ({
    leaseId: newId(now.getTime()),
    mediaId,
    rendition,
    packId: id,
  }));
  // What cannot be sent is not lent either.
  await readAhead(
    engines,
    packs.map((pack, n) => ({ n, pack, isKeysOnly: isKept(wanted, pack) })),
  );
  const holder = { grantId: grant.grantId, creatorId: userId, visitId: undefined };
  const until = new Date(now.getTime() + ownLeaseMs);
  await insertLeases(engines.database, holder, leases, { now, expiresAt: until });
  return { packs, grant };
}
