import { setTimeout as pause } from 'node:timers/promises';
import { isLocalAddress } from '#engines/geoip/reserved-networks.ts';
import { waitAfterMany } from '#features/accounts/rules.ts';
import { networkOf } from '#features/audit/rules.ts';
import { createLru } from '#kit/lru.ts';
import { hourMs, secondMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';

/** Newcomers of one network who may come at once; hundreds of people may stand behind one address. */
const mostAtOnce = 60;
/** After them one is let in after the other, so far apart. */
const betweenMs = 500;
/** Who would wait longer is asked to come again. */
const mostWaitMs = 10 * secondMs;
/** Taps of one network in an hour that lead nowhere, before each further tap of it waits longer. */
const freeMisses = 60;
/** Whoever comes from everywhere fills no memory: the networks that have not come for longest are forgotten. */
const mostNetworks = 10_000;

/** Networks from which very many come. This process alone counts them; nobody is ever locked out by it. */
export interface NetworkQueues {
  /** @returns how long a newcomer, who will be a row, waits for their turn; undefined when they have to come again */
  queue(address: string, now: Date): number | undefined;
  /** Returns how long a tap waits before anything is looked up, so that addresses cannot be tried out in numbers. */
  slow(address: string, now: Date): number;
  /** A tap led nowhere. */
  miss(address: string, now: Date): void;
}

interface NetworkQueue {
  /** When the next newcomer would come if all came as far apart as they may. */
  dueMs: number;
  misses: number;
  missedSinceMs: number;
}

export function openNetworkQueues(): NetworkQueues {
  const queues = createLru<string, NetworkQueue>(mostNetworks);
  const queueOf = (address: string): NetworkQueue | undefined => {
    const network = namedNetworkOf(address);
    if (network === undefined) return undefined;
    return queues.get(network) ?? queues.set(network, { dueMs: 0, misses: 0, missedSinceMs: 0 });
  };
  const missesOf = (queue: NetworkQueue, nowMs: number) => (nowMs - queue.missedSinceMs < hourMs ? queue.misses : 0);
  return {
    queue(address, now) {
      const queue = queueOf(address);
      if (queue === undefined) return 0;
      const dueMs = Math.max(now.getTime(), queue.dueMs) + betweenMs;
      const waitMs = Math.max(0, dueMs - now.getTime() - mostAtOnce * betweenMs);
      if (waitMs > mostWaitMs) return undefined;
      queue.dueMs = dueMs;
      return waitMs;
    },
    slow(address, now) {
      const queue = queueOf(address);
      return queue === undefined ? 0 : waitAfterMany(missesOf(queue, now.getTime()), freeMisses);
    },
    miss(address, now) {
      const queue = queueOf(address);
      if (queue === undefined) return;
      const misses = missesOf(queue, now.getTime());
      if (misses === 0) queue.missedSinceMs = now.getTime();
      queue.misses = misses + 1;
    },
  };
}

/** What is said to who would wait too long for a turn. */
export const comeAgain = { retryAfter: 5, message: "We're very busy right now. Please try again." };

/** Waits, and holds no place meanwhile. */
export async function waitAside(context: Context, ms: number): Promise<void> {
  if (ms === 0) return;
  context.waitOutside();
  await pause(ms);
}

/** The network that somebody calls from; undefined where the address does not tell. */
export const namedNetworkOf = (address: string): string | undefined =>
  isLocalAddress(address) ? undefined : networkOf(address);
