import { nameViewer } from '#features/links/viewer-names.ts';
import type { BlockRow } from './blocks-store.ts';
import type { RequestRow } from './deciding-store.ts';
import type { GrantRow } from './grants-store.ts';
import type { AccessGrant, AccessRequest, BlockedViewer } from './requests-contract.ts';

/** A request as the creator sees it. */
export const showRequest = (row: RequestRow): AccessRequest => ({
  id: row.id,
  status: row.status,
  requesterName: row.requesterName,
  message: row.message,
  albums: row.albums,
  link: { id: row.linkId, linkName: row.linkName, recipientName: row.recipientName },
  device: { platform: row.device.platform ?? null, userAgent: row.device.userAgent ?? null },
  country: row.country,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  reviewedAt: row.reviewedAt,
  opensUntil: row.opensUntil,
  decisionText: row.decisionText,
  before: { approved: row.approvedBefore, denied: row.deniedBefore, visits: row.visits },
  shut: row.shut,
});

/** A grant as the creator sees it: under the name they gave, else the name that the viewer asked with. */
export const showGrant = (row: GrantRow): AccessGrant => ({
  id: row.id,
  viewerName: row.alias ?? row.requesterName ?? nameViewer(row.viewerId, null),
  album: { id: row.albumId, name: row.albumName },
  source: row.source,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  lastVisitAt: row.lastVisitAt,
});

export const showBlocked = (row: BlockRow): BlockedViewer => ({
  viewerId: row.viewerId,
  viewerName: row.givenName ?? row.requesterName ?? nameViewer(row.viewerId, null),
  reason: row.reason,
  blockedAt: row.blockedAt,
  link: row.linkId === null ? null : { id: row.linkId, linkName: row.linkName ?? '' },
});
