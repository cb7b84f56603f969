import type { AdminContext } from '#wire/context.ts';
import { hashKey, insertAudit, takeRate } from './store.ts';

/** What an administrator has looked at: an account, the emails to an address, a report or a message to support. */
export interface AdminLook {
  action: 'account.looked_at' | 'requests.looked_at' | 'mails.looked_at' | 'report.looked_at' | 'support.looked_at';
  target: { type: string; id: string };
}

/** Writes down that an administrator has looked at something of somebody, once an hour: pages ask again and again while they are open. */
export async function noteAdminLook(
  { asSystem, engines, admin, now, requestId }: AdminContext,
  { action, target }: AdminLook,
): Promise<void> {
  const key = hashKey(engines.keys, 'admin_look', `${admin.userId} ${action} ${target.id}`);
  await asSystem(async (tx) => {
    const { isOver } = await takeRate(tx, { key, limit: 1, windowSeconds: 3600, now });
    if (isOver) return;
    await insertAudit(tx, { actor: { type: 'admin', id: admin.userId }, action, target, requestId });
  });
}
