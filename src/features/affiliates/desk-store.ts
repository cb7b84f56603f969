import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { figureColumns, figureSums, type PartnerFigures } from './figures-store.ts';
import type { PartnerState, Signs, VoidReason } from './rules.ts';
import { type PartnerRow, partnerColumns } from './store.ts';

export type ListedPartner = PartnerRow & PartnerFigures;

const listed = statement<ListedPartner>(
  'partners_listed',
  `select ${partnerColumns}, ${figureColumns} from (select * from affiliates where $3::text is null or state = $3 order by created_at desc, id desc limit $4) a
left join users u on u.id = a.user_id ${figureSums} order by a.created_at desc, a.id desc`,
);

/** The newest partners and applications. @param state all of them when left out */
export const listPartners = (
  tx: Tx,
  { provider, livemode }: Realm,
  { state, limit }: { state: PartnerState | undefined; limit: number },
): Promise<ListedPartner[]> => tx.query(listed, [provider, livemode, state ?? null, limit]);

const one = statement<ListedPartner>(
  'partner_shown',
  `select ${partnerColumns}, ${figureColumns} from affiliates a left join users u on u.id = a.user_id ${figureSums} where a.id = $3`,
);

export const findListed = async (tx: Tx, { provider, livemode }: Realm, id: string) =>
  (await tx.query(one, [provider, livemode, id]))[0];

export interface ReferralRow {
  id: string;
  userId: string | null;
  source: 'link' | 'code';
  signedUpAt: Date;
  endsAt: Date;
  voidAt: Date | null;
  voidReason: VoidReason | null;
  voidNote: string;
  isKept: boolean;
  earnedCents: number;
}

const referrals = statement<ReferralRow>(
  'partner_referrals',
  `select r.id, r.user_id as "userId", r.source, r.signed_up_at as "signedUpAt", r.ends_at as "endsAt", r.void_at as "voidAt",
  r.void_reason as "voidReason", r.void_note as "voidNote", r.kept_at is not null as "isKept",
  (select coalesce(sum(c.amount_cents - c.returned_cents), 0) from commissions c where c.referral_id = r.id)::bigint as "earnedCents"
from affiliate_referrals r where r.affiliate_id = $1 order by r.signed_up_at desc, r.id desc limit 200`,
);

/** The newest accounts that a partner brought. */
export const listReferrals = (tx: Tx, id: string): Promise<ReferralRow[]> => tx.query(referrals, [id]);

const signs = statement<Signs>(
  'partner_signs',
  `with mine as (select r.id, r.user_id, r.void_at from affiliate_referrals r where r.affiliate_id = $1),
cards as (select distinct m.id, p.card_brand || p.card_last4 as card from mine m join platform_subscriptions p on p.user_id = m.user_id where p.card_last4 <> ''),
own_cards as (select p.card_brand || p.card_last4 as card from affiliates a join platform_subscriptions p on p.user_id = a.user_id where a.id = $1)
select (select count(*) from mine)::int as referrals, (select count(*) from mine where void_at is not null)::int as voided,
  (select count(distinct c.id) from cards c where c.card in (select card from own_cards)
    or exists (select from cards o where o.card = c.card and o.id <> c.id))::int as "sameCard",
  (select count(distinct m.id) from mine m join user_devices d on d.user_id = m.user_id
    join affiliates a on a.id = $1 join user_devices o on o.user_id = a.user_id and o.device = d.device and o.country = d.country)::int as "sameDevice"`,
);

/** What may speak against a partner. */
export async function findSigns(tx: Tx, id: string): Promise<Signs> {
  const [row] = await tx.query(signs, [id]);
  return row ?? { referrals: 0, voided: 0, sameCard: 0, sameDevice: 0 };
}
