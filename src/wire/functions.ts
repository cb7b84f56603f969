import type { AdminScope } from './promise.ts';

/** What can be called: a procedure of the API, or a route of its own. */
export interface FunctionEntry {
  kind: 'procedure' | 'route';
  /** `albums.list`, or a method and the pattern of an address. */
  name: string;
  /** A method and the pattern of its public address. */
  address: string;
  who: readonly string[];
  /** One of which an administrator needs; empty for everybody else's. */
  scopes: readonly AdminScope[];
}

/** Counts calls and how long they took. */
export interface CallCounter {
  /** @param ms null for what lasts as long as somebody listens */
  note(kind: 'procedure' | 'route' | 'job', name: string, ms: number | null, hasFailed: boolean): void;
}
