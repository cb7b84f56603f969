import { canUndo as canRevive } from '#features/links/rules.ts';
import { nameViewer } from '#features/links/viewer-names.ts';
import type { SecurityEvent } from './contract.ts';
import type { EventListed } from './store.ts';

/** An event as its creator sees it. */
export function showEvent(row: EventListed, now: Date): SecurityEvent {
  const { id, eventType, timestamp, lastAt, count, risk, source, isRest, device } = row;
  return {
    id,
    eventType,
    timestamp,
    lastAt,
    count,
    risk,
    source,
    isRest,
    link: { id: row.linkId, linkName: row.linkName, slug: row.slug, isRevoked: row.isRevoked },
    viewer:
      row.viewerId === null
        ? null
        : { id: row.viewerId, name: nameViewer(row.viewerId, row.givenName), isBlocked: row.isBlocked },
    device: { platform: device.platform ?? null, screen: device.screen ?? null },
    action:
      row.action === null || row.handledAt === null
        ? null
        : { kind: row.action, isAutomatic: row.isAutomatic, at: row.handledAt, isUndone: row.undoneAt !== null },
    canUndo: canUndo(row, now),
  };
}

/** A warning has been read; a link comes back only for as long as any that was revoked. */
function canUndo({ action, undoneAt, isRevoked, undoUntil }: EventListed, now: Date): boolean {
  if (action === null || action === 'warned' || undoneAt !== null) return false;
  return action !== 'revoked' || canRevive({ isRevoked, undoUntil }, now);
}
