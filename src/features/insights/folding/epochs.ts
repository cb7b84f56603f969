/**
 * Writes the SQL of the epoch that a transaction is of: a run of 4,096, as `view_events.epoch` holds it. Indexes know only
 * epochs, so who asks for events by their transactions asks for the epochs of these as well.
 * @param xid SQL of an xid8
 */
export const epochOf = (xid: string): string => `(((${xid})::text::bigint - 1) >> 12)::integer`;

/**
 * Writes the SQL columns that `isBetween` asks for, beside `since` and `upto`. The CTE that has them is materialized: what is
 * computed where events are read could leak, so row-level security has no index serve it, and all events would be read.
 */
export const epochsOf = (since: string, upto: string): string =>
  `${epochOf(since)} as since_epoch, ${epochOf(upto)} as upto_epoch`;

/** Writes the SQL condition that an event `e` is of the transactions from `since` on, and before `upto`. @param range a row with `since`, `upto` and the columns of `epochsOf` */
export const isBetween = (range: string): string =>
  `e.epoch >= ${range}.since_epoch and e.epoch <= ${range}.upto_epoch and e.xid >= ${range}.since and e.xid < ${range}.upto`;
