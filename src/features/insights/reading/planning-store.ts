import { statement, type Tx } from '#engines/database/work.ts';

const unsorted = statement(
  'insights_unsorted',
  `select set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`,
);

/**
 * Has the rest of a transaction planned without sorting, where the planner takes a creator's many rows for a handful: their id stands
 * in the condition and once more in the policy of the table, and both are counted. Servers before 18 write the sort that is left
 * down as an enormous cost, for which they would compile the statement first: two seconds.
 */
export const planWithoutSorting = async (tx: Tx): Promise<void> => void (await tx.query(unsorted, []));
