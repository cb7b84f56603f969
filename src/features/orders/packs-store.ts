import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

export type PackState =
  | 'pending'
  | 'paid'
  | 'partially_refunded'
  | 'refunded'
  | 'disputed'
  | 'charged_back'
  | 'expired'
  | 'failed';

/** A pack of credits that somebody buys of the platform. */
export interface PackRow {
  id: string;
  userId: string | null;
  credits: number;
  amountCents: number;
  currency: string;
  state: PackState;
  sessionId: string | null;
  paymentId: string | null;
  refundedCents: number;
  backCredits: number;
  backCents: number;
  backState: 'pending' | 'succeeded' | 'failed' | null;
  /** How often its unused part was asked back. */
  backTries: number;
  paidAt: Date | null;
  /** When it ended that this was for sale to its buyer, before it was paid. */
  endedAt: Date | null;
  expiresAt: Date;
  syncedVersion: number;
}

const columns = `id, user_id as "userId", credits, amount_cents as "amountCents", currency, state, session_id as "sessionId",
  payment_id as "paymentId", refunded_cents as "refundedCents", back_credits as "backCredits", back_cents as "backCents",
  back_state as "backState", back_tries as "backTries", paid_at as "paidAt", ended_at as "endedAt", expires_at as "expiresAt", synced_version as "syncedVersion"`;

const byId = statement<PackRow>('pack_by_id', `select ${columns} from credit_orders where id = $1`);
const locked = statement<PackRow>('pack_locked', `select ${columns} from credit_orders where id = $1 for update`);
const bySession = statement<PackRow>(
  'pack_by_session',
  `select ${columns} from credit_orders where provider = $1 and livemode = $2 and session_id = $3`,
);
const openOf = statement<PackRow>(
  'pack_open_of',
  `select ${columns} from credit_orders where user_id = $1 and state = 'pending' and provider = $2 and livemode = $3`,
);
const boughtBy = statement<PackRow>(
  'packs_bought',
  `select ${columns} from credit_orders where user_id = $1 and provider = $2 and livemode = $3 and paid_at is not null
  order by created_at desc limit 20`,
);
const openOnes = statement<{ sessionId: string }>(
  'packs_open',
  `select session_id as "sessionId" from credit_orders where state = 'pending' and provider = $1 and livemode = $2
  and session_id is not null and created_at <= $3 order by created_at limit 500`,
);
const unsettled = statement<{ id: string }>(
  'packs_unsettled',
  `select id from credit_orders where is_unsettled and provider = $1 and livemode = $2 and ($3::uuid is null or user_id = $3)
  order by created_at limit 500`,
);

export const findPack = async (tx: Tx, id: string): Promise<PackRow | undefined> => (await tx.query(byId, [id]))[0];
/** The same, and nobody changes it meanwhile. */
export const lockPack = async (tx: Tx, id: string): Promise<PackRow | undefined> => (await tx.query(locked, [id]))[0];
export const findPackOfSession = async (tx: Pick<Tx, 'query'>, { provider, livemode }: Realm, sessionId: string) =>
  (await tx.query(bySession, [provider, livemode, sessionId]))[0];
const byCharge = statement<PackRow>(
  'pack_by_charge',
  `select ${columns} from credit_orders where provider = $1 and livemode = $2 and charge_id = $3`,
);

/** The pack that was paid for with a charge. */
export const findPackOfCharge = async (tx: Tx, { provider, livemode }: Realm, chargeId: string) =>
  (await tx.query(byCharge, [provider, livemode, chargeId]))[0];

/** The pack that somebody is buying just now. */
export const findOpenPack = async (tx: Tx, { provider, livemode }: Realm, userId: string) =>
  (await tx.query(openOf, [userId, provider, livemode]))[0];
/** What somebody has paid for, newest first. */
export const listPacks = (tx: Tx, { provider, livemode }: Realm, userId: string): Promise<PackRow[]> =>
  tx.query(boughtBy, [userId, provider, livemode]);
/** Checkouts that were opened before a moment and of which nobody has told how they ended. */
export const listOpenPacks = async (tx: Tx, { provider, livemode }: Realm, before: Date): Promise<string[]> =>
  (await tx.query(openOnes, [provider, livemode, before])).map(({ sessionId }) => sessionId);
/** Packs whose payment has changed without their credits; of everybody, or of one. */
export const listUnsettledPacks = async (tx: Tx, { provider, livemode }: Realm, userId?: string): Promise<string[]> =>
  (await tx.query(unsettled, [provider, livemode, userId ?? null])).map(({ id }) => id);

export interface NewPack {
  id: string;
  realm: Realm;
  userId: string;
  credits: number;
  amountCents: number;
  currency: string;
  expiresAt: Date;
  now: Date;
}

const inserted = statement<{ id: string }>(
  'pack_inserted',
  `insert into credit_orders (id, provider, livemode, user_id, credits, amount_cents, currency, expires_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning id`,
);

/** @returns false when this creator is buying one already */
export async function insertPack(tx: Tx, pack: NewPack): Promise<boolean> {
  const { id, realm, userId, credits, amountCents, currency, expiresAt, now } = pack;
  const values = [id, realm.provider, realm.livemode, userId, credits, amountCents, currency, expiresAt, now];
  return (await tx.query(inserted, values)).length === 1;
}

