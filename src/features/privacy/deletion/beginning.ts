import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { deleteSessionsOf } from '#features/accounts/security-store.ts';
import { insertAudit } from '#features/audit/store.ts';
import { revokeWithAccount } from '#features/links/revoking.ts';
import { deletionBegunEmail } from '#features/notices/account-state-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { endSales } from '#features/sales/ending.ts';
import { newId } from '#kit/ids.ts';
import { graceMs } from '../rules.ts';
import { insertDeletion } from './deletions-store.ts';
import { stopPlanQueue } from './stopping-plan.ts';

export interface Leaving {
  userId: string;
  email: string;
  timeZone: string;
}

/**
 * Begins the deletion of an account in a transaction of the system: its links and sessions end at once, nothing of it is for sale
 * any more, and a job lets its plan run out. Until its day comes, signing in keeps it.
 * @returns when it is erased; undefined when it is leaving already
 */
export async function beginDeletion(
  engines: Engines,
  tx: Tx,
  { userId, email, timeZone }: Leaving,
  { askedBy, now }: { askedBy: 'creator' | 'operator'; now: Date },
): Promise<Date | undefined> {
  const { jobs, installation } = engines;
  const eraseAt = new Date(now.getTime() + graceMs);
  const id = newId<'deletion'>(now.getTime());
  if (!(await insertDeletion(tx, { id, userId, askedBy, askedAt: now, eraseAt }))) return undefined;
  const links = await revokeWithAccount(engines, tx, { creatorId: userId, now, undoUntil: eraseAt });
  await endSales(engines, tx, { sellerId: userId });
  await deleteSessionsOf(tx, userId);
  await jobs.send(tx, stopPlanQueue, { userId });
  await insertAudit(tx, {
    actor: askedBy === 'creator' ? { type: 'creator', id: userId } : { type: 'system' },
    action: 'account.deletion_begun',
    target: { type: 'user', id: userId },
    details: { links },
  });
  await tx.publish({ kind: 'plan.changed', creatorId: userId });
  const { publicUrl } = installation;
  const words = deletionBegunEmail({
    day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(eraseAt),
    asked: askedBy === 'creator' ? 'here' : 'by_letter',
    signInLink: `${publicUrl}/auth?action=keep`,
    passwordLink: `${publicUrl}/auth?action=forgot`,
  });
  await queueEmail(tx, jobs, { userId, to: email, now, ...words });
  return eraseAt;
}
