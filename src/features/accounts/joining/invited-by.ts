import type { Tx } from '#engines/database/work.ts';
import { attributeSignUp } from '#features/referrals/attributing.ts';
import type { Context } from '#wire/context.ts';
import { isBrowserOf } from '../browser-session.ts';
import { foldMailbox } from '../rules.ts';
import { findAccount } from '../store.ts';

/** Writes down which partner brought a new account. Who has the partner's mailbox or browser is the partner, and was brought by nobody. */
export async function noteWhoInvited(context: Context, tx: Tx, userId: string): Promise<void> {
  const account = await findAccount(tx, userId);
  if (account === undefined) return;
  await attributeSignUp(context, tx, {
    userId,
    isSamePerson: async ({ email }) =>
      foldMailbox(email) === foldMailbox(account.email) || (await isBrowserOf(context, tx, email)),
  });
}
