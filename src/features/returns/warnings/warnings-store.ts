import { statement, type Tx } from '#engines/database/work.ts';
import type { FraudWarning } from '#engines/payments/fraud-warnings.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** A warning as it is written down. */
export interface WarningRow {
  id: string;
  warningId: string;
  chargeId: string;
  /** All of the payment goes back: decided once. */
  returnedAt: Date | null;
  settledAt: Date | null;
}

const columns = `w.id, w.warning_id as "warningId", w.charge_id as "chargeId", w.returned_at as "returnedAt", w.settled_at as "settledAt"`;

const inserted = statement(
  'warning_inserted',
  `insert into fraud_warnings (id, provider, livemode, warning_id, charge_id, fraud_type, warned_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (provider, warning_id) do nothing`,
);
const byName = statement<WarningRow>(
  'warning_by_name',
  `select ${columns} from fraud_warnings w where w.provider = $1 and w.livemode = $2 and w.warning_id = $3`,
);

/** Makes a warning known, once. @returns it as it stands */
export async function keepWarning(
  tx: Tx,
  { provider, livemode }: Realm,
  { id, warning, now }: { id: string; warning: FraudWarning; now: Date },
): Promise<WarningRow | undefined> {
  const { warningId, chargeId, fraudType, createdAt } = warning;
  await tx.query(inserted, [id, provider, livemode, warningId, chargeId, fraudType, createdAt, now]);
  return (await tx.query(byName, [provider, livemode, warningId]))[0];
}

const returned = statement(
  'warning_returned',
  'update fraud_warnings set returned_at = coalesce(returned_at, $2) where id = $1',
);

/** Notes that all of the payment goes back. */
export const markReturned = async (tx: Tx, id: string, now: Date): Promise<void> =>
  void (await tx.query(returned, [id, now]));

const settled = statement(
  'warning_settled',
  'update fraud_warnings set settled_at = coalesce(settled_at, $2) where id = $1',
);

/** Notes that nothing is left to be done about it. */
export const markSettled = async (tx: Tx, id: string, now: Date): Promise<void> =>
  void (await tx.query(settled, [id, now]));

const unsettled = statement<WarningRow>(
  'warnings_unsettled',
  `select ${columns} from fraud_warnings w where w.provider = $1 and w.livemode = $2 and w.settled_at is null
  and (w.next_try_at is null or w.next_try_at <= $3) order by w.warned_at limit 200`,
);

/** Warnings about which something is left to be done. */
export const listUnsettledWarnings = (tx: Tx, { provider, livemode }: Realm, now: Date) =>
  tx.query(unsettled, [provider, livemode, now]);

const postponed = statement(
  'warning_postponed',
  `update fraud_warnings set tries = tries + 1, next_try_at = $2::timestamptz + least(power(2, tries), 64) * interval '1 minute' where id = $1`,
);

/** Notes that nothing could be done about it now. */
export const postponeWarning = async (tx: Tx, id: string, now: Date): Promise<void> =>
  void (await tx.query(postponed, [id, now]));

const unknown = statement<{ id: string }>(
  'warnings_unknown',
  `select k.id from unnest($3::text[]) as k (id)
where not exists (select from fraud_warnings w where w.provider = $1 and w.livemode = $2 and w.warning_id = k.id)`,
);

/** Which of these are not written down yet. */
export const listUnknownWarnings = async (
  tx: Tx,
  { provider, livemode }: Realm,
  ids: readonly string[],
): Promise<string[]> => (await tx.query(unknown, [provider, livemode, ids])).map(({ id }) => id);
