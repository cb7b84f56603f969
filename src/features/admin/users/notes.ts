import { insertAudit } from '#features/audit/store.ts';
import type { AdminContext } from '#wire/context.ts';
import { requireOther } from './acting.ts';
import { insertNote } from './notes-store.ts';

/** Writes a note about an account, the same one once; the audit log has that there is one, and not what it says. @throws NOT_FOUND, FORBIDDEN */
export async function addNote(
  context: AdminContext,
  { userId, noteId, text }: { userId: string; noteId: string; text: string },
): Promise<void> {
  const { admin, asSystem, now, requestId } = context;
  await asSystem(async (tx) => {
    await requireOther(context, tx, userId);
    if (!(await insertNote(tx, { id: noteId, userId, adminId: admin.userId, text, now }))) return;
    const [actor, target] = [{ type: 'admin', id: admin.userId } as const, { type: 'user', id: userId }];
    await insertAudit(tx, { actor, action: 'account.noted', target, details: { noteId }, requestId });
  });
}
