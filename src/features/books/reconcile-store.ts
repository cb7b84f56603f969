import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** Writes down one comparison of the books with the provider's. */
export async function insertRun(
  tx: Tx,
  run: { id: string; realm: Realm; startedAt: Date; finishedAt: Date; checked: number; drift: readonly string[] },
): Promise<void> {
  const { id, realm, startedAt, finishedAt, checked, drift } = run;
  await tx.db
    .insertInto('reconciliation_runs')
    .values({ id, ...realm, started_at: startedAt, finished_at: finishedAt, checked, drift: JSON.stringify(drift) })
    .execute();
}

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
