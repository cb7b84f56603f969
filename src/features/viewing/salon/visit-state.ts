import type { Refusal } from '../contract.ts';

/** What the frame shows of a visit. */
export interface VisitState {
  /** Why it is over. */
  refusal?: Refusal;
  isOffline: boolean;
  /** When it ends, on `performance.now()`: the clock of the viewer's device may be wrong. */
  endsAt?: number;
  /** Numbers of the pictures that were taken away meanwhile. */
  gone: ReadonlySet<number>;
  /** Number of the open picture; undefined in the gallery. */
  item?: number | undefined;
}

export interface Watched<State> {
  get(): State;
  set(next: Partial<State>): void;
  /** Calls back after each change, until the answer is called. */
  subscribe(listener: () => void): () => void;
}

/** One value that tells when it changes. */
export function watched<State extends object>(first: State): Watched<State> {
  const listeners = new Set<() => void>();
  let state = first;
  return {
    get: () => state,
    set(next) {
      state = { ...state, ...next };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
