import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type AuditEntry, insertAudit } from '#features/audit/store.ts';
import { accountBackEmail, accountSuspendedEmail, deletionKeptEmail } from '#features/notices/account-state-emails.ts';
import { secondFactorTakenEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { endSales } from '#features/sales/ending.ts';
import { markKept, reviveDeletedLinks } from './access/kept-store.ts';
import { setSuspended } from './access/suspending-store.ts';
import { linksOf } from './second-factor/notify-codes.ts';
import { deleteSecondFactor, hasSecondFactor } from './second-factor/second-factor-store.ts';
import { deleteSessionsOf, forgetBrowsersOf } from './security-store.ts';
import { type Account, findAccount, findAccountByEmail } from './store.ts';

export { beginChangeFor } from './email-change/change-by-operator.ts';

const system = { kind: 'system' } as const;
const longestReason = 500;

/** Who does it: an administrator, or the operator by the command line. */
export type By = { type: 'admin'; id: string } | { type: 'system' };

/** `pf suspend EMAIL --reason TEXT`, or `--end`. */
export interface SuspendOrder {
  email: string | undefined;
  reason: string | undefined;
  isEnd: boolean;
}

type Needed = Pick<Engines, 'database' | 'jobs' | 'clock' | 'linkClock' | 'payments' | 'installation'>;

/**
 * Suspends an account, or lets it go on: written down, and mailed with the reason.
 * @returns its address @throws a sentence that says what is wrong
 */
export async function changeSuspension(
  engines: Needed,
  { email = '', reason, isEnd }: SuspendOrder,
  by: By = { type: 'system' },
): Promise<string> {
  const why = reason?.trim() ?? '';
  if (!isEnd && (why === '' || why.length > longestReason))
    throw new Error(`Say why with --reason "…", in at most ${longestReason} characters: the account's owner reads it.`);
  const { database } = engines;
  return database.work(system, async (tx) => {
    const account = await findAccountByEmail(tx, email.trim().toLowerCase());
    if (account === undefined) throw new Error(`No account has the address "${email}".`);
    const isChanged = isEnd
      ? await endSuspension(engines, tx, account, by)
      : await suspendAccount(engines, tx, account.id, why, by);
    if (!isChanged) throw new Error(`${account.email} is ${isEnd ? 'not suspended' : 'suspended or leaving already'}.`);
    return account.email;
  });
}

/** Lets an account go on in the caller's transaction: written down, and mailed. @returns false when it is not suspended */
export async function endSuspension(
  { jobs, clock, installation }: Pick<Engines, 'jobs' | 'clock' | 'installation'>,
  tx: Tx,
  { id, email }: Account,
  by: By,
): Promise<boolean> {
  if (!(await setSuspended(tx, id, false))) return false;
  await insertAudit(tx, { actor: by, action: 'account.unsuspended', target: { type: 'user', id } });
  await tx.publish({ kind: 'plan.changed', creatorId: id });
  const words = accountBackEmail({ home: `${installation.publicUrl}/` });
  await queueEmail(tx, jobs, { userId: id, to: email, now: new Date(clock()), ...words });
  return true;
}

/**
 * Suspends an account in the caller's transaction: its sales end, it is written down and mailed with the reason.
 * @returns false when it is suspended or leaving already
 */
export async function suspendAccount(
  engines: Omit<Needed, 'database'>,
  tx: Tx,
  userId: string,
  why: string,
  by: By = { type: 'system' },
): Promise<boolean> {
  if (!(await setSuspended(tx, userId, true))) return false;
  await endSales(engines, tx, { sellerId: userId });
  const target = { type: 'user', id: userId };
  await insertAudit(tx, { actor: by, action: 'account.suspended', target, details: { why } });
  await tx.publish({ kind: 'plan.changed', creatorId: userId });
  const account = await findAccount(tx, userId);
  if (account === undefined) return true;
  const words = accountSuspendedEmail({ why, contact: `${engines.installation.publicUrl}/contact` });
  await queueEmail(tx, engines.jobs, { userId, to: account.email, now: new Date(engines.clock()), ...words });
  return true;
}

/**
 * Keeps an account whose deletion still waits: whoever signs in in time, or says so by letter, has it as it was. Its links come
 * back in the same transaction; subscriptions to it and its plan were ended and stay ended.
 * @returns its address; undefined when no deletion waits
 */
export async function keepAccount(
  { jobs, installation }: Pick<Engines, 'jobs' | 'installation'>,
  tx: Tx,
  { userId, by, now }: { userId: string; by: 'creator' | 'system'; now: Date },
): Promise<string | undefined> {
  const email = await markKept(tx, userId, now);
  if (email === undefined) return undefined;
  const linkIds = await reviveDeletedLinks(tx, userId);
  await insertAudit(tx, {
    actor: by === 'system' ? { type: by } : { type: by, id: userId },
    action: 'account.kept',
    target: { type: 'user', id: userId },
    details: { links: linkIds.length },
  });
  for (const linkId of linkIds) await tx.publish({ kind: 'link.changed', creatorId: userId, linkId });
  await tx.publish({ kind: 'plan.changed', creatorId: userId });
  const { publicUrl } = installation;
  const words = deletionKeptEmail({ home: `${publicUrl}/`, passwordLink: `${publicUrl}/auth?action=forgot` });
  await queueEmail(tx, jobs, { userId, to: email, now, ...words });
  return email;
}

/**
 * Takes the second factor of somebody away who has lost the phone and every backup code: they are signed out everywhere and told.
 * @returns false when they have none
 */
export async function takeSecondFactor(
  engines: Pick<Engines, 'jobs' | 'clock' | 'installation'>,
  tx: Tx,
  { id, email }: Account,
  by: By,
): Promise<boolean> {
  if (!(await hasSecondFactor(tx, id))) return false;
  await deleteSecondFactor(tx, id);
  await deleteSessionsOf(tx, id);
  await insertAudit(tx, { actor: by, action: 'second_factor.taken_away', target: { type: 'user', id } });
  const message = secondFactorTakenEmail(linksOf({ engines }));
  await queueEmail(tx, engines.jobs, { userId: id, to: email, now: new Date(engines.clock()), ...message });
  return true;
}

/** Ends every session of an account, knows none of its browsers any more, and notes who decided that. */
export async function signOutEverywhere(
  tx: Tx,
  userId: string,
  by: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<void> {
  await deleteSessionsOf(tx, userId);
  await forgetBrowsersOf(tx, userId);
  await insertAudit(tx, { ...by, action: 'sessions.ended', target: { type: 'user', id: userId } });
}
