import { statement, type Tx } from '#engines/database/work.ts';
import type { ReferralSource } from './rules.ts';

/** A partner whose code works. */
export interface Partner {
  id: string;
  name: string;
  userId: string;
  /** Of the account. */
  email: string;
}

const working = statement<Partner>(
  'partner_of_code',
  `select a.id, a.name, u.id as "userId", u.email from affiliates a join users u on u.id = a.user_id
where a.code = $1 and a.state = 'approved' and u.status = 'active'`,
);

/** Finds whose a code is, as long as it works. */
export const findPartner = async (source: Pick<Tx, 'query'>, code: string): Promise<Partner | undefined> =>
  (await source.query(working, [code]))[0];

export interface NewClick {
  id: string;
  partnerId: string;
  visitorHash: Buffer;
  landing: string;
  utm: Readonly<Record<string, string>> | null;
  browser: string;
  now: Date;
}

const clicked = statement(
  'partner_clicked',
  `insert into affiliate_clicks (id, affiliate_id, visitor_hash, landing, utm, browser, at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (affiliate_id, visitor_hash) do nothing`,
);

/** Counts that a link was followed, once for a browser. */
export async function insertClick(tx: Tx, click: NewClick): Promise<void> {
  const { id, partnerId, visitorHash, landing, utm, browser, now } = click;
  const said = utm === null ? null : JSON.stringify(utm);
  await tx.query(clicked, [id, partnerId, visitorHash, landing, said, browser, now]);
}

export interface NewReferral {
  id: string;
  partnerId: string;
  userId: string;
  source: ReferralSource;
  visitorHash: Buffer;
  now: Date;
  endsAt: Date;
  isSamePerson: boolean;
}

const referred = statement<{ id: string }>(
  'account_referred',
  `insert into affiliate_referrals (id, affiliate_id, user_id, source, first_touch_at, signed_up_at, ends_at, void_at, void_reason)
values ($1, $2, $3, $4, coalesce((select c.at from affiliate_clicks c where c.affiliate_id = $2 and c.visitor_hash = $5), $6), $6, $7,
  case when $8 then $6::timestamptz end, case when $8 then 'same_person' end)
on conflict (user_id) do nothing returning id`,
);

/** Writes down who brought an account, once. @returns whether it was written now */
export async function insertReferral(tx: Tx, referral: NewReferral): Promise<boolean> {
  const { id, partnerId, userId, source, visitorHash, now, endsAt, isSamePerson } = referral;
  const values = [id, partnerId, userId, source, visitorHash, now, endsAt, isSamePerson];
  return (await tx.query(referred, values)).length === 1;
}

/** Who brought an account. */
export interface Inviter {
  name: string;
  /** A share of what the account pays goes to them. */
  getsShare: boolean;
}

const inviter = statement<Inviter>(
  'account_invited_by',
  `select a.name, r.ends_at > $2 and a.state in ('approved', 'paused') as "getsShare" from affiliate_referrals r join affiliates a on a.id = r.affiliate_id where r.user_id = $1 and r.void_at is null`,
);

/** The partner who brought an account; undefined for whoever came alone. */
export const findInviter = async (tx: Tx, userId: string, now: Date): Promise<Inviter | undefined> =>
  (await tx.query(inviter, [userId, now]))[0];

const clicksForgotten = statement('partner_clicks_forgotten', 'delete from affiliate_clicks where at < $1');

/** Forgets clicks of long ago. */
export const forgetClicks = async (tx: Tx, before: Date): Promise<void> =>
  void (await tx.query(clicksForgotten, [before]));
