import type { Engines } from '#engines/engines.ts';
import type { SuspendOrder } from '#features/accounts/suspending.ts';
import { suspendWithFans } from './suspending.ts';

/** `pf suspend`: suspends an account and ends what people subscribe to, or lets it go on. @returns what to print */
export async function runSuspend(engines: Engines, order: SuspendOrder): Promise<string> {
  const email = await suspendWithFans(engines, order);
  if (order.isEnd) return `${email} is no longer suspended, and has an email that says so.`;
  return `${email} is suspended, and has an email with your reason. Subscriptions to it have ended; what was paid for the time that was left goes back, and so does what is held for custom requests.`;
}
