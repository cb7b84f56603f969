import { DeadlinePassed, within } from '#engines/deadline.ts';
import type { Engines } from '#engines/engines.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { syncSoon } from '#features/books/ledger-sync.ts';
import { secondMs } from '#kit/time.ts';
import { wasPaid } from './rules.ts';
import { type AskedOrder, askOrder } from './sync-orders.ts';

/** So long somebody waits for an answer, who is then asked to look again. */
const patienceMs = 10 * secondMs;

/**
 * What became of a checkout, for somebody who waits for it: asked of the provider after this call, together with everybody else
 * who waits, no more often than every two seconds, and written down. The books follow by themselves.
 * @returns the order as it is now; undefined when it is none of ours
 * @throws PaymentsAway when the answer takes too long; what was asked is written down all the same
 */
export const settleCheckout = (engines: Engines, sessionId: string): Promise<AskedOrder | undefined> =>
  patiently(askOrder(engines, sessionId).then((order) => withBooks(engines, order)));

/** The same at once, after something was changed at the provider. */
export const settleNow = async (engines: Engines, sessionId: string): Promise<AskedOrder | undefined> =>
  withBooks(engines, await askOrder(engines, sessionId, { isUrgent: true }));

function withBooks(engines: Engines, order: AskedOrder | undefined): AskedOrder | undefined {
  if (order !== undefined && wasPaid(order.state)) syncSoon(engines);
  return order;
}

const patiently = <T>(answer: Promise<T>): Promise<T> =>
  within(patienceMs, answer).catch((error: unknown) => {
    throw error instanceof DeadlinePassed ? new PaymentsAway(error) : error;
  });
