import { statement, type Tx } from '#engines/database/work.ts';
import type { Dispute, DisputeOutcome, PassedOn } from '#engines/payments/disputes.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { SoldKind } from '#features/orders/contract.ts';

/** What a disputed payment paid for. */
export interface DisputedOrder {
  orderId: string;
  kind: SoldKind;
  creatorId: string | null;
  viewerId: string | null;
  creatorName: string;
  accountId: string;
  sessionId: string | null;
  subscriptionId: string | null;
  invoiceId: string | null;
}

/** A dispute as it is written down. */
export interface DisputeRow {
  id: string;
  disputeId: string;
  chargeId: string;
  orderId: string | null;
  creatorId: string | null;
  status: string;
  standing: DisputeOutcome;
  reason: string;
  amountCents: number;
  currency: string;
  takenCents: number;
  feeCents: number;
  /** What of that its creator bears; null until it is decided. */
  borneCents: number | null;
  dueBy: Date | null;
  submittedAt: Date | null;
  transferId: string | null;
  backCents: number | null;
  backFeeCents: number | null;
  reversalId: string | null;
  /** Since when its account has too little for what is to be taken back; null where it was not refused. */
  backRefusedAt: Date | null;
  retransferId: string | null;
  openedAt: Date;
  decidedAt: Date | null;
  settledAt: Date | null;
  syncedVersion: number;
}

const columns = `d.id, d.dispute_id as "disputeId", d.charge_id as "chargeId", d.order_id as "orderId", d.creator_id as "creatorId", d.status, d.standing,
  d.reason, d.amount_cents as "amountCents", d.currency, d.taken_cents as "takenCents", d.fee_cents as "feeCents", d.borne_cents as "borneCents", d.due_by as "dueBy",
  d.submitted_at as "submittedAt", d.transfer_id as "transferId", d.back_cents as "backCents", d.back_fee_cents as "backFeeCents",
  d.reversal_id as "reversalId", d.back_refused_at as "backRefusedAt", d.retransfer_id as "retransferId", d.opened_at as "openedAt", d.decided_at as "decidedAt",
  d.settled_at as "settledAt", d.synced_version as "syncedVersion"`;

type Source = Pick<Tx, 'query'>;

const byName = statement<DisputeRow>(
  'dispute_by_name',
  `select ${columns} from disputes d where d.provider = $1 and d.livemode = $2 and d.dispute_id = $3`,
);

export const findDispute = async (tx: Source, { provider, livemode }: Realm, disputeId: string) =>
  (await tx.query(byName, [provider, livemode, disputeId]))[0];

const ofCharge = statement<DisputedOrder>(
  'disputed_order',
  `select o.id as "orderId", o.kind, o.creator_id as "creatorId", o.viewer_id as "viewerId", o.creator_name as "creatorName",
  o.acct_id as "accountId", o.session_id as "sessionId", o.invoice_id as "invoiceId", f.subscription_id as "subscriptionId"
from checkout_orders o left join fan_subscriptions f on f.id = o.fan_subscription_id
where o.charge_id = $3 and o.provider = $1 and o.livemode = $2`,
);

/** What was paid for with a charge; undefined for what is no order of a viewer's. */
export const findOrderOfCharge = async (tx: Source, { provider, livemode }: Realm, chargeId: string) =>
  (await tx.query(ofCharge, [provider, livemode, chargeId]))[0];

const inserted = statement<{ id: string }>(
  'dispute_inserted',
  `insert into disputes (id, provider, livemode, dispute_id, charge_id, order_id, creator_id, viewer_id, status, standing, reason, amount_cents,
  currency, taken_cents, fee_cents, due_by, opened_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, 'new', 'warning', $9, $10, $11, 0, 0, $12, $13, $14)
on conflict (provider, dispute_id) do nothing returning id`,
);

/** Makes a dispute known, before anything of how it stands is written. @returns false when it is known already */
export async function insertDispute(
  tx: Tx,
  { provider, livemode }: Realm,
  { id, dispute, order, now }: { id: string; dispute: Dispute; order: DisputedOrder | undefined; now: Date },
): Promise<boolean> {
  const { disputeId, chargeId, reason, amountCents, currency, dueBy, createdAt } = dispute;
  const whose = [order?.orderId ?? null, order?.creatorId ?? null, order?.viewerId ?? null];
  const what = [reason, amountCents, currency, dueBy ?? null, createdAt, now];
  return (await tx.query(inserted, [id, provider, livemode, disputeId, chargeId, ...whose, ...what])).length === 1;
}

const written = statement<{ id: string }>(
  'dispute_written',
  `update disputes set status = $3, standing = $4, reason = $5, amount_cents = $6, taken_cents = $7, fee_cents = $8, due_by = $9,
  submitted_at = case when $10 then case when $4 in ('won', 'lost', 'over') then submitted_at else coalesce(submitted_at, $11) end end,
  decided_at = case when $4 in ('won', 'lost', 'over') then coalesce(decided_at, $11) end,
  settled_at = case when standing = $4 then settled_at end, synced_version = synced_version + 1
where id = $1 and synced_version = $2 returning id`,
);

/** Writes how a dispute stands. @returns false when somebody was quicker: then the provider has to be asked again */
export async function writeDispute(
  tx: Tx,
  { id, syncedVersion }: Pick<DisputeRow, 'id' | 'syncedVersion'>,
  { status, standing, reason, amountCents, takenCents, feeCents, dueBy, isSubmitted }: Dispute,
  now: Date,
): Promise<boolean> {
  const sums = [amountCents, takenCents, feeCents, dueBy ?? null];
  return (
    (await tx.query(written, [id, syncedVersion, status, standing, reason, ...sums, isSubmitted, now])).length === 1
  );
}

