import { statement, type Tx } from '#engines/database/work.ts';

/** How often something went wrong in a page behind what was pressed. */
export interface PageErrors {
  /** By `nameControl`. */
  component: string;
  /** The kind of page, by `redactPath`. */
  page: string | null;
  errors: number;
}

const counted = statement<PageErrors>(
  'page_errors_of_controls_counted',
  `select component, url as page, count(*)::int as errors from error_logs
where created_at >= $1 and component like '%“%”' group by 1, 2 order by 3 desc limit 1000`,
);

/** Counts what went wrong since a moment, by what was pressed. */
export const countPageErrors = (tx: Tx, since: Date): Promise<PageErrors[]> => tx.query(counted, [since]);
