import type { Engines } from '#engines/engines.ts';
import { hasAccess } from '#wire/context.ts';
import { findPublicPage, type PublicPageRow } from './public-page-store.ts';
import { accountAccessOf, findHandleFault } from './rules.ts';

/** The public page under a handle while it is shown: opened by its person, who is set up, not stopped and has access. */
export async function findShownPage(
  { database }: Pick<Engines, 'database'>,
  handle: string,
  now: Date,
): Promise<PublicPageRow | undefined> {
  const wanted = handle.toLowerCase();
  // What can be nobody's handle is asked for all the same: no answer comes sooner than another.
  const row = await findPublicPage(database, findHandleFault(wanted) === undefined ? wanted : '');
  return row === undefined || !isShown(row, now) ? undefined : row;
}

function isShown(row: PublicPageRow, now: Date): boolean {
  const access = accountAccessOf(row, now);
  return access.isSetUp && !access.isStopped && hasAccess(access);
}
