import { isUuid } from '#kit/ids.ts';
import { creatorRefusal } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import type { RefusalCode } from '#wire/refusals.ts';
import { findOwnAlbum, findOwnSlug } from './preview-store.ts';

/** Why somebody may not open the page of a preview; undefined for the creator whose link or album it shows. */
export async function whyNoPreview(
  { actor, engines }: Context,
  { linkId = '', albumId = '' }: Record<string, string>,
): Promise<RefusalCode | undefined> {
  const who = await actor();
  // To whoever is not signed in nothing is there either: the page is no way to sign in.
  if (who.kind === 'visitor' || !isUuid(linkId || albumId)) return 'NOT_FOUND';
  const no = creatorRefusal(who.access);
  if (no !== undefined) return no;
  const own = await engines.database.work<unknown>({ kind: 'user', userId: who.userId }, (tx) =>
    linkId === '' ? findOwnAlbum(tx, albumId, who.userId) : findOwnSlug(tx, linkId, who.userId),
  );
  return own === undefined ? 'NOT_FOUND' : undefined;
}
