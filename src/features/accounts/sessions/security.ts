import { hashKey, insertAudit } from '#features/audit/store.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { libraryOf } from '../auth-store.ts';
import { endOwnSession } from '../browser-session.ts';
import type { Session } from '../contract.ts';
import { takeTry } from '../limits.ts';
import { findPasswordRefusal, hashPassword, isPassword } from '../password.ts';
import { deleteOwnSession, deleteSessionsOf, forgetBrowsersOf, listSessions } from '../security-store.ts';
import { findAccount, holdAccount } from '../store.ts';
import { nameDevice } from './session-device.ts';
import { storePassword } from './signing-in.ts';

/** A new password for the old one; every other session ends. */
export async function changePassword(
  context: CreatorContext,
  currentPassword: string,
  newPassword: string,
): Promise<void> {
  const { engines, creator, asSystem, requestId } = context;
  const account = await asSystem((tx) => findAccount(tx, creator.userId));
  if (account === undefined) throw refuse('UNAUTHENTICATED');
  const refusal = await findPasswordRefusal(newPassword, account.email, 'newPassword');
  if (refusal !== undefined) throw refusal;
  const { forget } = await takeTry(context, hashKey(engines.keys, 'change_password', account.id));
  const refuseOld = () =>
    refuse('VALIDATION', { field: 'currentPassword', message: "That isn't your current password" });
  if (!(await isPassword(currentPassword, account.passwordHash ?? undefined))) throw refuseOld();
  const [hash] = await Promise.all([hashPassword(newPassword), libraryOf(engines)]);
  const isChanged = await asSystem(async (tx) => {
    const held = await holdAccount(tx, account.id);
    // Another one was set while this one was being weighed: what was asked for is the password no more.
    if (held === undefined || held.passwordHash !== account.passwordHash) return false;
    await storePassword(context, tx, held, hash);
    await deleteSessionsOf(tx, account.id, creator.sessionId);
    await forget(tx);
    await insertAudit(tx, { actor: { type: creator.kind, id: account.id }, action: 'password.changed', requestId });
    return true;
  });
  if (!isChanged) throw refuseOld();
}

/** Returns where a person is signed in. */
export async function showSessions({ work, creator, now }: CreatorContext): Promise<Session[]> {
  const sessions = await work((tx) => listSessions(tx, creator.userId, now));
  return sessions.map(({ id, userAgent, country, createdAt, lastUsedAt }) => ({
    id,
    device: nameDevice(userAgent ?? ''),
    country,
    createdAt,
    lastUsedAt,
    isCurrent: id === creator.sessionId,
  }));
}

/**
 * Ends one session of one's own.
 * @throws NOT_FOUND, also for somebody else's
 */
export async function endSession(context: CreatorContext, sessionId: string): Promise<void> {
  const { creator, work, requestId } = context;
  const isEnded = await work(async (tx) => {
    if (!(await deleteOwnSession(tx, creator.userId, sessionId))) return false;
    const actor = { type: creator.kind, id: creator.userId };
    await insertAudit(tx, { actor, action: 'session.ended', target: { type: 'session', id: sessionId }, requestId });
    return true;
  });
  if (!isEnded) throw refuse('NOT_FOUND');
  if (sessionId === creator.sessionId) await endOwnSession(context);
}

/** Ends every session, this one too. */
export async function signOutEverywhere(context: CreatorContext): Promise<void> {
  const { creator, asSystem, requestId } = context;
  await asSystem(async (tx) => {
    await deleteSessionsOf(tx, creator.userId);
    await forgetBrowsersOf(tx, creator.userId);
    await insertAudit(tx, {
      actor: { type: creator.kind, id: creator.userId },
      action: 'session.ended_all',
      requestId,
    });
  });
  await endOwnSession(context);
}
