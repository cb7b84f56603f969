import { useSyncExternalStore } from 'react';

/** The one place where the pages read the clock; every relative time on the screen turns at the same moment. */
const turnMs = 10_000;
const listeners = new Set<() => void>();
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

function turn(): void {
  now = new Date();
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  if (listeners.size === 0) {
    now = new Date();
    timer = setInterval(turn, turnMs);
  }
  listeners.add(tell);
  return () => {
    listeners.delete(tell);
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
