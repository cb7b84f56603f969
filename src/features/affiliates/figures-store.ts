import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { owedBack } from './commissions-store.ts';
import type { VoidReason } from './rules.ts';

/** What came of a partner's code. Counts and sums only: who came is nobody's to see but the operator's. */
export interface PartnerFigures {
  clicks: number;
  signUps: number;
  active: number;
  voided: number;
  earnedCents: number;
  pendingCents: number;
  payableCents: number;
  paidCents: number;
  /** What was paid and went back afterwards: it is taken from the next payout. */
  debtCents: number;
}

/** SQL of the figures of a partner `a`, as columns. */
export const figureColumns = `(select count(*) from affiliate_clicks k where k.affiliate_id = a.id)::int as clicks,
  (select count(*) from affiliate_referrals r where r.affiliate_id = a.id and r.void_at is null)::int as "signUps",
  (select count(*) from affiliate_referrals r where r.affiliate_id = a.id and r.void_at is not null)::int as voided,
  (select count(*) from affiliate_referrals r join users v on v.id = r.user_id where r.affiliate_id = a.id and r.void_at is null
    and v.subscription_status in ('active', 'past_due'))::int as active,
  coalesce(s.earned, 0)::bigint as "earnedCents", coalesce(s.pending, 0)::bigint as "pendingCents", coalesce(s.payable, 0)::bigint as "payableCents",
  (select coalesce(sum(p.amount_cents), 0) from affiliate_payouts p join affiliate_runs n on n.id = p.run_id
    where p.affiliate_id = a.id and p.state = 'paid' and n.provider = $1 and n.livemode = $2)::bigint as "paidCents",
  (select coalesce(sum(d.amount_cents), 0) from affiliate_deductions d left join commissions c on c.id = d.commission_id
    where d.affiliate_id = a.id and d.provider = $1 and d.livemode = $2 and d.currency = 'usd' and ${owedBack})::bigint as "debtCents"`;

/** SQL that sums up the shares of a partner `a` as `s`. */
export const figureSums = `left join lateral (select sum(c.amount_cents - c.returned_cents) as earned,
  sum(c.amount_cents - c.returned_cents) filter (where c.state = 'pending') as pending,
  sum(c.amount_cents - c.returned_cents) filter (where c.state = 'payable') as payable
  from commissions c where c.affiliate_id = a.id and c.provider = $1 and c.livemode = $2 and c.currency = 'usd') s on true`;

const figures = statement<PartnerFigures>(
  'partner_figures',
  `select ${figureColumns} from affiliates a ${figureSums} where a.id = $3`,
);

/** What came of a partner's code. */
export async function sumPartner(tx: Tx, { provider, livemode }: Realm, id: string): Promise<PartnerFigures> {
  const [row] = await tx.query(figures, [provider, livemode, id]);
  if (row === undefined) throw new Error('a partner is gone');
  return row;
}

export interface VoidedCount {
  reason: VoidReason;
  count: number;
}

const voided = statement<VoidedCount>(
  'partner_voided',
  `select r.void_reason as reason, count(*)::int as count from affiliate_referrals r where r.affiliate_id = $1 and r.void_at is not null
group by 1 order by 2 desc, 1`,
);

/** How many sign-ups do not count, by why. */
export const countVoided = (tx: Tx, id: string): Promise<VoidedCount[]> => tx.query(voided, [id]);

export interface OwnPayout {
  id: string;
  amountCents: number;
  currency: string;
  state: 'open' | 'paid' | 'canceled';
  createdAt: Date;
  settledAt: Date | null;
}

const payouts = statement<OwnPayout>(
  'partner_payouts',
  `select p.id, p.amount_cents as "amountCents", p.currency, p.state, p.created_at as "createdAt", p.settled_at as "settledAt"
from affiliate_payouts p join affiliate_runs n on n.id = p.run_id
where p.affiliate_id = $3 and p.state <> 'canceled' and n.provider = $1 and n.livemode = $2 order by p.created_at desc limit 60`,
);

/** What a partner was paid, newest first. */
export const listPayoutsOf = (tx: Tx, { provider, livemode }: Realm, id: string): Promise<OwnPayout[]> =>
  tx.query(payouts, [provider, livemode, id]);
