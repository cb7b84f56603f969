import { createHash } from 'node:crypto';
import { isConflictOn } from '#engines/database/violations.ts';
import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import { emailChangeDoneEmail, emailChangedEmail, emailChangeUndoneEmail } from '#features/notices/sign-in-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newToken } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { slowNetwork } from '../limits.ts';
import { isMailedCode, refuseWrongCode } from '../mailed-code.ts';
import { linksOf } from '../second-factor/notify-codes.ts';
import { forgetSecondFactorSince } from '../second-factor/second-factor-store.ts';
import { deleteSessionsOf, forgetBrowsersOf } from '../security-store.ts';
import { type Account, holdAccount } from '../store.ts';
import { freeAddress, refuseEnded } from './email-change.ts';
import {
  changeEmail,
  findUndoEnd,
  findUndoOwner,
  forgetPassword,
  type PendingChange,
  tryPendingChange,
  undoChange,
} from './email-change-store.ts';

const hashToken = (token: string) => createHash('sha256').update(token).digest();

type Confirmed = 'changed' | 'ended' | 'taken' | { triesLeft: number };

/**
 * The code from the new address: it is the account's from now on, and the old one is told how to put itself back.
 * @throws VALIDATION for a wrong code, GONE when none waits, CONFLICT when somebody else has the address by now
 */
export async function confirmEmailChange(context: CreatorContext, code: string): Promise<void> {
  const { engines, asSystem, creator } = context;
  const settings = await settingsOf(engines);
  const now = new Date(engines.clock());
  const triesMax = settings['accounts.codeTries'];
  const undoDays = settings['accounts.emailUndoDays'];
  const run = async (tx: Tx): Promise<Confirmed> => {
    const account = await holdAccount(tx, creator.userId);
    const pending = await tryPendingChange(tx, creator.userId, { now, triesMax });
    if (account === undefined || pending === undefined || isClosed(account)) return 'ended';
    if ((await findUndoEnd(tx, account.id, now)) !== undefined) return 'ended';
    if (!isMailedCode(engines.secrets, pending.id, code, pending.codeHash))
      return { triesLeft: triesMax - pending.tries };
    if (!(await freeAddress(tx, pending.newEmail, now))) return 'taken';
    const actor = { type: creator.kind, id: creator.userId } as const;
    await applyChange(context, tx, account, { pending, undoDays, now, actor });
    return 'changed';
  };
  const done = await asSystem(run).catch((error: unknown): Confirmed => {
    if (isConflictOn(error, 'users_email_key')) return 'taken';
    throw error;
  });
  if (done === 'ended') throw refuseEnded();
  if (done === 'taken') throw refuse('CONFLICT', { message: 'Another account has this address by now.' });
  if (done !== 'changed') throw refuseWrongCode(done.triesLeft, 'code');
}

/** Returns whether an account takes no change of its address. */
export const isClosed = ({ status }: Account) =>
  status === 'deleted' || status === 'deleting' || status === 'suspended';

interface Change {
  pending: Pick<PendingChange, 'id' | 'newEmail'>;
  undoDays: number;
  now: Date;
  actor: Parameters<typeof insertAudit>[1]['actor'];
}

/** Writes a proven change in the caller's transaction, and mails both addresses: to the old one the way back. */
export async function applyChange(
  context: Context,
  tx: Tx,
  account: Account,
  { pending, undoDays, now, actor }: Change,
): Promise<void> {
  const { engines, requestId } = context;
  const { id: userId, email: oldEmail } = account;
  const token = newToken(43);
  const undoExpiresAt = new Date(now.getTime() + undoDays * dayMs);
  const { id, newEmail } = pending;
  await changeEmail(tx, { id, userId, oldEmail, newEmail, undoHash: hashToken(token) }, { now, undoExpiresAt });
  const target = { type: 'user', id: userId };
  await insertAudit(tx, { actor, action: 'email.changed', target, requestId });
  const undoLink = `${engines.installation.publicUrl}/auth?action=undo-email#${token}`;
  const about = { userId, now: context.now };
  await queueEmail(tx, engines.jobs, { ...about, to: oldEmail, ...emailChangedEmail({ undoLink, undoDays }) });
  await queueEmail(tx, engines.jobs, { ...about, to: newEmail, ...emailChangeDoneEmail(linksOf(context)) });
}

/**
 * The link from the old address: it is the account's again. Whoever changed it knew the password, so that goes too, and every
 * session; a second factor that was set up since then goes with them, or the owner could not get in.
 * @throws GONE, whatever is wrong with it
 */
export async function undoEmailChange(context: Context, token: string): Promise<void> {
  const { engines, asSystem, now: at, requestId } = context;
  await slowNetwork(context, 'undo_email');
  const now = new Date(engines.clock());
  const undoHash = hashToken(token);
  const isUndone = await asSystem(async (tx) => {
    const userId = await findUndoOwner(tx, undoHash, now);
    const account = userId === undefined ? undefined : await holdAccount(tx, userId);
    if (account === undefined || account.status === 'deleted') return false;
    const undone = await undoChange(tx, account.id, undoHash, now);
    if (undone === undefined) return false;
    await shutOut(tx, account.id, undone.changedAt);
    const actor = { type: 'visitor' } as const;
    const target = { type: 'user', id: account.id };
    await insertAudit(tx, { actor, action: 'email.change_undone', target, requestId });
    const message = emailChangeUndoneEmail(linksOf(context));
    for (const to of [undone.oldEmail, undone.newEmail])
      await queueEmail(tx, engines.jobs, { userId: account.id, to, now: at, ...message });
    return true;
  });
  if (!isUndone) throw refuse('GONE', { message: 'This link has expired, or it was used already.' });
}

/** Ends everything by which somebody who changed the address could come back. */
async function shutOut(tx: Tx, userId: string, since: Date): Promise<void> {
  await forgetPassword(tx, userId);
  await forgetSecondFactorSince(tx, userId, since);
  await deleteSessionsOf(tx, userId);
  await forgetBrowsersOf(tx, userId);
}
