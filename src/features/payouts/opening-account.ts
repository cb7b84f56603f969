import { confirmPassword, requireFreshCode } from '#features/accounts/confirm-password.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { payoutAccountEmail } from '#features/notices/payout-emails.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { writeToPayee } from './notify-payouts.ts';

/**
 * Their bank details are changed in their account at the provider, so neither an open screen nor a password alone must open it.
 * @returns how to note that it was opened, and tell them by email
 * @throws VALIDATION for no password or a wrong one, RATE_LIMITED after several, SECOND_FACTOR_REQUIRED and CODE_REQUIRED
 */
export async function confirmOpening(
  context: CreatorContext,
  password: string | undefined,
): Promise<() => Promise<void>> {
  if (password === undefined || password === '')
    throw refuse('VALIDATION', { field: 'password', message: 'Enter your password' });
  await requireFreshCode(context);
  const forget = await confirmPassword(context, password, 'payouts');
  const { engines, creator, asSystem, requestId } = context;
  const { userId } = creator;
  return () =>
    asSystem(async (tx) => {
      await forget(tx);
      const actor = { type: creator.kind, id: userId };
      await insertAudit(tx, { actor, action: 'payouts.account_opened', requestId });
      await writeToPayee(engines, tx, { userId, now: moneyNow(engines) }, ({ payoutsPage }) =>
        payoutAccountEmail({ payoutsPage }),
      );
    });
}
