import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { queueEmail } from '#features/notices/store.ts';
import { contentHiddenEmail } from '#features/notices/support-emails.ts';
import { endSales } from '#features/sales/ending.ts';
import { type Hidden, hideTargets, showTargets } from './hiding-store.ts';
import { findCreatorEmail } from './store.ts';

type Needed = Pick<Engines, 'jobs' | 'installation' | 'linkClock' | 'payments'>;

/** Open screens ask again at once, and are told that it is gone or that it is back. */
async function notifyScreens(tx: Tx, changed: readonly Hidden[]): Promise<void> {
  for (const { creatorId, linkId, albumId } of changed) {
    if (linkId !== null) await tx.publish({ kind: 'link.changed', creatorId, linkId });
    if (albumId !== null) await tx.publish({ kind: 'album.closed', creatorId, albumId });
  }
}

/** Closes what a report is about and tells its creator, in the caller's transaction. */
export async function hide(
  tx: Tx,
  engines: Needed,
  { reportId, number, linkId, now }: { reportId: string; number: number; linkId: string; now: Date },
): Promise<void> {
  const { jobs, installation } = engines;
  const hidden = await hideTargets(tx, reportId, linkId, now);
  await endSales(engines, tx, { linkIds: [linkId] });
  await endSales(engines, tx, { albumIds: hidden.flatMap(({ albumId }) => albumId ?? []) });
  await notifyScreens(tx, hidden);
  const target = { type: 'link', id: linkId };
  await insertAudit(tx, { actor: { type: 'system' }, action: 'report.hidden', target, details: { number } });
  const [first] = hidden;
  const to = first && (await findCreatorEmail(tx, first.creatorId));
  if (first === undefined || to === undefined) return;
  const email = contentHiddenEmail({ number, contact: contactPage(installation) });
  await queueEmail(tx, jobs, { userId: first.creatorId, to, now, ...email });
}

/** Opens it again. */
export async function show(tx: Tx, reportId: string): Promise<void> {
  await notifyScreens(tx, await showTargets(tx, reportId));
}

/** Returns where a creator answers. */
export const contactPage = ({ publicUrl }: Engines['installation']): string => `${publicUrl}/contact`;
