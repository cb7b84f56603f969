import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { HoldCode, HoldFacts } from './rules.ts';

export interface HoldRow {
  id: string;
  code: HoldCode;
  note: string;
  byKind: 'system' | 'staff';
  since: Date;
  expectedAt: Date | null;
}

type Source = Pick<Tx, 'query'>;
type Whose = { userId: string; realm: Realm };

const factsOf = statement<HoldFacts>(
  'payout_hold_facts',
  `select a.full_status = 'restricted' as "isRestricted",
  exists (select from payouts p where p.user_id = $1 and p.provider = $2 and p.livemode = $3 and p.state in ('in_transit', 'paid'))
    or exists (select from payout_holds h where h.user_id = $1 and h.provider = $2 and h.livemode = $3
      and h.code = 'REVIEW_NEW' and h.ended_at is not null) as "wasReviewed",
  exists (select from reports r where r.creator_id = $1 and r.state = 'hidden') as "hasOpenReport",
  count(o.id)::int as sales, (count(o.id) filter (where o.state in ('disputed', 'charged_back')))::int as disputes
from user_stripe_accounts a left join checkout_orders o on o.creator_id = a.user_id and o.provider = $2 and o.livemode = $3
  and o.paid_at > $4::timestamptz - interval '90 days' and o.paid_at <= $4
where a.user_id = $1 and a.provider = $2 and a.livemode = $3 group by a.full_status`,
);

/** What speaks against paying a creator out; undefined where they have no account. */
export const findHoldFacts = async (tx: Source, { userId, realm }: Whose, now: Date): Promise<HoldFacts | undefined> =>
  (await tx.query(factsOf, [userId, realm.provider, realm.livemode, now]))[0];

const openOnes = statement<HoldRow>(
  'payout_holds_of_user',
  `select id, code, note, by_kind as "byKind", since, expected_at as "expectedAt" from payout_holds
where user_id = $1 and provider = $2 and livemode = $3 and ended_at is null order by since, code`,
);

/** Why a creator is not paid out just now. */
export const listHolds = (tx: Source, { userId, realm }: Whose): Promise<HoldRow[]> =>
  tx.query(openOnes, [userId, realm.provider, realm.livemode]);

export interface NewHold extends Whose {
  id: string;
  code: HoldCode;
  note: string;
  by: 'system' | 'staff';
  since: Date;
  expectedAt: Date | null;
}

const inserted = statement<{ id: string }>(
  'payout_hold_inserted',
  `insert into payout_holds (id, user_id, provider, livemode, code, note, by_kind, since, expected_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (user_id, provider, livemode, code) where ended_at is null do nothing returning id`,
);

/** @returns false when they are held for the same reason already */
export async function insertHold(tx: Tx, hold: NewHold): Promise<boolean> {
  const { id, userId, realm, code, note, by, since, expectedAt } = hold;
  const values = [id, userId, realm.provider, realm.livemode, code, note, by, since, expectedAt];
  return (await tx.query(inserted, values)).length === 1;
}

const ended = statement<{ id: string }>(
  'payout_holds_ended',
  `update payout_holds set ended_at = $5, ended_by = $6 where user_id = $1 and provider = $2 and livemode = $3
  and code = any($4::text[]) and ended_at is null and ($6 = 'staff' or by_kind = 'system') returning id`,
);

/** Ends holds. What staff has held, only staff ends. @returns how many */
export async function endHolds(
  tx: Tx,
  { userId, realm }: Whose,
  codes: readonly HoldCode[],
  { by, now }: { by: 'system' | 'staff'; now: Date },
): Promise<number> {
  return (await tx.query(ended, [userId, realm.provider, realm.livemode, codes, now, by])).length;
}

const released = statement<{ code: HoldCode }>(
  'payout_holds_released',
  `select distinct code from payout_holds where user_id = $1 and provider = $2 and livemode = $3 and ended_by = 'staff' and ended_at > $4`,
);

/** Reasons of which staff has said since a moment that they are none. */
export const listReleased = async (tx: Source, { userId, realm }: Whose, since: Date): Promise<HoldCode[]> =>
  (await tx.query(released, [userId, realm.provider, realm.livemode, since])).map(({ code }) => code);

/** A creator who is held, as staff lists them. */
export interface HeldRow {
  userId: string;
  email: string;
  codes: HoldCode[];
  since: Date;
  expectedAt: Date | null;
  appealId: string | null;
}

const held = statement<HeldRow>(
  'payout_holds_listed',
  `select h.user_id as "userId", u.email, array_agg(h.code order by h.since) as codes, min(h.since) as since, min(h.expected_at) as "expectedAt",
  (select a.id from payout_appeals a where a.user_id = h.user_id and a.provider = $1 and a.livemode = $2 and a.answered_at is null) as "appealId"
from payout_holds h join users u on u.id = h.user_id where h.provider = $1 and h.livemode = $2 and h.ended_at is null
group by h.user_id, u.email order by min(h.since) limit $3`,
);

/** Who is held, longest first. */
export const listHeld = (tx: Tx, { provider, livemode }: Realm, limit: number): Promise<HeldRow[]> =>
  tx.query(held, [provider, livemode, limit]);
