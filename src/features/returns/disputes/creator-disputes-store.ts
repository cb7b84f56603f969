import { statement, type Tx } from '#engines/database/work.ts';
import type { DisputeOutcome } from '#engines/payments/disputes.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { SoldKind } from '#features/orders/contract.ts';
import { feeColumns, owedColumn } from '../dispute-fees-store.ts';
import type { SubmitFacts } from './dispute-rules.ts';

/** A dispute as its creator is shown it. */
export interface CreatorDispute extends SubmitFacts {
  id: string;
  orderId: string;
  kind: SoldKind;
  amountCents: number;
  /** What was theirs of it, and is taken back or given again. */
  shareCents: number;
  currency: string;
  standing: DisputeOutcome;
  /** Their account has too little for it so far; once it was won, the platform's. */
  isOwed: boolean;
  isAnswered: boolean;
  /** The provider did not take the evidence. */
  isRefused: boolean;
  openedAt: Date;
  /** What they bear of its fee. */
  borneCents: number;
  isFeeTaken: boolean;
  /** It is to be given back, and the platform has too little so far. */
  isFeeAwaited: boolean;
  /** The provider has returned it, or what was taken was given back. */
  isFeeReturned: boolean;
}

// Who has paid, and what speaks for the payment, is told to nobody but the bank.
const ofCreator = statement<CreatorDispute>(
  'disputes_of_creator',
  `select d.id, o.id as "orderId", o.kind, d.amount_cents as "amountCents", coalesce(d.back_cents - d.back_fee_cents, 0)::bigint as "shareCents",
  d.currency, d.standing, ${owedColumn}, d.submitted_at is not null or e.handed_in_at is not null as "isAnswered", e.refused is not null as "isRefused",
  e.was_opened as "isOpened", e.objected_at as "objectedAt", e.wanted_at as "wantedAt",
  d.opened_at as "openedAt", d.due_by as "dueBy", coalesce(d.borne_cents, 0)::bigint as "borneCents", ${feeColumns}
from disputes d join checkout_orders o on o.id = d.order_id left join dispute_evidence e on e.dispute_id = d.id
where d.creator_id = $1 and d.provider = $2 and d.livemode = $3 and d.standing in ('open', 'won', 'lost') and d.opened_at > $4::timestamptz - interval '180 days'
order by d.decided_at is not null, d.opened_at desc, d.id desc limit 50`,
);

/** Payments of a creator that were disputed in the last months: those that are open first. */
export const listOfCreator = (
  tx: Tx,
  { creatorId, realm, now }: { creatorId: string; realm: Realm; now: Date },
): Promise<CreatorDispute[]> => tx.query(ofCreator, [creatorId, realm.provider, realm.livemode, now]);
