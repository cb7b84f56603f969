import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { checkAlbums, checkRules, insertWithRules, lockForNew } from '#features/links/change-link.ts';
import { longestLinkName } from '#features/links/contract.ts';
import { listAlbumsToShare } from '#features/links/store.ts';
import { releasePlace, reservePlace } from '#features/orders/places-store.ts';
import { newId } from '#kit/ids.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { addDelivered, holdRequest, keepDelivery, type RequestRow } from '../store.ts';
import { moveHeld, refuseMove } from './moving.ts';

/** One person, no end, and the question of age as on every link. */
const deliveryRules = {
  maxViewers: 1,
  maxConcurrent: 2,
  ageGate: true,
  offers: [{ id: 'free', all: [{ kind: 'free' as const }] }],
  mark: 'album' as const,
  blurWhenUnfocused: true,
  holdToView: false,
  desktopAllowed: true,
  recipientInMark: false,
  autoResponse: { do: 'none' as const, threshold: 1 },
};

/**
 * An album becomes what was asked for: a link with one place, which is kept for whoever paid, so that nobody else gets in by it.
 * What is delivered after a change stands beside what came first.
 * @throws NOT_FOUND, ALBUM_EMPTY, CONSENT_MISSING, GONE, DISPUTED, CONFLICT
 */
export async function deliver(
  context: CreatorContext,
  { requestId, albumId, text }: { requestId: string; albumId: string; text: string },
): Promise<void> {
  const { engines, creator, work } = context;
  const now = moneyNow(engines);
  const policy = checkRules(deliveryRules, false, null, now);
  await work(async (tx) => {
    checkAlbums(await listAlbumsToShare(tx, [albumId]), 1, policy, true);
    await lockForNew(tx, creator);
    const row = await tx.asSystem((system) => holdRequest(system, requestId));
    if (row?.creatorId !== creator.userId) throw refuse('NOT_FOUND');
    await tx.asSystem(async (system) => {
      const moved = await moveHeld(engines, system, row, { by: 'creator', do: 'deliver' }, { text });
      if ('ok' in moved) refuseMove(moved.because);
    });
    const linkId = await showAlbum(context, tx, row, albumId, policy);
    await tx.asSystem((system) => keepDelivery(system, requestId, linkId, albumId));
    const actor = { type: creator.kind, id: creator.userId };
    const target = { type: 'request', id: requestId };
    await insertAudit(tx, { actor, action: 'request.delivered', target, requestId: context.requestId });
  });
}

/** A title may be as long as a name itself: what is too long ends between two letters. */
function nameLink(title: string): string {
  const name = `Custom: ${title}`;
  if (name.length <= longestLinkName) return name;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if (cut.length + segment.length >= longestLinkName) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

async function showAlbum(
  { engines, creator }: CreatorContext,
  tx: Tx,
  { deliveryLinkId, isDeliveryOpen, title, orderId, viewerId }: RequestRow,
  albumId: string,
  policy: ReturnType<typeof checkRules>,
): Promise<string> {
  if (orderId === null || viewerId === null) return refuseMove('state');
  if (deliveryLinkId !== null && isDeliveryOpen) {
    await addDelivered(tx, deliveryLinkId, albumId);
    return deliveryLinkId;
  }
  const now = moneyNow(engines);
  const id = newId<'link'>(now.getTime());
  const link = { id, creatorId: creator.userId, albumIds: [albumId], linkName: nameLink(title), policy, now };
  const plain = { recipientName: null, recipientChannel: null, note: '', welcomeText: '', passwordHash: null } as const;
  await insertWithRules(tx, { ...link, ...plain, expiresAt: null, notify: 'first' }, engines.keys);
  await tx.asSystem(async (system) => {
    await releasePlace(system, orderId);
    const place = await reservePlace(system, { orderId, linkId: id, viewerId, places: 1, network: undefined });
    if (place !== 'kept') throw new Error('A new link has no place.');
  });
  return id;
}
