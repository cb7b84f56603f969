import { statement, type Tx } from '#engines/database/work.ts';

/** The last time that a full check called a procedure that did what it was asked. */
export interface Pass {
  procedure: string;
  passedAt: Date;
}

const found = statement<Pass>(
  'passes_of_procedures_found',
  `select procedure, max(ended_at) as "passedAt" from full_checks, unnest(passed_calls) as procedure where ended_at is not null group by 1`,
);

/** Finds when each procedure last passed, by the runs that are kept. */
export const findPasses = (tx: Tx): Promise<Pass[]> => tx.query(found, []);
