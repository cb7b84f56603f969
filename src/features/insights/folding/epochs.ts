/**
 * Writes the SQL of the epoch that a transaction is of: a run of 4,096, as `view_events.epoch` holds it. Indexes know only
 * epochs, so who asks for events by their transactions asks for the epochs of these as well.
 * @param xid SQL of an xid8
 */
export const epochOf = (xid: string): string => `(((${xid})::text::bigint - 1) >> 12)::integer`;

/** Writes the SQL condition that an event `e` is of the transactions from `since` on, and before `until`. */
export const isBetween = (since: string, until: string): string =>
  `e.epoch >= ${epochOf(since)} and e.epoch <= ${epochOf(until)} and e.xid >= ${since} and e.xid < ${until}`;
