import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { blockMediaOfLink, holdCopies, unblockMedia } from '#features/media/blocked-media.ts';
import { queueEmail } from '#features/notices/store.ts';
import { contentHiddenEmail } from '#features/notices/support-emails.ts';
import { endSales } from '#features/sales/ending.ts';
import { formatMomentIn } from '#kit/time.ts';
import type { Report } from './contract.ts';
import { type Hidden, hideTargets, showTargets } from './hiding-store.ts';
import { blocksCopies } from './rules.ts';
import { findCreatorEmail } from './store.ts';

type Needed = Pick<Engines, 'jobs' | 'installation' | 'linkClock' | 'payments'>;

/** Looks for what only looks like what a report has blocked, in every account. */
export const copiesQueue = 'reports.holdCopies';

/** Open screens ask again at once, and are told that it is gone or that it is back. */
async function notifyScreens(tx: Tx, changed: readonly Hidden[]): Promise<void> {
  for (const { creatorId, linkId, albumId } of changed) {
    if (linkId !== null) await tx.publish({ kind: 'link.changed', creatorId, linkId });
    if (albumId !== null) await tx.publish({ kind: 'album.closed', creatorId, albumId });
  }
}

/** A report that closes what it is about. */
export interface Hiding {
  reportId: string;
  number: number;
  kind: Report['kind'];
  linkId: string;
  decideBy: Date;
  isByHand: boolean;
  /** Left out, it hides by itself or the operator did it by the command line. */
  actor?: { type: 'admin'; id: string } | { type: 'system' };
  now: Date;
}

/**
 * Closes what a report is about and tells its creator, in the caller's transaction. Where the pictures are what is wrong, the
 * same bytes are held back everywhere at once, and what looks like them within moments.
 */
export async function hide(tx: Tx, engines: Needed, { linkId, ...hiding }: Hiding): Promise<void> {
  const { reportId, number, kind, actor = { type: 'system' }, now } = hiding;
  if (blocksCopies(kind)) {
    await blockMediaOfLink(tx, { reportId, linkId, now });
    await engines.jobs.send(tx, copiesQueue, { reportId });
  }
  const hidden = await hideTargets(tx, reportId, linkId, now);
  await endSales(engines, tx, { linkIds: [linkId] });
  await endSales(engines, tx, { albumIds: hidden.flatMap(({ albumId }) => albumId ?? []) });
  await notifyScreens(tx, hidden);
  const target = { type: 'link', id: linkId };
  await insertAudit(tx, { actor, action: 'report.hidden', target, details: { number } });
  await notifyCreator(tx, engines, hidden[0]?.creatorId, hiding);
}

async function notifyCreator(
  tx: Tx,
  { jobs, installation }: Needed,
  creatorId: string | undefined,
  { number, kind, decideBy, isByHand, now }: Omit<Hiding, 'linkId'>,
): Promise<void> {
  const to = creatorId && (await findCreatorEmail(tx, creatorId));
  if (!creatorId || !to) return;
  const email = contentHiddenEmail({
    number,
    kind,
    isByHand,
    decideBy: formatMomentIn(decideBy, 'UTC'),
    holdsCopies: blocksCopies(kind),
    reportsPage: reportsPage(installation),
  });
  await queueEmail(tx, jobs, { userId: creatorId, to, now, ...email });
}

/** Holds back what looks like what a report has blocked. Safe to repeat. */
export async function holdCopiesOf({ database, clock }: Pick<Engines, 'database' | 'clock'>, reportId: string) {
  await database.work({ kind: 'system' }, (tx) => holdCopies(tx, reportId, new Date(clock())));
}

/** Opens it again, and shows what was held back as a copy of it. */
export async function show(tx: Tx, reportId: string, now: Date): Promise<void> {
  await unblockMedia(tx, reportId, now);
  await notifyScreens(tx, await showTargets(tx, reportId));
}

/** Returns where a creator answers and appeals. */
export const reportsPage = ({ publicUrl }: Engines['installation']): string => `${publicUrl}/account/reports`;
