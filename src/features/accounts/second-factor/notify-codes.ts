import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { backupCodeUsedEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import type { Context } from '#wire/context.ts';
import type { Account } from '../store.ts';
import { countBackupCodes } from './second-factor-store.ts';

/** Returns where the emails about codes lead. */
export function linksOf({ engines }: { engines: Pick<Engines, 'installation'> }) {
  const { publicUrl } = engines.installation;
  return { securityLink: `${publicUrl}/profile/security`, passwordLink: `${publicUrl}/auth?action=forgot` };
}

/** Notes that a backup code was used, and tells its owner how many are left. */
export async function notifyCodeUse(context: Context, tx: Tx, { id, email: to }: Account): Promise<void> {
  const { engines, now, requestId } = context;
  const left = await countBackupCodes(tx, id);
  await insertAudit(tx, { actor: { type: 'creator', id }, action: 'backup_code.used', details: { left }, requestId });
  await queueEmail(tx, engines.jobs, { userId: id, to, now, ...backupCodeUsedEmail({ ...linksOf(context), left }) });
}
