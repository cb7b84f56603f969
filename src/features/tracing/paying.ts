import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { RefusalCode, RefusalData } from '#wire/refusals.ts';
import type { TraceFailure } from './findings.ts';

/** Why a trace that ended without an answer did so through no fault of its copy. */
export const faultsOfOurs: readonly TraceFailure[] = ['TIMEOUT', 'NO_ENGINE'];

/** Who submits a copy, and to which price they agreed; nothing where they were told of none. */
export interface Payer {
  creatorId: string;
  agreed: number | undefined;
}

/** Whoever knows what a trace costs beyond the free ones; the app joins the two rooms. */
export interface TraceBilling {
  /** @returns why a copy is not taken: a price was not agreed to, or cannot be paid */
  refuse(
    engines: Engines,
    payer: Payer,
  ): Promise<{ code: RefusalCode; data: RefusalData & { message: string } } | undefined>;
  /** Pays in the transaction that notes the trace, before it is noted. @throws CREDITS_NEEDED */
  pay(tx: Tx, engines: Engines, payer: Payer & { traceId: string }): Promise<void>;
}
