/** Everything that somebody may be paying for, as far as its end depends on what it is. */
export const saleKinds = [
  'link_tip',
  'page_tip',
  'album',
  'bundle',
  'link_fan',
  'page_fan',
  'request',
  'credits',
  'plan',
] as const;
export type SaleKind = (typeof saleKinds)[number];

/** Why something is not for sale any more, the strongest reason first. */
export const saleEnds = [
  'seller_gone',
  'seller_suspended',
  'viewer_blocked',
  'taken_down',
  'album_deleted',
  'link_revoked',
  'link_free',
  'link_expired',
  'tier_stopped',
  'tier_changed',
  'page_closed',
  'request_changed',
] as const;
export type SaleEnd = (typeof saleEnds)[number];

/** What ended the sale that an order is of. */
export interface OrderEnd {
  why: SaleEnd;
  at: Date;
}

const atLinks = ['link_tip', 'album', 'bundle', 'link_fan'] as const;
const fans = ['link_fan', 'page_fan'] as const;
const ofCreators = [...atLinks, 'page_tip', 'page_fan', 'request'] as const;

/**
 * The one table of ends: which kinds of sales each of them ends. What is missing goes on: whoever pays a price or a tip is let in
 * past the link's expiry and in spite of new rules, and a tip to a creator themselves opens nothing that could be taken away.
 */
export const endedBy: Readonly<Record<SaleEnd, readonly SaleKind[]>> = {
  seller_gone: saleKinds,
  seller_suspended: saleKinds,
  viewer_blocked: ofCreators,
  taken_down: atLinks,
  album_deleted: [...atLinks, 'page_fan'],
  link_revoked: atLinks,
  link_free: atLinks,
  link_expired: ['link_fan'],
  tier_stopped: fans,
  tier_changed: ['link_fan'],
  page_closed: ['page_tip', 'page_fan'],
  request_changed: ['request'],
};

const sentences: Readonly<Record<SaleEnd, string>> = {
  seller_gone: 'The creator has closed their account.',
  seller_suspended: "The creator can't sell anything at the moment.",
  viewer_blocked: 'The creator has ended your access.',
  taken_down: 'This content was removed.',
  album_deleted: 'The creator has deleted what was for sale here.',
  link_revoked: 'The creator has ended access to this link.',
  link_free: 'This link is free now: it opens without a payment.',
  link_expired: 'This link has expired.',
  tier_stopped: 'The creator no longer offers this subscription.',
  tier_changed: 'This subscription no longer opens this link.',
  page_closed: 'The creator has closed the page it was paid on.',
  request_changed: 'This request was cancelled or changed.',
};

/** Returns why it ended, in a sentence to whoever was paying. */
export const describeSaleEnd = (why: SaleEnd): string => sentences[why];

/**
 * Whether a payment came when its sale was over. The provider tells the time in whole seconds; of the second of the end itself it
 * is said to be after it, so that nobody waits for their money.
 * @param chargedAt when the payer's money was taken; undefined where the provider doesn't tell
 */
export const isPaidLate = (endedAt: Date | null, chargedAt: Date | undefined): boolean =>
  endedAt !== null &&
  (chargedAt === undefined || Math.floor(chargedAt.getTime() / 1000) >= Math.floor(endedAt.getTime() / 1000));
