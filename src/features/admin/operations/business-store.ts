import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { syntheticDomain } from '#kit/synthetic-address.ts';
import { dayMs } from '#kit/time.ts';

/** How the business goes, without the people of the full check. Of the days before: the same number of days before those. */
export interface BusinessRow {
  /** What running plans bring in a month; those that are paused or in their trial bring nothing. */
  recurringCents: number;
  /** Of that, what ends with its period. */
  endingCents: number;
  /** Trials that ended in seven days, and how many of those people have paid for a plan. */
  trialsEnded: number;
  trialsEndedBefore: number;
  trialsPaid: number;
  trialsPaidBefore: number;
  /** People who have uploaded, made an album or a link, or sold something in seven days. */
  activeCreators: number;
  activeCreatorsBefore: number;
  /** Payments of 30 days, and disputes that were opened in them; inquiries are none yet. */
  payments: number;
  paymentsBefore: number;
  disputes: number;
  disputesBefore: number;
  /** Emails of seven days that were sent, and those that came back or were complained about. */
  emails: number;
  emailsBefore: number;
  emailsReturned: number;
  emailsReturnedBefore: number;
}

const split = (at: string, since: string, name: string, more = 'true') =>
  `count(*) filter (where ${at} >= ${since} and ${more})::int as "${name}", count(*) filter (where ${at} < ${since} and ${more})::int as "${name}Before"`;

const isReal = (column: string) => `not exists (select from full_checks f where f.creator_id = ${column})`;

const counted = statement<BusinessRow>(
  'business_counted',
  `with done as (
    select creator_id as id, created_at as at from media where created_at >= $5
    union all select user_id, created_at from albums where created_at >= $5
    union all select user_id, created_at from magic_links where created_at >= $5
    union all select creator_id, paid_at from checkout_orders where paid_at >= $5 and provider = $1 and livemode = $2 and creator_id is not null
  )
  select * from
    (select coalesce(sum(p.amount_cents), 0)::bigint as "recurringCents",
      coalesce(sum(p.amount_cents) filter (where p.cancel_at_period_end), 0)::bigint as "endingCents"
      from platform_subscriptions p where p.provider = $1 and p.livemode = $2 and p.ended_at is null
      and p.status in ('active', 'past_due') and not p.is_paused and ${isReal('p.user_id')}) a,
    (select ${split('u.trial_ends_at', '$4', 'trialsEnded')},
      ${split('u.trial_ends_at', '$4', 'trialsPaid', 'exists (select from platform_subscriptions p where p.user_id = u.id and p.provider = $1 and p.livemode = $2 and p.first_paid_at is not null)')}
      from users u where u.trial_ends_at >= $5 and u.trial_ends_at < $3 and lower(u.email) not like '%@${syntheticDomain}') b,
    (select count(distinct id) filter (where at >= $4)::int as "activeCreators",
      count(distinct id) filter (where at < $4)::int as "activeCreatorsBefore" from done d where ${isReal('d.id')}) c,
    (select ${split('o.paid_at', '$6', 'payments')}
      from checkout_orders o where o.paid_at >= $7 and o.provider = $1 and o.livemode = $2 and o.creator_id is not null and ${isReal('o.creator_id')}) d,
    (select ${split('x.opened_at', '$6', 'disputes')}
      from disputes x where x.opened_at >= $7 and x.provider = $1 and x.livemode = $2 and x.standing <> 'warning') e,
    (select ${split('m.created_at', '$4', 'emails', `m.state not in ('queued', 'suppressed')`)},
      ${split('m.created_at', '$4', 'emailsReturned', `m.state in ('bounced', 'complained')`)}
      from mail_outbox m where m.created_at >= $5 and lower(m.recipient) not like '%@${syntheticDomain}') f`,
);

/** Counts how the business goes. */
export async function countBusiness(tx: Tx, { provider, livemode }: Realm, now: Date): Promise<BusinessRow> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const [row] = await tx.query(counted, [provider, livemode, now, ago(7), ago(14), ago(30), ago(60)]);
  if (row === undefined) throw new Error('counting gave no row');
  return { ...row, recurringCents: Number(row.recurringCents), endingCents: Number(row.endingCents) };
}
