import { randomBytes } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { emailChangeCodeEmail, emailChangeKnownEmail } from '#features/notices/sign-in-emails.ts';
import { deleteEmailsOf, queueEmail } from '#features/notices/store.ts';
import type { Settings } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import { eraseAccount, holdUnconfirmed } from '../closing-store.ts';
import { confirmPassword, requireFreshCodeIfOn } from '../confirm-password.ts';
import { settle, takeMail } from '../limits.ts';
import { hashMailedCode, newMailedCode } from '../mailed-code.ts';
import { findAccount, findAccountByEmail, holdAccount } from '../store.ts';
import {
  findPendingChange,
  findUndoEnd,
  isAddressKept,
  isLinkPending,
  writePendingChange,
} from './email-change-store.ts';

/** Codes that one account may have mailed in a day, to whatever addresses. */
const codesADay = { limit: 10, windowSeconds: 86_400 };

/** Returns what is to be known of a change of the own address. */
export async function showEmailChange({ asSystem, creator, engines }: CreatorContext) {
  const now = new Date(engines.clock());
  return asSystem(async (tx) => ({
    pendingEmail: (await findPendingChange(tx, creator.userId, now))?.newEmail ?? null,
    undoExpiresAt: (await findUndoEnd(tx, creator.userId, now)) ?? null,
  }));
}

/**
 * Mails a code to another address, by the password and, where there is a second factor, a fresh code of it.
 * @throws CONFLICT as long as the last change can be undone
 */
export async function beginEmailChange(
  context: CreatorContext,
  { email, password }: { email: string; password: string },
): Promise<{ resendAfterMs: number }> {
  const beganMs = performance.now();
  const { asSystem, creator, engines, requestId } = context;
  const forget = await confirmPassword(context, password, 'email_change');
  await requireFreshCodeIfOn(context);
  const own = await asSystem((tx) => findAccount(tx, creator.userId));
  if (own?.email === email)
    throw refuse('VALIDATION', { field: 'email', message: 'This is the address of your account already.' });
  await refuseWhileUndoable(context);
  await takeCode(context, email);
  const settings = await settingsOf(engines);
  await asSystem(async (tx) => {
    await forget(tx);
    await mailCode(context, tx, email, settings);
    await insertAudit(tx, {
      actor: { type: creator.kind, id: creator.userId },
      action: 'email.change_asked',
      requestId,
    });
  });
  await settle(beganMs);
  return { resendAfterMs: settings['accounts.resendSeconds'] * 1000 };
}

/** Mails another code to the address that waits for one. @throws GONE when none waits */
export async function resendEmailChange(context: CreatorContext): Promise<{ resendAfterMs: number }> {
  const beganMs = performance.now();
  const { asSystem, creator, engines } = context;
  const now = new Date(engines.clock());
  const pending = await asSystem((tx) => findPendingChange(tx, creator.userId, now));
  if (pending === undefined) throw refuseEnded();
  await takeCode(context, pending.newEmail);
  const settings = await settingsOf(engines);
  await asSystem((tx) => mailCode(context, tx, pending.newEmail, settings));
  await settle(beganMs);
  return { resendAfterMs: settings['accounts.resendSeconds'] * 1000 };
}

/** The refusal where no change waits for a code. */
export const refuseEnded = () =>
  refuse('GONE', { message: 'This code has expired. Enter your new address once more.' });

/** @throws CONFLICT */
async function refuseWhileUndoable({ asSystem, creator, engines }: CreatorContext): Promise<void> {
  const end = await asSystem((tx) => findUndoEnd(tx, creator.userId, new Date(engines.clock())));
  if (await asSystem((tx) => isLinkPending(tx, creator.userId, new Date(engines.clock()))))
    throw refuse('CONFLICT', {
      message: 'Support has begun to change your address: use the link in that email, or wait until it has expired.',
    });
  if (end !== undefined)
    throw refuse('CONFLICT', {
      message: 'Your address was changed a few days ago. It can be changed again once that can no longer be undone.',
    });
}

/** Counts a code that is mailed: to one mailbox, and by one account to whatever mailboxes. @throws RATE_LIMITED */
async function takeCode(context: CreatorContext, email: string): Promise<void> {
  const { engines, asSystem, creator, now } = context;
  const key = hashKey(engines.keys, 'email_change_by', creator.userId);
  const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, { key, now, ...codesADay }));
  if (isOver) throw refuseForNow(retryAfterSeconds);
  await takeMail(context, 'mail_email_change', email);
}

/** Keeps the change and mails its code; whoever has an account with that address is told instead, and no code is right. */
async function mailCode(context: CreatorContext, tx: Tx, email: string, settings: Settings): Promise<void> {
  const { engines, creator } = context;
  const now = new Date(engines.clock());
  const id = newId<'email_change'>(now.getTime());
  const codeMinutes = settings['accounts.codeMinutes'];
  const code = newMailedCode();
  await holdAccount(tx, creator.userId);
  const isFree = await isAddressFree(tx, email, now);
  await writePendingChange(tx, {
    id,
    userId: creator.userId,
    newEmail: email,
    now,
    codeHash: isFree ? hashMailedCode(engines.secrets, id, code) : randomBytes(32),
    codeExpiresAt: new Date(now.getTime() + codeMinutes * minuteMs),
  });
  const message = isFree ? emailChangeCodeEmail({ code, codeMinutes }) : emailChangeKnownEmail();
  // Not an email of the account that asks: whoever reads that account's emails must not find the code among them.
  await queueEmail(tx, engines.jobs, { to: email, now: context.now, ...message });
}

/** Returns whether an address is nobody's; one that was only typed into a sign-up, and never confirmed, is nobody's yet. */
export async function isAddressFree(tx: Tx, email: string, now: Date): Promise<boolean> {
  const other = await findAccountByEmail(tx, email);
  return (other === undefined || !other.emailVerified) && !(await isAddressKept(tx, email, now));
}

/**
 * Makes room for a proven address: a sign-up with it that was never confirmed goes. It is held first: whoever confirms it at this very
 * moment, or takes the address by a change of their own, has it.
 * @returns false when it is somebody's
 */
export async function freeAddress(tx: Tx, email: string, now: Date): Promise<boolean> {
  const found = await findAccountByEmail(tx, email);
  if (found?.emailVerified || (await isAddressKept(tx, email, now))) return false;
  if (found === undefined) return true;
  if (!(await holdUnconfirmed(tx, found.id))) return false;
  await deleteEmailsOf(tx, found.id);
  await eraseAccount(tx, found.id);
  return true;
}
