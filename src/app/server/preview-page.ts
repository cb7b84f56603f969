import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { whyNoPreview } from '#features/viewing/mount.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { type Page, send } from './html-page.ts';

/** What the page of a preview says instead of the app's headers: the studio shows it in a frame, and nobody else does. */
export const previewHeaders: Readonly<Record<string, string>> = {
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, noarchive, nosnippet, noimageindex',
};

/**
 * GET /preview/links/:linkId and /preview/albums/:albumId: the viewer's page for the creator whose it is; everybody else is told
 * that nothing is there.
 */
export function mountPreviewPages(app: FastifyInstance, mounting: Mounting, page: Page): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const why = await whyNoPreview(mounting.contextOf(request, reply), request.params as Record<string, string>);
    return why === undefined ? send(request, reply, page) : sayRefusal(reply, why);
  };
  const options = (subject: 'link' | 'album') => ({
    config: { who: ['creator', 'admin'] as const, subject },
    exposeHeadRoute: false,
  });
  app.get('/preview/links/:linkId', options('link'), answer);
  app.get('/preview/albums/:albumId', options('album'), answer);
}