const sent = statement('pack_sent', 'update credit_orders set session_id = $2 where id = $1 and session_id is null');
const failed = statement(
  'pack_failed',
  `update credit_orders set state = 'failed', synced_version = synced_version + 1 where id = $1 and state = 'pending' and session_id is null`,
);
const unsentEnded = statement(
  'packs_unsent_ended',
  `update credit_orders set state = 'failed' where state = 'pending' and session_id is null and expires_at <= $1`,
);
const settled = statement('pack_settled', 'update credit_orders set is_unsettled = false where id = $1');

/** Notes where it is paid. */
export const keepPackSession = async (tx: Tx, id: string, sessionId: string): Promise<void> =>
  void (await tx.query(sent, [id, sessionId]));
/** Ends one that never came to a checkout. */
export const failPack = async (tx: Tx, id: string): Promise<void> => void (await tx.query(failed, [id]));
/** Ends those that never came to a checkout and whose time is over. */
export const endUnsentPacks = async (tx: Tx, now: Date): Promise<void> => void (await tx.query(unsentEnded, [now]));
/** Notes that the credits are what the payment says. */
export const notePackSettled = async (tx: Tx, id: string): Promise<void> => void (await tx.query(settled, [id]));

const synced = statement<{ id: string }>(
  'pack_projected',
  `update credit_orders set state = $3, payment_id = $4, charge_id = $5, refunded_cents = $6, paid_at = coalesce(paid_at, $7),
  back_state = case when back_state = 'pending' and $6::bigint >= back_cents then 'succeeded' else back_state end,
  is_unsettled = is_unsettled or state <> $3 or refunded_cents <> $6, synced_version = synced_version + 1
where id = $1 and synced_version = $2 returning id`,
);

export interface PackProjection {
  id: string;
  /** As it was when the provider was asked. */
  version: number;
  state: PackState;
  paymentId: string | undefined;
  chargeId: string | undefined;
  refundedCents: number;
  paidAt: Date | undefined;
}

/** Writes what the provider says now. @returns false when somebody was quicker: then it has to be asked again */
export async function writePack(tx: Tx, projection: PackProjection): Promise<boolean> {
  const { id, version, state, paymentId, chargeId, refundedCents, paidAt } = projection;
  const values = [id, version, state, paymentId ?? null, chargeId ?? null, refundedCents, paidAt ?? null];
  return (await tx.query(synced, values)).length === 1;
}

const requested = statement<{ id: string }>(
  'pack_back_wished',
  `update credit_orders set back_credits = $2, back_cents = $3, back_state = 'pending', back_tries = back_tries + 1,
  is_unsettled = true, synced_version = synced_version + 1
where id = $1 and state = 'paid' and (back_state is null or back_state = 'failed') returning id`,
);

/**
 * Asks that what is unused of a pack goes back; once more where that was refused.
 * @returns false when it was wished for before, or is not to be had any more
 */
export async function requestPackRefund(
  tx: Tx,
  id: string,
  back: { credits: number; cents: number },
): Promise<boolean> {
  return (await tx.query(requested, [id, back.credits, back.cents])).length === 1;
}

const whole = statement<{ state: PackState; backState: PackRow['backState'] }>(
  'pack_whole_back_wished',
  `with held as (select id, state, back_state from credit_orders where id = $1 for update), wished as (
  update credit_orders o set back_credits = o.credits, back_cents = o.amount_cents, back_state = 'pending', is_unsettled = true,
    synced_version = o.synced_version + 1
  from held h where o.id = h.id and h.state in ('paid', 'partially_refunded') and h.back_state is distinct from 'pending'
)
select state, back_state as "backState" from held`,
);

/**
 * Asks that all of a pack goes back.
 * @returns `over` when a bank has it or it went back, `later` while a part of it is on its way
 */
export async function requestFullPackRefund(tx: Tx, id: string): Promise<'wished' | 'later' | 'over'> {
  const [before] = await tx.query(whole, [id]);
  if (before === undefined || (before.state !== 'paid' && before.state !== 'partially_refunded')) return 'over';
  return before.backState === 'pending' ? 'later' : 'wished';
}

const reported = statement(
  'pack_reported',
  `select from credit_orders o join fraud_warnings w on w.charge_id = o.charge_id where o.id = $1 and w.returned_at is not null`,
);

/** Returns whether all of a pack goes back because the card's bank has reported it. */
export const isPackReported = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.query(reported, [id])).length > 0;

/** A pack of which money has to be paid back. */
export type PackToReturn = PackRow & {
  /** The card's bank has reported it: all of it goes back. */
  isReported: boolean;
};

const due = statement<PackToReturn>(
  'pack_refunds_due',
  `select ${columns}, exists (select from fraud_warnings w where w.charge_id = credit_orders.charge_id and w.returned_at is not null) as "isReported"
  from credit_orders where back_state = 'pending' and provider = $1 and livemode = $2 and payment_id is not null
  and ($3::uuid is null or id = $3) order by created_at limit 100`,
);
const refused = statement<{ id: string }>(
  'pack_refund_refused',
  `update credit_orders set back_state = 'failed', back_credits = 0, back_cents = 0, is_unsettled = true, synced_version = synced_version + 1
where id = $1 and back_state = 'pending' and back_tries = $2 returning id`,
);

/** What the provider has to be asked to pay back of packs. */
export const listPackRefunds = (tx: Tx, { provider, livemode }: Realm, id?: string): Promise<PackToReturn[]> =>
  tx.query(due, [provider, livemode, id ?? null]);
/**
 * Notes that the provider refuses to pay it back: the credits stay theirs.
 * @returns false when somebody has noted it already, or it was asked for again since
 */
export const failPackRefund = async (tx: Tx, { id, backTries }: PackToReturn): Promise<boolean> =>
  (await tx.query(refused, [id, backTries])).length === 1;
