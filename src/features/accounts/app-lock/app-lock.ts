import { insertAudit } from '#features/audit/store.ts';
import { formatCount } from '#kit/text.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { endOwnSession, findOwnSession } from '../browser-session.ts';
import { confirmPassword } from '../confirm-password.ts';
import { hashPassword, isPassword } from '../password.ts';
import { isLocked, lockAfterMs, pinTriesMax, workMaxMs } from '../rules.ts';
import {
  deletePin,
  findPin,
  forgetAway,
  noteAway,
  noteWork,
  openLock,
  takePinTry,
  writePin,
} from './app-lock-store.ts';

/** Sets the PIN, or another one; whoever only holds the phone does not know the password. */
export async function setAppLock(context: CreatorContext, pin: string, password: string): Promise<void> {
  const { engines, asSystem, creator, requestId } = context;
  const forget = await confirmPassword(context, password, 'app_lock');
  const pinHash = await hashPassword(pin);
  const actor = { type: creator.kind, id: creator.userId };
  await asSystem(async (tx) => {
    await writePin(tx, creator.userId, pinHash, new Date(engines.clock()));
    await forget(tx);
    await insertAudit(tx, { actor, action: 'app_lock.set', requestId });
  });
}

/** Takes the app lock away, by the password: the PIN may be forgotten. */
export async function removeAppLock(context: CreatorContext, password: string): Promise<void> {
  const { asSystem, creator, requestId } = context;
  const forget = await confirmPassword(context, password, 'app_lock');
  const actor = { type: creator.kind, id: creator.userId };
  await asSystem(async (tx) => {
    await deletePin(tx, creator.userId);
    await forget(tx);
    await insertAudit(tx, { actor, action: 'app_lock.removed', requestId });
  });
}

/**
 * A page is out of sight, or its person locks it at once.
 * @param goneMs for how long it has been so, by the page's own word: that can close the lock earlier, never later
 */
export async function leaveApp(
  { asSystem, creator, engines }: CreatorContext,
  { lockNow, goneMs }: { lockNow: boolean; goneMs: number },
): Promise<void> {
  const sinceMs = engines.clock() - Math.max(lockNow ? lockAfterMs : 0, goneMs);
  await asSystem((tx) => noteAway(tx, creator.sessionId, new Date(sinceMs)));
}

/** A page is in sight; or it is out of sight and at work, which has an end of its own, because a phone ends pages without a word. */
export async function stayInApp({ asSystem, creator, engines }: CreatorContext, isAtWork: boolean): Promise<void> {
  const nowMs = engines.clock();
  const lockedBefore = new Date(nowMs - lockAfterMs);
  const workEnds = new Date(nowMs + workMaxMs - lockAfterMs);
  await asSystem((tx) =>
    isAtWork
      ? noteWork(tx, creator.sessionId, workEnds, lockedBefore)
      : forgetAway(tx, creator.sessionId, lockedBefore),
  );
}

/**
 * Opens a locked session by its PIN; the fifth wrong one ends it.
 * @throws VALIDATION with the tries that are left, GONE when the session has ended
 */
export async function unlock(context: Context, pin: string): Promise<void> {
  const { engines, asSystem, requestId } = context;
  const session = await findOwnSession(context);
  if (session === undefined) throw refuse('UNAUTHENTICATED');
  if (!isLocked(session, new Date(engines.clock()))) return;
  const { sessionId, userId } = session;
  const { wrong, pinHash } = await asSystem(async (tx) => ({
    wrong: await takePinTry(tx, sessionId, pinTriesMax),
    pinHash: await findPin(tx, userId),
  }));
  if (wrong !== undefined && (await isPassword(pin, pinHash))) return asSystem((tx) => openLock(tx, sessionId));
  const triesLeft = pinTriesMax - (wrong ?? pinTriesMax);
  if (triesLeft > 0)
    throw refuse('VALIDATION', {
      field: 'pin',
      triesLeft,
      message: `That isn't your PIN. ${formatCount(triesLeft, 'try', 'tries')} left.`,
    });
  await endOwnSession(context);
  await asSystem((tx) =>
    insertAudit(tx, { actor: { type: 'creator', id: userId }, action: 'app_lock.session_ended', requestId }),
  );
  throw refuse('GONE', { message: 'Too many wrong PINs. Please sign in with your password.' });
}
