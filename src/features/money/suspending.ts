import type { Engines } from '#engines/engines.ts';
import { type By, changeSuspension, type SuspendOrder } from '#features/accounts/suspending.ts';
import { settleFans } from './fans/fan-jobs.ts';

/**
 * Suspends an account and ends what people subscribe to, or lets it go on.
 * @returns its address @throws a sentence that says what is wrong
 */
export async function suspendWithFans(engines: Engines, order: SuspendOrder, by?: By): Promise<string> {
  const email = await changeSuspension(engines, order, by);
  if (!order.isEnd) await settleFans(engines);
  return email;
}
