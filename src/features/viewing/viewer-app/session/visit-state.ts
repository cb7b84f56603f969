import type { Refusal } from '../../contract.ts';

/** What the frame shows of a visit. */
export interface VisitState {
  /** Why it is over. */
  refusal?: Refusal;
  isOffline: boolean;
  /** What the server answers to attempts to copy, until it is put away. */
  warning?: string | undefined;
  /** Keys have run out: nothing is to be seen until they are renewed. */
  isBlank: boolean;
  /** When it ends, on `performance.now()`: the clock of the viewer's device may be wrong. */
  endsAt?: number;
  /** Numbers of the pictures that were taken away meanwhile. */
  gone: ReadonlySet<number>;
  /** Number of the open picture; undefined in the gallery. */
  item?: number | undefined;
}
