import type { FastifyInstance } from 'fastify';
import type { LiveEvent } from '#engines/database/work.ts';
import { decide } from '#features/access/rules.ts';
import { findFactsBySlug, findFactsOfVisit } from '#features/access/store.ts';
import { isUuid } from '#kit/ids.ts';
import { type Mounting, sayRefusal, takeRaw } from '#wire/raw.ts';
import { askerOf } from '../leases/leases.ts';
import { readViewerCookie } from '../viewer-cookie.ts';

/** News of a link as a whole, of one viewer, or of an album. That somebody asks for access is nobody's business but the creator's. */
const ofLink = /^(link\.|viewer\.|access\.(decided|ended)$|album\.(closed|itemsGone)$)/;

/**
 * What an open screen may hear: what concerns its link as a whole, its viewer or its own visit, and that an album has closed or lost pictures;
 * never other people's visits.
 */
function showTo(visitId: string) {
  return ({ kind, ...ids }: LiveEvent): object | undefined => {
    if (kind.startsWith('visit.')) return ids.visitId === visitId ? { kind, visitId } : undefined;
    return ofLink.test(kind) ? { kind } : undefined;
  };
}

/** GET /api/live/view?visit=…: tells an open screen at once that its access has changed. */
export function mountViewerLive(app: FastifyInstance, { engines, live, contextOf }: Mounting): void {
  const config = { who: ['viewer'] as const, subject: 'visit' as const };
  app.get<{ Querystring: { visit?: string } }>(
    '/api/live/view',
    { config, exposeHeadRoute: false },
    async (request, reply) => {
      const context = contextOf(request, reply);
      const visitId = request.query.visit ?? '';
      const asker = await askerOf(context, readViewerCookie(context));
      const question = isUuid(visitId) ? await findFactsOfVisit(engines.database, visitId, asker) : undefined;
      const viewer = question?.viewer;
      // Whose access has ended asks why by renewing; nothing that happens later is their business.
      if (question === undefined || viewer === undefined || !decide(question.link, question.facts).ok)
        return sayRefusal(reply, 'NOT_FOUND');
      const { linkId, link } = question;
      const wanted = { linkId, viewerId: viewer.viewerId, visitId, albumIds: link.albumIds };
      const last = request.headers['last-event-id'];
      const lastEventId = typeof last === 'string' ? last : undefined;
      live.open(takeRaw(reply, {}), wanted, `viewer:${viewer.deviceId}`, lastEventId, showTo(visitId));
      return reply;
    },
  );
}

const slugPattern = /^[A-Za-z0-9_-]{1,80}$/;

/** GET /api/live/waiting?slug=…: tells a page that waits for the creator's answer that there is one. */
export function mountWaitingLive(app: FastifyInstance, { engines, live, contextOf }: Mounting): void {
  const config = { who: ['viewer'] as const, subject: 'link' as const };
  app.get<{ Querystring: { slug?: string } }>(
    '/api/live/waiting',
    { config, exposeHeadRoute: false },
    async (request, reply) => {
      const context = contextOf(request, reply);
      const { slug = '' } = request.query;
      const asker = await askerOf(context, readViewerCookie(context));
      const question = slugPattern.test(slug) ? await findFactsBySlug(engines.database, slug, asker) : undefined;
      const viewer = question?.viewer;
      // Only who waits may listen, and whoever has been answered meanwhile asks what the answer is.
      if (question === undefined || viewer === undefined || question.asked.request !== 'pending')
        return sayRefusal(reply, 'NOT_FOUND');
      const { linkId, link } = question;
      const wanted = { linkId, viewerId: viewer.viewerId, albumIds: link.albumIds };
      const last = request.headers['last-event-id'];
      const lastEventId = typeof last === 'string' ? last : undefined;
      live.open(takeRaw(reply, {}), wanted, `viewer:${viewer.deviceId}`, lastEventId, ({ kind }) =>
        ofLink.test(kind) ? { kind } : undefined,
      );
      return reply;
    },
  );
}
