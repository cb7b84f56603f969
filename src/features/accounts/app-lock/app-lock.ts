import { insertAudit } from '#features/audit/store.ts';
import { formatCount } from '#kit/text.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { endOwnSession, findOwnSession } from '../browser-session.ts';
import { confirmPassword } from '../confirm-password.ts';
import { hashPassword, isPassword } from '../password.ts';
import { isLocked, lockAfterMs, pinTriesMax, workMaxMs } from '../rules.ts';
import { findAccount, type SessionRow } from '../store.ts';
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
  const session = await findOwnSession(context);
  if (session === undefined) throw refuse('UNAUTHENTICATED');
  if (!isLocked(session, new Date(context.engines.clock()))) return;
  const { sessionId, userId } = session;
  await tryToOpen(context, session, {
    field: 'pin',
    wrongWords: "That isn't your PIN.",
    endedWords: 'Too many wrong PINs. Please sign in with your password.',
    isRight: async () => isPassword(pin, await context.asSystem((tx) => findPin(tx, userId))),
  });
  await context.asSystem((tx) => openLock(tx, sessionId));
}

/**
 * Gives a locked session whose PIN was forgotten another one, by the password. Wrong passwords count as wrong PINs, so that a found
 * phone gives no more tries by both than by one.
 * @throws VALIDATION with the tries that are left, GONE when the session has ended, CONFLICT where signing in again is the way
 */
export async function resetPin(context: Context, { password, pin }: { password: string; pin: string }): Promise<void> {
  const { engines, asSystem, requestId } = context;
  const session = await findOwnSession(context);
  if (session === undefined) throw refuse('UNAUTHENTICATED');
  if (!isLocked(session, new Date(engines.clock()))) throw refuse('CONFLICT');
  const { sessionId, userId } = session;
  const account = await asSystem((tx) => findAccount(tx, userId));
  await tryToOpen(context, session, {
    field: 'password',
    wrongWords: "That isn't your password.",
    endedWords: 'Too many wrong passwords. Please sign in again.',
    isRight: () => isPassword(password, account?.passwordHash ?? undefined),
  });
  // The password alone opens nothing here that it would not open at sign-in.
  if (session.hasSecondFactor) throw refuse('CONFLICT', { message: signInInstead });
  const pinHash = await hashPassword(pin);
  await asSystem(async (tx) => {
    await writePin(tx, userId, pinHash, new Date(engines.clock()));
    await openLock(tx, sessionId);
    await insertAudit(tx, { actor: { type: 'creator', id: userId }, action: 'app_lock.reset', requestId });
  });
}

const signInInstead =
  'Your account signs in with a second step. Sign in again, then choose another PIN under Profile → App.';

interface OpeningTry {
  field: 'pin' | 'password';
  wrongWords: string;
  endedWords: string;
  isRight: () => Promise<boolean>;
}

/** Counts a try before it is looked at; the fifth wrong one ends the session. */
async function tryToOpen(
  context: Context,
  { sessionId, userId }: SessionRow,
  { field, wrongWords, endedWords, isRight }: OpeningTry,
): Promise<void> {
  const { asSystem, requestId } = context;
  const wrong = await asSystem((tx) => takePinTry(tx, sessionId, pinTriesMax));
  if (wrong !== undefined && (await isRight())) return;
  const triesLeft = pinTriesMax - (wrong ?? pinTriesMax);
  if (triesLeft > 0)
    throw refuse('VALIDATION', {
      field,
      triesLeft,
      message: `${wrongWords} ${formatCount(triesLeft, 'try', 'tries')} left.`,
    });
  await endOwnSession(context);
  await asSystem((tx) =>
    insertAudit(tx, { actor: { type: 'creator', id: userId }, action: 'app_lock.session_ended', requestId }),
  );
  throw refuse('GONE', { message: endedWords });
}
