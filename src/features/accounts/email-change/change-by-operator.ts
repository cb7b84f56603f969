import { createHash, randomBytes } from 'node:crypto';
import { isConflictOn } from '#engines/database/violations.ts';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { emailChangeLinkEmail } from '#features/notices/sign-in-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId, newToken } from '#kit/ids.ts';
import { hourMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { slowNetwork } from '../limits.ts';
import { type Account, holdAccount } from '../store.ts';
import { applyChange, isClosed } from './confirming-change.ts';
import { freeAddress, isAddressFree } from './email-change.ts';
import { findPendingByLink, findUndoEnd, writePendingChange } from './email-change-store.ts';

/** How long the link to a new address can be used: whoever runs the place and its owner may live in other time zones. */
const linkHours = 24;

const hashLink = (token: string) => createHash('sha256').update(token).digest();

/**
 * Begins a change of address for somebody who has lost their mailbox: the new one gets a link, and nothing changes before it is used.
 * @returns why it cannot be, in a sentence; undefined once the link is on its way
 */
export async function beginChangeFor(
  { jobs, clock, installation }: Pick<Engines, 'jobs' | 'clock' | 'installation'>,
  tx: Tx,
  account: Account,
  { email, reason, by }: { email: string; reason: string; by: Parameters<typeof insertAudit>[1]['actor'] },
): Promise<string | undefined> {
  const now = new Date(clock());
  if (isClosed(account)) return 'The account is suspended or being deleted.';
  if (account.email === email) return 'This is the address of the account already.';
  if ((await findUndoEnd(tx, account.id, now)) !== undefined)
    return 'Their address was changed a few days ago. It can be changed again once that can no longer be undone.';
  if (!(await isAddressFree(tx, email, now))) return 'Another account has this address, or can still put it back.';
  const token = newToken(43);
  await holdAccount(tx, account.id);
  await writePendingChange(tx, {
    id: newId<'email_change'>(now.getTime()),
    userId: account.id,
    newEmail: email,
    now,
    // No code is right: the link alone confirms it.
    codeHash: randomBytes(32),
    codeExpiresAt: new Date(now.getTime() + linkHours * hourMs),
    linkHash: hashLink(token),
  });
  const target = { type: 'user', id: account.id };
  await insertAudit(tx, { actor: by, action: 'email.change_begun', target, details: { reason } });
  const link = `${installation.publicUrl}/auth?action=confirm-email#${token}`;
  await queueEmail(tx, jobs, { to: email, now, ...emailChangeLinkEmail({ link, linkHours }) });
  return undefined;
}

type Confirmed = 'changed' | 'ended' | 'taken';

/**
 * The link that was mailed to a new address: it is the account's from now on, and the old one is told how to put itself back.
 * @throws GONE, whatever is wrong with it, CONFLICT when somebody else has the address by now
 */
export async function confirmChangeByLink(context: Context, token: string): Promise<void> {
  const { engines, asSystem } = context;
  await slowNetwork(context, 'confirm_email_change');
  const undoDays = (await settingsOf(engines))['accounts.emailUndoDays'];
  const now = new Date(engines.clock());
  const run = async (tx: Tx): Promise<Confirmed> => {
    const found = await findPendingByLink(tx, hashLink(token), now);
    const account = found && (await holdAccount(tx, found.userId));
    // Once more, now that nobody else can use it: a second click finds nothing.
    const pending = await findPendingByLink(tx, hashLink(token), now);
    if (account === undefined || pending === undefined || isClosed(account)) return 'ended';
    if ((await findUndoEnd(tx, account.id, now)) !== undefined) return 'ended';
    if (!(await freeAddress(tx, pending.newEmail, now))) return 'taken';
    await applyChange(context, tx, account, { pending, undoDays, now, actor: { type: 'visitor' } });
    return 'changed';
  };
  const done = await asSystem(run).catch((error: unknown): Confirmed => {
    if (isConflictOn(error, 'users_email_key')) return 'taken';
    throw error;
  });
  if (done === 'ended') throw refuse('GONE', { message: 'This link has expired, or it was used already.' });
  if (done === 'taken') throw refuse('CONFLICT', { message: 'Another account has this address by now.' });
}
