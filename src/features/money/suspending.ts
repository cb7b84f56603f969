import type { Tx } from '#engines/database/work.ts';
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

/** The round that ends subscriptions to whoever is suspended, and gives back what was paid for the time that is left. */
export const settleFansQueue = 'money.settleFans';

/** Has the round come at once, when the caller's transaction commits; where one runs already, the next comes within ten minutes. */
export const settleFansSoon = ({ jobs }: Pick<Engines, 'jobs'>, tx: Tx): Promise<void> =>
  jobs.send(tx, settleFansQueue, {});
