import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** A plan that somebody has begun to take. */
export interface PlanCheckoutRow {
  id: string;
  userId: string | null;
  email: string;
  state: 'open' | 'complete' | 'expired' | 'failed';
  trialDays: number | null;
  amountCents: number;
  currency: string;
  sessionId: string | null;
  subscriptionId: string | null;
  browserHash: Buffer | null;
  /** The browser that may use what confirms the address. */
  askingHash: Buffer | null;
  mailedAt: Date | null;
  expiresAt: Date;
  /** When it ended that a plan was for sale to this account, before it was taken. */
  endedAt: Date | null;
}

const columns = `id, user_id as "userId", email, state, trial_days as "trialDays", amount_cents as "amountCents", currency,
  session_id as "sessionId", subscription_id as "subscriptionId", browser_hash as "browserHash", asking_hash as "askingHash", mailed_at as "mailedAt",
  expires_at as "expiresAt", ended_at as "endedAt"`;

const byId = statement<PlanCheckoutRow>('plan_checkout_by_id', `select ${columns} from plan_checkouts where id = $1`);
const bySession = statement<PlanCheckoutRow>(
  'plan_checkout_by_session',
  `select ${columns} from plan_checkouts where provider = $1 and session_id = $2`,
);
const openOf = statement<PlanCheckoutRow>(
  'plan_checkout_open_of_user',
  `select ${columns} from plan_checkouts where user_id = $1 and state = 'open' and provider = $2 and livemode = $3`,
);
const openOnes = statement<{ sessionId: string }>(
  'plan_checkouts_open',
  `select session_id as "sessionId" from plan_checkouts where state = 'open' and provider = $1 and livemode = $2
  and session_id is not null and created_at <= $3 order by created_at limit 500`,
);

export const findPlanCheckout = async (tx: Tx, id: string): Promise<PlanCheckoutRow | undefined> =>
  (await tx.query(byId, [id]))[0];

export const findPlanCheckoutOfSession = async (tx: Pick<Tx, 'query'>, { provider }: Realm, sessionId: string) =>
  (await tx.query(bySession, [provider, sessionId]))[0];

/** What this creator is taking just now. */
export const findOpenPlanCheckout = async (tx: Tx, { provider, livemode }: Realm, userId: string) =>
  (await tx.query(openOf, [userId, provider, livemode]))[0];

/** Checkouts that were begun before a moment and of which nobody has told how they ended. */
export const listOpenPlanSessions = async (tx: Tx, { provider, livemode }: Realm, before: Date): Promise<string[]> =>
  (await tx.query(openOnes, [provider, livemode, before])).map(({ sessionId }) => sessionId);

const unmailed = statement<PlanCheckoutRow>(
  'plan_checkouts_unmailed',
  `select ${columns} from plan_checkouts where state = 'complete' and user_id is null and mailed_at is null
  and provider = $1 and livemode = $2 and created_at between $3 and $4 order by created_at limit 500`,
);

/** Complete ones of people without an account whose address nobody has asked to confirm, begun between two moments. */
export const listUnmailed = async (
  tx: Tx,
  { provider, livemode }: Realm,
  { after, before }: { after: Date; before: Date },
) => tx.query(unmailed, [provider, livemode, after, before]);

export interface NewPlanCheckout {
  id: string;
  realm: Realm;
  userId: string | null;
  email: string;
  trialDays: number | undefined;
  amountCents: number;
  currency: string;
  browserHash: Buffer | null;
  askingHash: Buffer | null;
  expiresAt: Date;
  now: Date;
}

const inserted = statement<{ id: string }>(
  'plan_checkout_inserted',
  `insert into plan_checkouts (id, provider, livemode, user_id, email, trial_days, amount_cents, currency, browser_hash, asking_hash,
expires_at, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict (user_id, provider, livemode) where state = 'open' do nothing returning id`,
);

/** @returns false when this creator is taking one already */
export async function insertPlanCheckout(tx: Tx, checkout: NewPlanCheckout): Promise<boolean> {
  const { id, realm, userId, email, trialDays, amountCents, currency, browserHash, askingHash, expiresAt, now } =
    checkout;
  const who = [id, realm.provider, realm.livemode, userId, email, trialDays ?? null];
  return (
    (await tx.query(inserted, [...who, amountCents, currency, browserHash, askingHash, expiresAt, now])).length === 1
  );
}

const sent = statement(
  'plan_checkout_sent',
  'update plan_checkouts set session_id = $2 where id = $1 and session_id is null',
);

/** Notes where it goes on. */
export async function keepPlanSession(tx: Tx, id: string, sessionId: string): Promise<void> {
  await tx.query(sent, [id, sessionId]);
}

const settled = statement(
  'plan_checkout_settled',
  `update plan_checkouts set state = $2, subscription_id = coalesce(subscription_id, $3) where id = $1 and state <> 'complete'`,
);

/** Writes what became of it; what is complete stays so. */
export async function settlePlanCheckout(
  tx: Tx,
  id: string,
  state: PlanCheckoutRow['state'],
  subscriptionId: string | undefined,
): Promise<void> {
  await tx.query(settled, [id, state, subscriptionId ?? null]);
}

const mailed = statement<{ id: string }>(
  'plan_checkout_mailed',
  'update plan_checkouts set mailed_at = $2 where id = $1 and mailed_at is null returning id',
);

const mailedAgain = statement<{ id: string }>(
  'plan_checkout_mailed_again',
  'update plan_checkouts set mailed_at = $2 where id = $1 returning id',
);

/** Notes that its address is being confirmed. @returns false when that was noted before */
export const noteMailed = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.query(mailed, [id, now])).length === 1;

/** Notes that it was mailed once more: from now on the next email is waited for. */
export const noteMailedAgain = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.query(mailedAgain, [id, now])).length === 1;
