import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { endOwnSession } from '#features/accounts/browser-session.ts';
import { confirmPassword, requireFreshCodeIfOn } from '#features/accounts/confirm-password.ts';
import { findAccount } from '#features/accounts/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { saleCurrency } from '#features/orders/rules.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { DeletionEffects } from '../contract.ts';
import { graceMs } from '../rules.ts';
import { beginDeletion } from './beginning.ts';
import { findEffects } from './effects-store.ts';

/** Returns what would come of deleting the account now. */
export const showDeletion = ({ engines, asSystem, creator }: CreatorContext): Promise<DeletionEffects> =>
  asSystem((tx) => effectsOf(engines, tx, creator.userId));

/** The same of any account, in a transaction of the system. */
export async function effectsOf(engines: Engines, tx: Tx, userId: string): Promise<DeletionEffects> {
  const about = { userId, now: moneyNow(engines), currency: saleCurrency };
  const effects = await findEffects(tx, engines.payments.realm, about);
  return { ...effects, currency: saleCurrency, eraseAt: new Date(engines.clock() + graceMs) };
}

/**
 * Deletes one's own account, by password and, where there is a second factor, a fresh code.
 * @throws VALIDATION for a wrong password, RATE_LIMITED after several, CODE_REQUIRED, CONFLICT when it is leaving already
 */
export async function deleteOwnAccount(context: CreatorContext, password: string): Promise<Date> {
  await requireFreshCodeIfOn(context);
  const forget = await confirmPassword(context, password, 'deletion');
  const { engines, asSystem, creator, now } = context;
  const eraseAt = await asSystem(async (tx) => {
    const account = await findAccount(tx, creator.userId);
    if (account === undefined) return undefined;
    const { id: userId, email, timeZone } = account;
    const at = await beginDeletion(engines, tx, { userId, email, timeZone }, { askedBy: 'creator', now });
    if (at !== undefined) await forget(tx);
    return at;
  });
  if (eraseAt === undefined) throw refuse('CONFLICT', { message: 'This account is being deleted already.' });
  await endOwnSession(context);
  return eraseAt;
}
