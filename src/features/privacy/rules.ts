import { deletionGraceDays } from '#features/accounts/rules.ts';
import { dayMs, hourMs } from '#kit/time.ts';

export const graceMs = deletionGraceDays * dayMs;

/** What is typed to delete an account. */
export const deleteWord = 'DELETE';

/** Keys are destroyed when all money has gone its ways, and at the latest this long after the grace; files go right after them. */
const longestMoneyMs = 48 * hourMs;

/** Returns whether an account's keys may be destroyed: nothing of its money is on its way any more, or that takes too long. */
export const mayDestroyKeys = (
  { erasingSince, isMoneyOpen }: { erasingSince: Date; isMoneyOpen: boolean },
  now: Date,
): boolean => !isMoneyOpen || now.getTime() - erasingSince.getTime() >= longestMoneyMs;

/** What an erased account's address is from then on: nobody's, and no email goes there. */
export const erasedAddress = (userId: string): string => `${userId}@erased.invalid`;

/** By what name an erased creator stands in the orders that are kept. */
export const erasedName = 'Closed account';
