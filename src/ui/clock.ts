import { useSyncExternalStore } from 'react';

/** The one place where the pages read the clock; every relative time on the screen turns at the same moment. */
const turnMs = 10_000;
const listeners = new Set<() => void>();
/** How far this device's clock is ahead of the server's: one that is wrong would tell untrue times of everything. */
let aheadMs = 0;
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

const read = (): Date => new Date(Date.now() - aheadMs);

/** Sets the pages' clock by the server's. @param heardAtMs when it said so, by the clock of this device */
export function setClock(serverNow: Date, heardAtMs: number): void {
  const nowAheadMs = heardAtMs - serverNow.getTime();
  // An answer's way through the line is no fault of the clock.
  if (Math.abs(nowAheadMs - aheadMs) < 1000) return;
  aheadMs = nowAheadMs;
  turn();
}

function turn(): void {
  now = read();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = read();
    timer = setInterval(turn, turnMs);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The present moment, which moves on every ten seconds. */
export function useNow(): Date {
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => now,
  );
}
