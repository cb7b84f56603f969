import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** Notes that a comparison of the books has begun; the same one twice is one. */
export async function beginRun(
  tx: Tx,
  { id, realm, startedAt }: { id: string; realm: Realm; startedAt: Date },
): Promise<void> {
  await tx.db
    .insertInto('reconciliation_runs')
    .values({ id, ...realm, started_at: startedAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** What a comparison has found: in the books alone, and beside the provider's. */
export interface BooksFindings {
  faults: readonly string[];
  drift: readonly string[];
}

/** Notes what a comparison has found. */
export async function endRun(
  tx: Tx,
  id: string,
  { finishedAt, checked, faults, drift }: BooksFindings & { finishedAt: Date; checked: number },
): Promise<void> {
  await tx.db
    .updateTable('reconciliation_runs')
    .set({ finished_at: finishedAt, checked, faults: JSON.stringify(faults), drift: JSON.stringify(drift) })
    .where('id', '=', id)
    .execute();
}

export interface RunRow extends BooksFindings {
  startedAt: Date;
  finishedAt: Date | null;
  checked: number;
  faults: string[];
  drift: string[];
}

const newest = statement<RunRow>(
  'reconciliation_runs_newest',
  `select started_at as "startedAt", finished_at as "finishedAt", checked, faults, drift from reconciliation_runs
where provider = $1 and livemode = $2 order by started_at desc, id desc limit $3`,
);

/** The last comparisons, the newest first. */
export const listRuns = (tx: Tx, { provider, livemode }: Realm, limit: number): Promise<RunRow[]> =>
  tx.query(newest, [provider, livemode, limit]);

/** Ten minutes, doubled each time up to ten hours. */
const later = `tries = tries + 1, next_try_at = $1::timestamptz + least(power(2, tries), 64) * interval '10 minutes'`;

const sessionPostponed = statement(
  'session_postponed',
  `update checkout_orders set ${later} where provider = $2 and livemode = $3 and session_id = $4`,
);
const accountPostponed = statement(
  'account_postponed',
  `update user_stripe_accounts set ${later} where provider = $2 and livemode = $3 and acct_id = $4`,
);

/** Notes that a payment could not be asked about now. */
export async function postponeSession(
  tx: Tx,
  { provider, livemode }: Realm,
  sessionId: string,
  now: Date,
): Promise<void> {
  await tx.query(sessionPostponed, [now, provider, livemode, sessionId]);
}

/** The same of a creator's account. */
export async function postponeAccount(
  tx: Tx,
  { provider, livemode }: Realm,
  accountId: string,
  now: Date,
): Promise<void> {
  await tx.query(accountPostponed, [now, provider, livemode, accountId]);
}
