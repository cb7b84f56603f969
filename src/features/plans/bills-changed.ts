import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';

/** The job of whoever gets a share of what plans bring. */
export const billsChangedQueue = 'affiliates.settle';

/** Lets the shares of partners follow soon, in the transaction in which a bill was paid or went back. */
export const noteBillsChanged = ({ jobs }: { jobs: Pick<Jobs, 'send'> }, tx: Tx): Promise<void> =>
  jobs.send(tx, billsChangedQueue, {});
