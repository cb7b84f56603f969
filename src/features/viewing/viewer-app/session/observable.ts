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
