import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { cutPage } from '#features/albums/rules.ts';
import { showVersion } from '#features/links/to-api.ts';
import { findVersions } from '#features/links/versions-store.ts';
import type { TimelineEntry } from '../contract.ts';
import { findVisits, type PageParams } from '../store.ts';
import { showVisit } from '../to-api.ts';
import { listTimeline, type TimelineRow } from './timeline-store.ts';

/** Returns what a row was, but for visits and versions, which have rows of their own. */
function showWhat(row: TimelineRow): TimelineEntry['what'] | undefined {
  const { kind, act, sold, amountCents, refundedCents, currency, isDisputed, count } = row;
  if (kind === 'act') return act === null ? undefined : { kind, act };
  if (kind === 'visit' || kind === 'version') return undefined;
  if (kind !== 'money') return { kind, times: count ?? 1 };
  if (sold === null || amountCents === null || currency === null) return undefined;
  return { kind, sold, amountCents, refundedCents: refundedCents ?? 0, currency, isDisputed: isDisputed === true };
}

/** A page of what happened to a creator's link. */
export async function readTimeline(
  tx: Tx,
  params: PageParams & { linkId: string },
  { realm, aliveSince }: { realm: Realm; aliveSince: Date },
): Promise<{ entries: TimelineEntry[]; nextCursor: string | null }> {
  const { creatorId, linkId, limit } = params;
  const rows = await listTimeline(tx, { ...params, limit: limit + 1 }, realm);
  const { page, nextCursor } = cutPage(rows, limit, ({ at, id }) => ({ at: at.toISOString(), id }));
  const visitIds = page.flatMap(({ kind, id }) => (kind === 'visit' ? [id] : []));
  const numbers = page.flatMap(({ kind, count }) => (kind === 'version' && count !== null ? [count] : []));
  const visits = new Map((await findVisits(tx, creatorId, visitIds)).map((row) => [row.visitId, row]));
  const versions = new Map((await findVersions(tx, { linkId, creatorId, numbers })).map((row) => [row.version, row]));
  const entries = page.flatMap((row): TimelineEntry[] => {
    const { id, at, kind, count } = row;
    const [visit, version] = [visits.get(id), versions.get(count ?? 0)];
    if (kind === 'visit' && visit) return [{ id, at, what: { kind, visit: showVisit(visit, aliveSince) } }];
    if (kind === 'version' && version) return [{ id, at, what: { kind, version: showVersion(version) } }];
    const what = showWhat(row);
    return what === undefined ? [] : [{ id, at, what }];
  });
  return { entries, nextCursor };
}
