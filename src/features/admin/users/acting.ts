import type { Tx } from '#engines/database/work.ts';
import { mailCodeAgain } from '#features/accounts/confirming.ts';
import { takeMail } from '#features/accounts/limits.ts';
import { type Account, findAccount } from '#features/accounts/store.ts';
import {
  beginChangeFor,
  endSuspension,
  signOutEverywhere,
  suspendAccount,
  takeSecondFactor,
} from '#features/accounts/suspending.ts';
import { operatorOf } from '#features/audit/operator.ts';
import { insertAudit } from '#features/audit/store.ts';
import { settleFansSoon } from '#features/money/suspending.ts';
import type { Recomputed } from '#features/plans/contract.ts';
import { recomputePlan } from '#features/plans/recomputing.ts';
import { type AdminContext, hasScope } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import { findCard } from './users-store.ts';

const actorOf = ({ admin }: AdminContext) => ({ type: 'admin', id: admin.userId }) as const;
const targetOf = (id: string) => ({ type: 'user', id });

/** Mails a new code to somebody whose first one never came. @throws CONFLICT when they wait for none, RATE_LIMITED */
export async function mailCode(context: AdminContext, userId: string): Promise<void> {
  const mailed = await mailCodeAgain(context, userId);
  if (mailed === undefined)
    throw refuse('CONFLICT', { message: 'They have not asked for a code lately. Ask them to request a new one.' });
  const { requestId, asSystem } = context;
  const details = { purpose: mailed.ask.purpose };
  await asSystem((tx) =>
    insertAudit(tx, {
      actor: actorOf(context),
      action: 'code.mailed_again',
      target: targetOf(userId),
      details,
      requestId,
    }),
  );
}

/** Ends every session of an account, and knows none of its browsers any more. @throws NOT_FOUND */
export async function signOut(context: AdminContext, userId: string): Promise<void> {
  await context.asSystem(async (tx) => {
    await requireOther(context, tx, userId);
    await signOutEverywhere(tx, userId, { actor: actorOf(context), requestId: context.requestId });
  });
}

/** Suspends an account with a reason that its owner is mailed, or lets it go on. @throws NOT_FOUND, CONFLICT */
export async function suspend(
  context: AdminContext,
  userId: string,
  change: { isEnd: false; reason: string } | { isEnd: true },
): Promise<void> {
  const { engines, asSystem } = context;
  const isChanged = await asSystem(async (tx) => {
    const account = await requireOther(context, tx, userId);
    if (change.isEnd) return endSuspension(engines, tx, account, actorOf(context));
    if (!(await suspendAccount(engines, tx, account.id, change.reason, actorOf(context)))) return false;
    await settleFansSoon(engines, tx);
    return true;
  });
  if (!isChanged)
    throw refuse('CONFLICT', {
      message: change.isEnd ? 'It is not suspended.' : 'It is suspended or being deleted already.',
    });
}

/** Asks the provider how their plan stands, and writes down what it says. @throws NOT_FOUND, FORBIDDEN, CONFLICT, RATE_LIMITED, PROVIDER_DOWN */
export async function recomputePlanOf(context: AdminContext, userId: string): Promise<Recomputed> {
  await context.asSystem((tx) => requireOther(context, tx, userId));
  const asked = await recomputePlan(context.engines, userId, operatorOf(context));
  if (asked.kind === 'not_done') throw refuse('CONFLICT', { message: asked.because });
  if (asked.kind === 'too_often') throw refuseForNow(asked.retryAfterSeconds);
  return { before: asked.before, after: asked.after };
}

/** Takes the second factor away; its owner is signed out everywhere and told. @throws NOT_FOUND, CONFLICT when there is none */
export async function removeSecondFactor(context: AdminContext, userId: string): Promise<void> {
  const { engines, asSystem } = context;
  const isTaken = await asSystem(async (tx) =>
    takeSecondFactor(engines, tx, await requireOther(context, tx, userId), actorOf(context)),
  );
  if (!isTaken) throw refuse('CONFLICT', { message: 'They have no second factor.' });
}

/** Mails a link to another address of somebody who has lost their mailbox. @throws NOT_FOUND, CONFLICT */
export async function changeEmail(
  context: AdminContext,
  userId: string,
  { email, reason }: { email: string; reason: string },
): Promise<void> {
  const { engines, asSystem } = context;
  await takeMail(context, 'mail_email_change', email);
  const fault = await asSystem(async (tx) => {
    const account = await requireOther(context, tx, userId);
    return beginChangeFor(engines, tx, account, { email, reason, by: actorOf(context) });
  });
  if (fault !== undefined) throw refuse('CONFLICT', { message: fault });
}

/** Nobody shuts themselves out here, and only an owner does anything to another administrator. @throws NOT_FOUND, FORBIDDEN */
export async function requireOther(context: AdminContext, tx: Tx, userId: string): Promise<Account> {
  const { admin } = context;
  const [account, card] = [await findAccount(tx, userId), await findCard(tx, userId, context.engines.payments.realm)];
  if (account === undefined || card === undefined) throw refuse('NOT_FOUND');
  const isOwn = userId === admin.userId;
  const isAboveThem = card.adminScopes.length === 0 || hasScope(admin.adminScopes, 'owner');
  if (isOwn) throw refuse('FORBIDDEN', { message: 'This is your own account. Use your own settings for it.' });
  if (!isAboveThem) throw refuse('FORBIDDEN', { message: 'Only an owner can do this to an administrator.' });
  return account;
}