const planned = statement<DisputeRow>(
  'dispute_back_planned',
  `update disputes d set transfer_id = case when d.back_cents is null then $2 else d.transfer_id end,
  back_fee_cents = case when d.back_cents is null then $4 else d.back_fee_cents end, back_cents = coalesce(d.back_cents, $3)
where d.id = $1 and (d.back_cents is not null or d.standing = $5) returning ${columns}`,
);

/** Notes what is to be taken back of what the creator has, once. @returns the dispute with what was noted first; undefined when it stands differently by now */
export async function planBack(
  tx: Tx,
  { id, standing }: Pick<DisputeRow, 'id' | 'standing'>,
  { transferId, leftCents, feeLeftCents }: Omit<PassedOn, 'transferId'> & { transferId: string | null },
): Promise<DisputeRow | undefined> {
  return (await tx.query(planned, [id, transferId, leftCents, feeLeftCents, standing]))[0];
}

const moved = statement(
  'dispute_moved',
  'update disputes set reversal_id = coalesce(reversal_id, $2), retransfer_id = coalesce(retransfer_id, $3) where id = $1',
);

/** Notes under which names it was taken back or given again. */
export async function markMoved(
  tx: Tx,
  id: string,
  { reversalId, retransferId }: { reversalId?: string; retransferId?: string },
): Promise<void> {
  await tx.query(moved, [id, reversalId ?? null, retransferId ?? null]);
}

const backRefused = statement<{ isFirst: boolean }>(
  'dispute_back_refused',
  `update disputes d set back_refused_at = coalesce(d.back_refused_at, $2) from disputes before
where d.id = $1 and before.id = d.id and d.reversal_id is null returning before.back_refused_at is null as "isFirst"`,
);

/** Notes that what is to be taken back was refused. @returns whether for the first time */
export const noteBackRefused = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.query(backRefused, [id, now]))[0]?.isFirst === true;

const againRefused = statement<{ isFirst: boolean }>(
  'dispute_again_refused',
  `update disputes d set again_refused_at = coalesce(d.again_refused_at, $2) from disputes before
where d.id = $1 and before.id = d.id and d.retransfer_id is null returning before.again_refused_at is null as "isFirst"`,
);

/** Notes that what is to be given again was refused. @returns whether for the first time */
export const noteAgainRefused = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.query(againRefused, [id, now]))[0]?.isFirst === true;

const backDropped = statement<DisputeRow>(
  'dispute_back_dropped',
  `update disputes d set back_cents = 0, back_fee_cents = 0 where d.id = $1 and d.standing = 'won' and d.reversal_id is null returning ${columns}`,
);

/** What could not be taken back before a dispute was won stays where it is. @returns undefined when it was taken after all, or it stands differently */
export const dropBack = async (tx: Tx, id: string): Promise<DisputeRow | undefined> =>
  (await tx.query(backDropped, [id]))[0];

const settled = statement<{ id: string }>(
  'dispute_settled',
  `update disputes set settled_at = coalesce(settled_at, $2) where id = $1 and standing = $3 and back_cents is not distinct from $4 returning id`,
);

/** Everything that a dispute moves has been moved. @returns false when it stands differently by now, or something more is to be moved */
export const markSettled = async (
  tx: Tx,
  { id, standing, backCents }: Pick<DisputeRow, 'id' | 'standing' | 'backCents'>,
  now: Date,
): Promise<boolean> => (await tx.query(settled, [id, now, standing, backCents])).length === 1;

const soldBy = statement<{ sold: string | null }>(
  'dispute_sold',
  `select sold from ledger_transactions where charge_id = $3 and kind = 'charge' and provider = $1 and livemode = $2 limit 1`,
);

/** What was paid for with a charge, as the books say. */
export const findSold = async (tx: Tx, { provider, livemode }: Realm, chargeId: string): Promise<string | undefined> =>
  (await tx.query(soldBy, [provider, livemode, chargeId]))[0]?.sold ?? undefined;

const unsettled = statement<{ id: string; disputeId: string }>(
  'disputes_unsettled',
  `select id, dispute_id as "disputeId" from disputes where provider = $1 and livemode = $2 and settled_at is null
  and (next_try_at is null or next_try_at <= $3) order by opened_at limit 200`,
);

/** Disputes that are not over, or of which something is still to be moved. */
export const listUnsettled = (tx: Tx, { provider, livemode }: Realm, now: Date) =>
  tx.query(unsettled, [provider, livemode, now]);

const postponed = statement(
  'dispute_postponed',
  `update disputes set tries = tries + 1, next_try_at = $2::timestamptz + least(power(2, tries), 64) * interval '10 minutes' where id = $1`,
);

/** Notes that a dispute could not be looked after now. */
export async function postponeDispute(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(postponed, [id, now]);
}

const unknown = statement<{ id: string }>(
  'disputes_unknown',
  `select k.id from unnest($3::text[]) as k (id)
where not exists (select from disputes d where d.provider = $1 and d.livemode = $2 and d.dispute_id = k.id)`,
);

/** Which of these are not written down yet. */
export const listUnknown = async (tx: Tx, { provider, livemode }: Realm, ids: readonly string[]): Promise<string[]> =>
  (await tx.query(unknown, [provider, livemode, ids])).map(({ id }) => id);
