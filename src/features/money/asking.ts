import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import { syncSoon } from './ledger.ts';
import { type AskedOrder, projectOrder } from './project.ts';
import { wasPaid } from './rules.ts';

/** The provider is asked about one checkout no more often than this, however many look at it. */
const gapMs = 2000;

/** What is asked about one checkout. */
interface Asking {
  /** Under way; who comes now may know more than it will say. */
  running: Promise<unknown>;
  /** Will begin in a moment: its answer is everybody's who has come by then. */
  next: Promise<AskedOrder | undefined> | undefined;
  /** When it may begin. */
  dueMs: number;
}

const askings = new WeakMap<object, Map<string, Asking>>();

/**
 * What became of a checkout, for somebody who waits for it: asked of the provider after this call, together with everybody else
 * who waits, and written down. The books follow by themselves.
 * @returns the order as it is now; undefined when it is none of ours
 */
export function settleCheckout(engines: Engines, sessionId: string): Promise<AskedOrder | undefined> {
  const { connection } = engines.database;
  const all = askings.get(connection) ?? new Map<string, Asking>();
  askings.set(connection, all);
  const asking = all.get(sessionId) ?? { running: Promise.resolve(), next: undefined, dueMs: 0 };
  all.set(sessionId, asking);
  asking.next ??= askInTurn(engines, sessionId, asking, () => all.delete(sessionId));
  return asking.next;
}

async function askInTurn(
  engines: Engines,
  sessionId: string,
  asking: Asking,
  forget: () => void,
): Promise<AskedOrder | undefined> {
  await asking.running;
  const leftMs = asking.dueMs - performance.now();
  if (leftMs > 0) await wait(leftMs);
  asking.next = undefined;
  asking.dueMs = performance.now() + gapMs;
  const asked = settleNow(engines, sessionId);
  // Whether it went wrong is told to those who asked.
  asking.running = asked.then(forgetLater, forgetLater);
  return asked;
  function forgetLater(): void {
    const isOver = () => asking.next === undefined && asking.dueMs <= performance.now();
    setTimeout(() => isOver() && forget(), gapMs + 1).unref();
  }
}

/** The same at once, after something was changed at the provider. */
export async function settleNow(engines: Engines, sessionId: string): Promise<AskedOrder | undefined> {
  const order = await projectOrder(engines, sessionId);
  if (order !== undefined && wasPaid(order.state)) syncSoon(engines);
  return order;
}
