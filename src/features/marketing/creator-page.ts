import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { avatarUrl } from '#features/accounts/avatar.ts';
import { slowCrowd } from '#features/accounts/limits.ts';
import { findPublicPage, type PublicPageRow } from '#features/accounts/public-page-store.ts';
import { findHandleFault, standingOf } from '#features/accounts/rules.ts';
import { hasAccess } from '#wire/context.ts';
import type { Mounting } from '#wire/raw.ts';
import { type ShownCreator, writeCreatorPage, writeNotFound } from './creator-page-html.ts';

/** Nothing but our styles and her picture; there is no script. */
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self' data:; img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** Looks of one network in an hour before each waits longer: who tries handles gets slow, who shares a line does not notice. */
const freeLooks = 300;

/**
 * GET /@handle: a page that its person has opened. Every other handle – nobody's, closed, not set up, suspended, without a plan –
 * answers alike, by the same statement.
 * @param pageHead links to the styles of the built pages
 */
export function mountCreatorPage(app: FastifyInstance, { engines, contextOf }: Mounting, pageHead: string): void {
  app.get('/@:handle', { config: { who: ['anybody'] } }, async (request, reply) => {
    const { handle } = request.params as { handle: string };
    const context = contextOf(request, reply);
    await slowCrowd(context, 'creator_page', freeLooks);
    const creator = await findCreator(engines, handle.toLowerCase(), context.now);
    const html = creator === undefined ? writeNotFound(pageHead) : writeCreatorPage(creator, pageHead);
    return reply
      .code(creator === undefined ? 404 : 200)
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(html);
  });
}

async function findCreator({ database }: Engines, handle: string, now: Date): Promise<ShownCreator | undefined> {
  // What can be nobody's handle is asked for all the same: no answer comes sooner than another.
  const row = await findPublicPage(database, findHandleFault(handle) === undefined ? handle : '');
  return row === undefined || !isShown(row, now) ? undefined : showCreator(row);
}

function isShown(row: PublicPageRow, now: Date): boolean {
  const standing = standingOf(row, now);
  return standing.isSetUp && !standing.isStopped && hasAccess(standing);
}

const showCreator = ({ displayName, handle, bio, avatarName }: PublicPageRow): ShownCreator => ({
  name: displayName,
  handle,
  bio: bio ?? '',
  picture: avatarName === null ? undefined : avatarUrl(avatarName),
});
